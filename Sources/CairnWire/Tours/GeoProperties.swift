internal import Foundation

/// The properties of a tour's features in GeoJSON.
struct GeoProperties: Codable {
    /// `area`, `route`, `stop` or `popup`.
    var cairn: String?
    var id: String?
    var name: [GeoWords]?
    var description: [GeoWords]?
    var links: [String]?
    var price: UInt32?
    var picture: String?
    var pictureAlternative: [GeoWords]?
    var seconds: UInt32?
    /// `forward` or `backward`.
    var direction: String?
    var object: String?
    /// x, y, z, w.
    var quaternion: [Double]?
    var scale: Double?
    var accuracy: Double?
    var anchor: GeoAnchor?
    var history: [GeoWords]?
    var alternative: [GeoWords]?
    var text: [GeoWords]?

    init() {}

    init(_ facts: WireTourFacts) {
        cairn = "area"
        (name, description) = (GeoWords.list(facts.name), GeoWords.list(facts.description_p))
        links = facts.links.isEmpty ? nil : facts.links
        price = facts.price
        if !facts.picture.isEmpty { picture = facts.picture }
        pictureAlternative = GeoWords.list(facts.pictureAlternative)
        if facts.seconds > 0 { seconds = facts.seconds }
    }

    init(_ stop: WireTourStop) {
        cairn = "stop"
        (id, object) = (stop.id, stop.object)
        let turn = stop.pose.geopose.quaternion
        quaternion = [turn.x, turn.y, turn.z, turn.w]
        if stop.pose.hasScale { scale = stop.pose.scale }
        if stop.pose.hasAccuracy { accuracy = stop.pose.accuracy }
        if stop.pose.hasAnchor { anchor = GeoAnchor(stop.pose.anchor) }
        (name, history) = (GeoWords.list(stop.name), GeoWords.list(stop.history))
        alternative = GeoWords.list(stop.alternative)
    }

    var facts: WireTourFacts {
        var facts = WireTourFacts()
        (facts.name, facts.description_p) = (GeoWords.text(name), GeoWords.text(description))
        (facts.links, facts.price, facts.seconds) = (links ?? [], price ?? 0, seconds ?? 0)
        facts.picture = picture ?? ""
        if let pictureAlternative { facts.pictureAlternative = GeoWords.text(pictureAlternative) }
        return facts
    }

    func stop(at place: WireGeoPosition) -> WireTourStop {
        var stop = WireTourStop()
        (stop.id, stop.object) = (id ?? "", object ?? "")
        stop.pose.geopose.position = place
        let numbers = quaternion ?? [0, 0, 0, 1]
        // Of another number of numbers nothing is set, which the check of the pose refuses.
        if numbers.count == 4 {
            var turn = WireQuaternion()
            (turn.x, turn.y, turn.z, turn.w) = (numbers[0], numbers[1], numbers[2], numbers[3])
            stop.pose.geopose.quaternion = turn
        }
        if let scale { stop.pose.scale = scale }
        if let accuracy { stop.pose.accuracy = accuracy }
        if let anchor { stop.pose.anchor = anchor.wire }
        (stop.name, stop.history) = (GeoWords.text(name), GeoWords.text(history))
        stop.alternative = GeoWords.text(alternative)
        return stop
    }

    func popup(at place: WireGeoPosition) -> WireTourPopup {
        var popup = WireTourPopup()
        (popup.id, popup.place, popup.text) = (id ?? "", place, GeoWords.text(text))
        return popup
    }

    static func name(of direction: WireTourDirection) -> String? {
        switch direction {
        case .forward: "forward"
        case .backward: "backward"
        default: nil
        }
    }

    static func direction(named name: String?) -> WireTourDirection {
        switch name {
        case "forward": .forward
        case "backward": .backward
        default: .unspecified
        }
    }
}

extension GeoProperties {
    /// What a property has to be, for who gets another form refused.
    static func form(of property: String) -> String {
        switch property {
        case "name", "description", "pictureAlternative", "history", "alternative", "text":
            #"a list of texts, such as [{"language": "en", "text": "..."}]"#
        case "links": "a list of texts"
        case "price", "seconds": "a whole number from 0 on"
        case "picture", "object", "direction", "cairn": "a text"
        case "scale", "accuracy": "a number"
        case "quaternion": "a list of four numbers"
        case "anchor": "an object with provider, id, transform and data"
        default: "the properties that docs/tours-geojson.md describes"
        }
    }

    /// Reads the members of a feature of this kind. Foreign members of any form are ignored (RFC 7946 6.1), and so is
    /// an id that is not a string: map editors number features.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            do {
                return try container.decodeIfPresent(Value.self, forKey: key)
            } catch {
                // By way of a table without lists, such as a GeoPackage's, it is a text of JSON.
                guard let text = try? container.decode(String.self, forKey: key), GeoShape.admits(nested: text),
                    let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
                else { throw error }
                return value
            }
        }
        cairn = try read(.cairn)
        id = try? read(.id)
        switch cairn {
        case "area":
            (name, description, links) = (try read(.name), try read(.description), try read(.links))
            (price, seconds) = (try read(.price), try read(.seconds))
            (picture, pictureAlternative) = (try read(.picture), try read(.pictureAlternative))
        case "route": direction = try read(.direction)
        case "stop":
            (object, quaternion, scale) = (try read(.object), try read(.quaternion), try read(.scale))
            (accuracy, anchor) = (try read(.accuracy), try read(.anchor))
            (name, history, alternative) = (try read(.name), try read(.history), try read(.alternative))
        case "popup": text = try read(.text)
        default: break
        }
    }
}

/// A text in one language.
struct GeoWords: Codable {
    var language: String
    var text: String
    /// Asset with the recorded audio.
    var audio: String?

    static func list(_ text: WireTourText) -> [GeoWords]? {
        text.words.isEmpty
            ? nil
            : text.words.map { words in
                GeoWords(
                    language: words.language, text: words.text, audio: words.audio.isEmpty ? nil : words.audio)
            }
    }

    static func text(_ list: [GeoWords]?) -> WireTourText {
        var text = WireTourText()
        text.words = (list ?? []).map { words in
            var wire = WireTourWords()
            (wire.language, wire.text, wire.audio) = (words.language, words.text, words.audio ?? "")
            return wire
        }
        return text
    }
}

/// What a device needs beside the pose.
struct GeoAnchor: Codable {
    var provider: String?
    var id: String?
    var transform: [Double]?
    /// Base64.
    var data: Data?

    init(_ anchor: WireAnchor) {
        (provider, id) = (anchor.provider, anchor.id)
        transform = anchor.transform.isEmpty ? nil : anchor.transform
        data = anchor.data.isEmpty ? nil : anchor.data
    }

    var wire: WireAnchor {
        var anchor = WireAnchor()
        (anchor.provider, anchor.id) = (provider ?? "", id ?? "")
        (anchor.transform, anchor.data) = (transform ?? [], data ?? Data())
        return anchor
    }
}
