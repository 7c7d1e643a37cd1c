import CairnClient
import CairnGeo
import Foundation

/// The town of `cairn serve --demo` on the map: a park with streets and houses around it, made from a seed. There is no
/// such town.
enum DemoTown {
    private static let seed: UInt64 = 15
    /// Length of a block of houses with its street, in metres.
    private static let blockMetres = 80.0
    private static let streetMetres = 14.0
    /// Blocks from the middle to the edge. The inner ones are the park in which the walkers walk.
    private static let blocks = 7
    private static let parkBlocks = 2

    /// The town as GeoJSON: features whose property `kind` is "park", "street" or "house". Houses have a `height` in
    /// metres.
    static func geoJSON(around centre: Coordinate) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let plane = LocalPlane(origin: centre)
        let edge = Double(blocks) * blockMetres
        let park = Double(parkBlocks) * blockMetres - streetMetres / 2
        var features = [polygon("park", corners(-park, -park, park, park), plane)]
        for number in -blocks...blocks {
            let across = Double(number) * blockMetres
            for (begin, end) in stretches(of: number, edge: edge, park: park) {
                features.append(line([(begin, across), (end, across)], plane))
                features.append(line([(across, begin), (across, end)], plane))
            }
        }
        for column in -blocks..<blocks {
            for row in -blocks..<blocks where !isPark(column) || !isPark(row) {
                let (west, south) = (Double(column) * blockMetres, Double(row) * blockMetres)
                features += houses(west: west, south: south, plane, &generator)
            }
        }
        let town: [String: Any] = ["type": "FeatureCollection", "features": features]
        return [UInt8]((try? JSONSerialization.data(withJSONObject: town, options: .sortedKeys)) ?? Data())
    }

    private static func isPark(_ block: Int) -> Bool { (-parkBlocks..<parkBlocks).contains(block) }

    /// A street through the park ends at its sides.
    private static func stretches(of number: Int, edge: Double, park: Double) -> [(Double, Double)] {
        abs(number) < parkBlocks ? [(-edge, -park), (park, edge)] : [(-edge, edge)]
    }

    /// Two rows of four lots, of which some are empty.
    private static func houses(
        west: Double, south: Double, _ plane: LocalPlane, _ generator: inout SeededGenerator
    ) -> [[String: Any]] {
        let inner = blockMetres - streetMetres
        let (width, depth) = (inner / 4, inner / 2)
        var houses: [[String: Any]] = []
        for lot in 0..<8 where Double.random(in: 0...1, using: &generator) < 0.85 {
            let left = west + streetMetres / 2 + Double(lot % 4) * width
            let bottom = south + streetMetres / 2 + Double(lot / 4) * depth
            let garden = Double.random(in: 1...4, using: &generator)
            let corners = corners(
                left + garden / 2, bottom + garden, left + width - garden / 2, bottom + depth - garden * 2)
            let height = Double.random(in: 5...18, using: &generator).rounded()
            houses.append(polygon("house", corners, plane, height: height))
        }
        return houses
    }

    private static func corners(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double
    ) -> [(Double, Double)] {
        [(west, south), (east, south), (east, north), (west, north), (west, south)]
    }

    private static func polygon(
        _ kind: String, _ ring: [(Double, Double)], _ plane: LocalPlane, height: Double? = nil
    ) -> [String: Any] {
        var properties: [String: Any] = ["kind": kind]
        properties["height"] = height
        return feature(properties, "Polygon", [ring.map { position($0, plane) }])
    }

    private static func line(_ points: [(Double, Double)], _ plane: LocalPlane) -> [String: Any] {
        feature(["kind": "street"], "LineString", points.map { position($0, plane) })
    }

    private static func feature(_ properties: [String: Any], _ type: String, _ coordinates: Any) -> [String: Any] {
        let geometry: [String: Any] = ["type": type, "coordinates": coordinates]
        return ["type": "Feature", "properties": properties, "geometry": geometry]
    }

    /// Longitude and latitude to a centimetre (RFC 7946).
    private static func position(_ metres: (east: Double, north: Double), _ plane: LocalPlane) -> [Double] {
        let place = plane.coordinate(east: metres.east, north: metres.north)
        return [place.longitude, place.latitude].map { ($0 * 1e7).rounded() / 1e7 }
    }
}
