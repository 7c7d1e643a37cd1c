internal import CairnText

extension Polygon {
    /// Most corners of one that is read from a text.
    public static let cornersMax = 1_000

    /// Reads `LAT LON; LAT LON; LAT LON ...`, degrees; nil = it is no such text, or no polygon.
    public init?(corners text: String) {
        var corners: [Coordinate] = []
        for corner in text.pieces(at: ";", omittingEmptySubsequences: false) {
            let degrees = corner.pieces(at: " ").map { Double($0) }
            guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
                let place = Coordinate(latitude: latitude, longitude: longitude)
            else { return nil }
            corners.append(place)
        }
        guard corners.count <= Self.cornersMax, let polygon = try? Polygon(corners) else { return nil }
        self = polygon
    }
}
