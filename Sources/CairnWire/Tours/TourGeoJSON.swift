internal import Foundation

/// A tour as GeoJSON (RFC 7946): a FeatureCollection whose features say by the property `cairn` what they are.
/// `docs/tours-geojson.md` describes the properties.
///
/// Content that is written and read again is the same, bit for bit. What other tools make of it is read as far as it
/// has one meaning: members that are not described, altitudes of areas and routes, rings of either direction,
/// geometries of one part, lists as texts.
public enum TourGeoJSON {
    /// Why a text is no tour. The cause is for people, in English.
    public struct Fault: Error, Hashable, Sendable {
        /// It names the feature and the property, where there are any.
        public let cause: String
        /// Index of the feature, from 0.
        public var feature: Int?
        /// A property of `docs/tours-geojson.md`, or `geometry`.
        public var property: String?

        init(cause: String) { self.cause = cause }

        init(feature: Int, property: String? = nil, _ cause: String) {
            self.cause = "feature \(feature)\(property.map { ", \($0)" } ?? ""): \(cause)"
            (self.feature, self.property) = (feature, property)
        }
    }

    /// The most bytes that are read.
    public static let bytesMax = 1_048_576

    /// The text of a content. Members are sorted, so equal contents give equal texts.
    public static func text(of content: WireTourContent) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(GeoFile(content)), as: UTF8.self)
        } catch {
            // A number that is not finite has no form in JSON, and no checked content has one.
            preconditionFailure("a tour that was checked cannot be written: \(error)")
        }
    }

    /// Reads a text. Bounded by its bytes and by what is in it (`GeoShape`), which are counted first.
    public static func content(of text: String) throws(Fault) -> WireTourContent {
        guard text.utf8.count <= bytesMax else { throw Fault(cause: "more than \(bytesMax) bytes") }
        try GeoShape.check(text)
        let file: GeoFile
        do {
            file = try JSONDecoder().decode(GeoFile.self, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw Fault(error)
        } catch {
            throw Fault(cause: "it cannot be read as a FeatureCollection")
        }
        return try file.content()
    }
}

extension TourGeoJSON.Fault {
    /// Where the reader stopped: in a property or in the geometry of a feature, or elsewhere.
    fileprivate init(_ error: DecodingError) {
        let path: [any CodingKey] =
            switch error {
            case .dataCorrupted(let context): context.codingPath
            case .keyNotFound(_, let context): context.codingPath
            case .typeMismatch(_, let context): context.codingPath
            case .valueNotFound(_, let context): context.codingPath
            @unknown default: []
            }
        guard path.count > 2, path[0].stringValue == "features", let feature = path[1].intValue else {
            self.init(cause: "it cannot be read as a FeatureCollection")
            return
        }
        if path[2].stringValue == "geometry" {
            // What is said of a geometry is said here (`GeoGeometry`), but for coordinates of another form.
            var said = "the coordinates are not those of its type"
            if case .dataCorrupted(let context) = error { said = context.debugDescription }
            self.init(feature: feature, property: "geometry", said)
        } else {
            let property = path.count > 3 ? path[3].stringValue : "properties"
            self.init(feature: feature, property: property, GeoProperties.form(of: property))
        }
    }
}

/// The members of a FeatureCollection that a tour uses. Others are skipped.
private struct GeoFile: Codable {
    var type = "FeatureCollection"
    var features: [GeoFeature] = []

    init(_ content: WireTourContent) {
        var area = GeoFeature(.polygon(content.ground.area))
        area.properties = GeoProperties(content.facts)
        features.append(area)
        var route = GeoFeature(.line(content.ground.route))
        route.properties.cairn = "route"
        route.properties.direction = GeoProperties.name(of: content.ground.direction)
        features.append(route)
        features += content.stops.map(GeoFeature.init) + content.popups.map(GeoFeature.init)
    }

    func content() throws(TourGeoJSON.Fault) -> WireTourContent {
        guard type == "FeatureCollection" else { throw TourGeoJSON.Fault(cause: "it is no FeatureCollection") }
        var content = WireTourContent()
        var first: [String: Int] = [:]
        for (index, feature) in features.enumerated() {
            // Others are somebody else's.
            guard let kind = feature.properties.cairn, let form = GeoKind.forms[kind] else { continue }
            if let other = first[kind], kind == "area" || kind == "route" {
                throw TourGeoJSON.Fault(feature: index, "a second \(kind), beside feature \(other)")
            }
            first[kind] = first[kind] ?? index
            switch (kind, feature.geometry) {
            case ("area", .polygon(let corners)?):
                (content.ground.area, content.facts) = (corners, feature.properties.facts)
            case ("route", .line(let points)?):
                content.ground.route = points
                content.ground.direction = GeoProperties.direction(named: feature.properties.direction)
            case ("stop", .point(let place)?): content.stops.append(feature.properties.stop(at: place))
            case ("popup", .point(let place)?): content.popups.append(feature.properties.popup(at: place))
            default: throw TourGeoJSON.Fault(feature: index, property: "geometry", "the \(kind) is no \(form)")
            }
        }
        return content
    }
}

