import Foundation

/// The grid of a location accuracy (PRF-8). All places in a square have one middle, so the finer value is not
/// recoverable from it.
///
/// The grid is fixed to the Earth. It has bands of equal latitude, and each band a whole number of columns that follows
/// from the band alone; squares are at least `metres` both ways, measured on the sphere, and the bands at the poles
/// are one square. The number of columns has six significant bits, so over 80 km and more the columns of
/// neighbouring bands lie above one another: a change of the band tells nothing about the longitude. A middle is at
/// most 0.72 of the grid away (near a pole up to 1.5 grids: few columns divide a small circle).
public struct LocationGrid: Hashable, Sendable {
    /// A square, by its place on the grid.
    public struct Square: Hashable, Sendable {
        /// From the south pole northwards.
        public let band: Int
        /// From the meridian of 180 degrees eastwards.
        public let column: Int

        public init(band: Int, column: Int) {
            self.band = band
            self.column = column
        }
    }

    /// Least side of a square.
    public let metres: Double
    /// Number of bands.
    public let bands: Int
    private static let significantBits = 6

    /// - Parameter metres: held to 1 through 1,000,000; NaN counts as the coarsest.
    public init(metres: Double) {
        self.metres = metres.isNaN ? 1_000_000 : min(max(metres, 1), 1_000_000)
        bands = Int(180 * Earth.metresPerDegree / self.metres)
    }

    /// The square that holds the place.
    public func square(of place: Coordinate) -> Square {
        let band = band(of: place)
        return Square(band: band, column: column(of: place, inBand: band))
    }

    /// The band that holds the place.
    public func band(of place: Coordinate) -> Int { bandOf(latitude: place.latitude) }

    /// The column of a band that holds the longitude of the place.
    public func column(of place: Coordinate, inBand band: Int) -> Int {
        let columns = columns(inBand: band)
        // Longitude 180 is -180, the first column.
        return Int((place.longitude + 180) / 360 * Double(columns)) % columns
    }

    /// The number of columns of a band.
    public func columns(inBand band: Int) -> Int {
        // At the edge towards the pole, where columns are narrowest.
        let south = Double(band) * bandDegrees - 90
        let edge = max(abs(south), abs(south + bandDegrees))
        let columns = max(Int(360 * Earth.metresPerDegree * cos(edge.radians) / metres), 1)
        let spareBits = Int.bitWidth - columns.leadingZeroBitCount - Self.significantBits
        return spareBits > 0 ? (columns >> spareBits) << spareBits : columns
    }

    /// The middle of a square.
    public func middle(of square: Square) -> Coordinate {
        Coordinate(
            clampingLatitude: (Double(square.band) + 0.5) * bandDegrees - 90,
            longitude: (Double(square.column) + 0.5) * columnDegrees(inBand: square.band) - 180)
    }

    /// The four corners of a square, counter-clockwise from the south-west. A corner's longitude may be above 180, so
    /// that the corners stay together across the antimeridian.
    public func corners(of square: Square) -> [(latitude: Double, longitude: Double)] {
        let (height, width) = (bandDegrees, columnDegrees(inBand: square.band))
        let (south, west) = (Double(square.band) * height - 90, Double(square.column) * width - 180)
        return [
            (south, west), (south, west + width), (south + height, west + width), (south + height, west),
        ]
    }

    /// The squares that a cell touches, and perhaps some beside it, band by band.
    /// - Returns: nil = more than `countMax`, or a cell around a pole.
    public func squares(around cell: CellID, countMax: Int) -> [Square]? {
        let corners = cell.vertices
        let latitudes = corners.map(\.latitude)
        guard let south = latitudes.min(), let north = latitudes.max(), max(-south, north) < 89, cell.level > 0,
            let first = corners.first?.longitude
        else { return nil }
        // Across the antimeridian the corners stay together.
        let longitudes = corners.map { $0.longitude - 360 * (($0.longitude - first) / 360).rounded() }
        guard let west = longitudes.min(), let east = longitudes.max(), east - west < 90 else { return nil }
        let bands = bandOf(latitude: south)...bandOf(latitude: north)
        guard bands.count <= countMax else { return nil }
        var squares: [Square] = []
        for band in bands {
            let (width, columns) = (columnDegrees(inBand: band), columns(inBand: band))
            let places = Int(((west + 180) / width).rounded(.down))...Int(((east + 180) / width).rounded(.down))
            guard squares.count + places.count <= countMax, places.count <= columns else { return nil }
            squares += places.map { Square(band: band, column: ($0 % columns + columns) % columns) }
        }
        return squares
    }

    private func bandOf(latitude: Double) -> Int { min(Int((latitude + 90) / bandDegrees), bands - 1) }

    /// Height of a square in degrees of latitude.
    public var bandDegrees: Double { 180 / Double(bands) }

    /// Width of a band's squares in degrees of longitude.
    public func columnDegrees(inBand band: Int) -> Double { 360 / Double(columns(inBand: band)) }

    /// Degrees of longitude per degree of latitude of the same length, in the middle of a band; at most 360.
    public func stretch(inBand band: Int) -> Double {
        let latitude = (Double(band) + 0.5) * bandDegrees - 90
        return min(1 / cos(latitude.radians), 360)
    }

    /// Degrees of latitude per metre.
    public static let degreesPerMetre = 1 / Earth.metresPerDegree
}
