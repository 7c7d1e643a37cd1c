public import CairnGeo
public import CairnWire

/// The place that others learn of a person who shares a square of the grid and nothing finer (PRF-8): the middle of the
/// square that is held for the person.
///
/// The square is the person's own at first. It is held until the person is beyond one of its edges by that edge's
/// margin; then the square they are in is held. Without the margin the moment of a change would be the moment at which
/// the person is on the edge. The two axes change apart, so a change of one tells nothing about the other.
/// Decision 0029 says what can still be learned, and what was tried besides.
public struct CoarsePlace: Sendable {
    /// What others learn.
    public private(set) var middle: Coordinate
    /// The cell of the middle.
    public private(set) var cell: CellID
    private let gridMetres: Double
    // The square, and how far from the middle it is held, in degrees. Narrow, because every connection has one of
    // these: a grid of a metre has 20 million bands and 40 million columns, and single precision is a millionth of a
    // margin.
    private var band: Int32
    private var column: Int32
    private var northward: Float = 0
    private var southward: Float = 0
    private var eastward: Float = 0
    private var westward: Float = 0
    /// Degrees of longitude per degree of latitude of the same length.
    private var stretch: Float = 1
    private let level: UInt8

    /// A fix whose stated error is e metres holds the square for this many e beyond the margin: otherwise a standing
    /// person would be told by a fix that wanders.
    private static let errorsHeld = 3.0
    /// At most this many grids.
    private static let errorGridsMax = 5.0

    /// The place of a person of whom nothing is held: the square that they are in.
    /// - Parameter level: of cells.
    public init(
        of account: AccountID, at place: Coordinate, gridMetres: Double, level: Int, margins: EdgeMargins
    ) {
        let grid = LocationGrid(metres: gridMetres)
        self.init(holding: grid.square(of: place), for: account, gridMetres: gridMetres, level: level, margins: margins)
    }

    /// The place of a person for whom a square was held before.
    public init(
        holding square: LocationGrid.Square, for account: AccountID, gridMetres: Double, level: Int,
        margins: EdgeMargins
    ) {
        let grid = LocationGrid(metres: gridMetres)
        self.gridMetres = grid.metres
        self.level = UInt8(level)
        (band, column) = (Int32(square.band), Int32(square.column))
        middle = grid.middle(of: square)
        cell = CellID(middle, level: level)
        look(account, margins)
    }

    private var grid: LocationGrid { LocationGrid(metres: gridMetres) }
    public var square: LocationGrid.Square { LocationGrid.Square(band: Int(band), column: Int(column)) }

    /// Whether the square is held while the person is at a place.
    /// - Parameter errorMetres: the stated error of the fix; nil = unknown, which holds nothing further.
    public func holds(_ place: Coordinate, errorMetres: Float?) -> Bool {
        let slack = slackDegrees(errorMetres)
        return isWithinBand(place, slack) && isWithinColumn(place, slack)
    }

    /// Goes with the person.
    /// - Returns: whether another square is held now.
    public mutating func follow(
        _ account: AccountID, to place: Coordinate, errorMetres: Float?, margins: EdgeMargins
    ) -> Bool {
        let slack = slackDegrees(errorMetres)
        let (isWithinBand, isWithinColumn) = (isWithinBand(place, slack), isWithinColumn(place, slack))
        if isWithinBand, isWithinColumn { return false }
        let (grid, square) = (grid, square)
        let band = isWithinBand ? square.band : grid.band(of: place)
        let staysInColumn = isWithinColumn && grid.columns(inBand: band) == grid.columns(inBand: square.band)
        let column = staysInColumn ? square.column : grid.column(of: place, inBand: band)
        (self.band, self.column) = (Int32(band), Int32(column))
        middle = grid.middle(of: self.square)
        cell = CellID(middle, level: Int(level))
        look(account, margins)
        return true
    }

    private func slackDegrees(_ errorMetres: Float?) -> Double {
        guard let errorMetres else { return 0 }
        return min(Double(errorMetres) * Self.errorsHeld, gridMetres * Self.errorGridsMax)
            * LocationGrid.degreesPerMetre
    }

    private func isWithinBand(_ place: Coordinate, _ slack: Double) -> Bool {
        let offset = place.latitude - middle.latitude
        return offset <= Double(northward) + slack && -offset <= Double(southward) + slack
    }

    private func isWithinColumn(_ place: Coordinate, _ slack: Double) -> Bool {
        var offset = place.longitude - middle.longitude
        if offset > 180 { offset -= 360 } else if offset < -180 { offset += 360 }
        let sideways = slack * Double(stretch)
        return offset <= Double(eastward) + sideways && -offset <= Double(westward) + sideways
    }

    /// Looks up the margins of the square's edges.
    private mutating func look(_ account: AccountID, _ margins: EdgeMargins) {
        let (grid, square) = (grid, square)
        func reach(_ side: EdgeMargins.Side, _ line: Int) -> Double {
            0.5 + margins.margin(of: account, gridMetres: gridMetres, side, line: line)
        }
        let (height, width) = (grid.bandDegrees, grid.columnDegrees(inBand: square.band))
        northward = Float(height * reach(.north, square.band + 1))
        southward = Float(height * reach(.south, square.band))
        eastward = Float(width * reach(.east, square.column + 1))
        westward = Float(width * reach(.west, square.column))
        stretch = Float(grid.stretch(inBand: square.band))
    }
}

/// How far beyond an edge of a square a person is when the next square is told: for each person, line of the grid and
/// direction a secret share of the grid.
///
/// It follows from a key and is never drawn again, so nothing can be averaged over walks, days or restarts. It is the
/// same for 16 lines in a row: a walk at an even pace over lines with margins of their own would give their average
/// away. Key and account are all that it depends on; nothing is stored.
public struct EdgeMargins: Sendable {
    /// The direction in which an edge is crossed.
    public enum Side: UInt64, CaseIterable, Sendable { case north, south, east, west }

    /// Margins in grids. The least keeps a standing person's fix from wandering over; what is between least and most
    /// is what the moment of a change leaves open, and with 0.75 the median error of the best guess is 0.35.
    public static let range = 0.25...1.0
    /// Lines in a row that have one margin.
    public static let linesAlike = 16

    private let veil: Veil

    /// - Parameter key: 16 bytes, the same as long as the world exists.
    public init(key: [UInt8]) { veil = Veil(key: key) }

    /// The margin for crossing a line of the grid in one direction, in grids.
    public func margin(of account: AccountID, gridMetres: Double, _ side: Side, line: Int) -> Double {
        // A block cipher over two blocks, each of 63 bits: a pseudo-random function of messages of one length.
        let block = UInt64(line / Self.linesAlike)
        let edge = UInt64(gridMetres) << 36 | side.rawValue << 34 | block
        let bits = Self.unmarked(veil.veiled(Self.unmarked(veil.veiled(Self.unmarked(account.rawValue))) ^ edge))
        let share = Double(bits >> 10) / Double(1 << 53)
        return Self.range.lowerBound + share * (Self.range.upperBound - Self.range.lowerBound)
    }

    private static func unmarked(_ name: UInt64) -> UInt64 { name & ~(1 << 63) }
}