private struct GeoFeature: Codable {
    var type = "Feature"
    var geometry: GeoGeometry?
    var properties = GeoProperties()

    enum CodingKeys: String, CodingKey { case type, geometry, properties }

    init(_ geometry: GeoGeometry) { self.geometry = geometry }

    init(_ stop: WireTourStop) {
        geometry = .point(stop.pose.geopose.position)
        properties = GeoProperties(stop)
    }

    init(_ popup: WireTourPopup) {
        geometry = .point(popup.place)
        properties.cairn = "popup"
        properties.id = popup.id
        properties.text = GeoWords.list(popup.text)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // A feature of somebody else's may have any members; ours are known by `cairn`.
        let known = (try? container.decode(GeoKind.self, forKey: .properties))?.cairn
        guard let known, GeoKind.forms[known] != nil else { return }
        properties = try container.decode(GeoProperties.self, forKey: .properties)
        geometry = try container.decodeIfPresent(GeoGeometry.self, forKey: .geometry)
    }
}

private struct GeoKind: Decodable {
    /// The kinds of features, and the geometry of each.
    static let forms = ["area": "Polygon", "route": "LineString", "stop": "Point", "popup": "Point"]
    var cairn: String?
}

/// The geometries of a tour.
private enum GeoGeometry: Codable {
    case point(WireGeoPosition)
    case line([WireTourPoint])
    case polygon([WireTourPoint])

    enum CodingKeys: String, CodingKey { case type, coordinates }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func wrong(_ cause: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: .coordinates, in: container, debugDescription: cause)
        }
        let type = try container.decode(String.self, forKey: .type)
        // Tools that have one type for a whole layer write geometries of one part as those of several.
        func coordinates<Part: Decodable>(_ part: Part.Type, of single: String) throws -> Part {
            guard type != single else { return try container.decode(part, forKey: .coordinates) }
            let parts = try container.decode([Part].self, forKey: .coordinates)
            guard parts.count == 1 else { throw wrong("one part, and not \(parts.count)") }
            return parts[0]
        }
        switch type {
        case "Point", "MultiPoint":
            let numbers = try coordinates([Double].self, of: "Point")
            guard numbers.count >= 2 else { throw wrong("a position has two numbers or three") }
            var place = WireGeoPosition()
            (place.lat, place.lon, place.h) = (numbers[1], numbers[0], numbers.count > 2 ? numbers[2] : 0)
            self = .point(place)
        case "LineString", "MultiLineString":
            self = .line(try Self.points(try coordinates([[Double]].self, of: "LineString"), wrong))
        case "Polygon", "MultiPolygon":
            let rings = try coordinates([[[Double]]].self, of: "Polygon")
            guard rings.count <= 1 else { throw wrong("an area has no holes") }
            var corners = try Self.points(rings.first ?? [], wrong)
            if corners.count > 1, corners.first == corners.last { corners.removeLast() }
            self = .polygon(corners)
        default: throw wrong("Point, LineString or Polygon, or a Multi-geometry of one of them")
        }
    }

    private static func points(_ lists: [[Double]], _ wrong: (String) -> DecodingError) throws -> [WireTourPoint] {
        try lists.map { numbers in
            guard numbers.count >= 2 else { throw wrong("a position has two numbers or three") }
            var point = WireTourPoint()
            (point.lat, point.lon) = (numbers[1], numbers[0])
            return point
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .point(let place):
            try container.encode("Point", forKey: .type)
            try container.encode([place.lon, place.lat, place.h], forKey: .coordinates)
        case .line(let points):
            try container.encode("LineString", forKey: .type)
            try container.encode(points.map { [$0.lon, $0.lat] }, forKey: .coordinates)
        case .polygon(let corners):
            try container.encode("Polygon", forKey: .type)
            let ring = corners + corners.prefix(1)
            try container.encode([ring.map { [$0.lon, $0.lat] }], forKey: .coordinates)
        }
    }
}
