internal import Foundation

/// A tour as GeoJSON (RFC 7946): a FeatureCollection whose features say by the property `cairn` what they are.
/// `docs/tours-geojson.md` describes the properties.
///
/// Content that is written and read again is the same, bit for bit. Members that are not described, altitudes of
/// areas and routes, and rings of either direction are accepted.
public enum TourGeoJSON {
    /// Why a text is no tour. The cause is for people, in English.
    public struct Fault: Error, Hashable, Sendable {
        public let cause: String
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
        } catch {
            throw Fault(cause: "it cannot be read as a FeatureCollection")
        }
        return try file.content()
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
        for (index, feature) in features.enumerated() {
            switch (feature.properties.cairn, feature.geometry) {
            case ("area", .polygon(let corners)?):
                (content.ground.area, content.facts) = (corners, feature.properties.facts)
            case ("route", .line(let points)?):
                content.ground.route = points
                content.ground.direction = GeoProperties.direction(named: feature.properties.direction)
            case ("stop", .point(let place)?): content.stops.append(feature.properties.stop(at: place))
            case ("popup", .point(let place)?): content.popups.append(feature.properties.popup(at: place))
            case ("area", _), ("route", _), ("stop", _), ("popup", _):
                throw TourGeoJSON.Fault(cause: "feature \(index) has no geometry of its kind")
            default: continue  // Of somebody else's.
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
        type = try container.decode(String.self, forKey: .type)
        // A feature of somebody else's may have any properties; ours are known by `cairn`.
        let known = (try? container.decode(GeoKind.self, forKey: .properties))?.cairn
        guard let known, GeoKind.all.contains(known) else { return }
        properties = try container.decode(GeoProperties.self, forKey: .properties)
        geometry = try container.decodeIfPresent(GeoGeometry.self, forKey: .geometry)
    }
}

private struct GeoKind: Decodable {
    static let all: Set<String> = ["area", "route", "stop", "popup"]
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
        switch try container.decode(String.self, forKey: .type) {
        case "Point":
            let numbers = try container.decode([Double].self, forKey: .coordinates)
            guard numbers.count >= 2 else { throw wrong("a position has two numbers or three") }
            var place = WireGeoPosition()
            (place.lat, place.lon, place.h) = (numbers[1], numbers[0], numbers.count > 2 ? numbers[2] : 0)
            self = .point(place)
        case "LineString":
            self = .line(try Self.points(try container.decode([[Double]].self, forKey: .coordinates), wrong))
        case "Polygon":
            let rings = try container.decode([[[Double]]].self, forKey: .coordinates)
            guard rings.count <= 1 else { throw wrong("an area has no holes") }
            var corners = try Self.points(rings.first ?? [], wrong)
            if corners.count > 1, corners.first == corners.last { corners.removeLast() }
            self = .polygon(corners)
        default: throw wrong("Point, LineString or Polygon")
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
