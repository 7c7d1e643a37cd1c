import CS2

/// Where a cell is. Distances are metres on S2's sphere (``Coordinate/distanceMetres(to:)``).
extension CellID {
    /// The cell of a level that owns the coordinate: one and only one does, also on edges, at the poles and at the
    /// antimeridian (design.md, invariant 8). Traps if `level` is not in ``levels``.
    public init(_ coordinate: Coordinate, level: Int) {
        precondition(Self.levels.contains(level), "CellID: level \(level) is not in 0...30")
        self.init(trusted: cs2_cell_at(coordinate.latitude, coordinate.longitude, Int32(level)))
    }

    /// Whether this is the cell that owns the coordinate, so that of the cells of a level just one contains it. A
    /// place on the edge has ``distanceMetres(to:)`` 0 to the cells on both sides.
    public func contains(_ coordinate: Coordinate) -> Bool { CellID(coordinate, level: level) == self }

    /// The cells of the same level that share an edge or a corner with this one, ascending: 8, or 7 at the eight
    /// corners of S2's cube (4 on level 0).
    public var neighbours: [CellID] {
        [CellID](unsafeUninitializedCapacity: 8) { cells, count in
            count = cells.withRawValues { cs2_cell_neighbours(rawValue, $0) }
        }
    }

    /// Where the cell divides into its four children.
    public var centre: Coordinate {
        var pair = (0.0, 0.0)
        withUnsafeMutableBytes(of: &pair) { cs2_cell_centre(rawValue, $0.bindMemory(to: Double.self).baseAddress) }
        return Coordinate(clampingLatitude: pair.0, longitude: pair.1)
    }

    /// The four corners, counter-clockwise. The edges between them are geodesics.
    public var vertices: [Coordinate] {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 8) { out in
            cs2_cell_vertices(rawValue, out.baseAddress)
            return (0..<4).map { Coordinate(clampingLatitude: out[2 * $0], longitude: out[2 * $0 + 1]) }
        }
    }

    /// Metres from the coordinate to the nearest point of the cell: 0 inside, on the edge, and within 0.1 micrometre of
    /// it, where rounding could not tell: a place is at exactly 0 from the cell that owns it.
    public func distanceMetres(to coordinate: Coordinate) -> Double {
        cs2_cell_distance(rawValue, coordinate.latitude, coordinate.longitude)
    }
}

extension UnsafeMutableBufferPointer<CellID> {
    /// Lends the buffer to C, which writes valid ids.
    func withRawValues(_ body: (UnsafeMutablePointer<UInt64>?) -> Int) -> Int {
        // Sound because a CellID is one UInt64 and nothing else (tested).
        withMemoryRebound(to: UInt64.self) { body($0.baseAddress) }
    }
}
