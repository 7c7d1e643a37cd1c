import CS2

/// The most cells that one disc may touch. More is no view but a mistake: ask on a coarser level.
public let cellsTouchingMax = 100_000

/// The cells of a level that a disc touches, ascending by id: exactly those whose ``CellID/distanceMetres(to:)`` from
/// the centre is `radiusMetres` or less, so the centre's own cell is always among them.
///
/// None for a radius that is negative or NaN. Traps if `level` is not in ``CellID/levels`` or if there are more than
/// ``cellsTouchingMax``: bound the radius before it comes here (VIS-1: 100 m, on level 16 some 10 cells).
public func cells(touching centre: Coordinate, radiusMetres: Double, level: Int) -> [CellID] {
    precondition(CellID.levels.contains(level), "cells(touching:): level \(level) is not in 0...30")
    guard radiusMetres >= 0 else { return [] }
    // Cells are nowhere narrower than this (S2's kMinWidth), so a row across the disc has no more than `across`.
    let narrowest = Earth.radiusMetres * 2 * 2.0.squareRoot() / 3 / Double(UInt64(1) << UInt64(level))
    let across = min(2 * radiusMetres / narrowest + 2, 1000)
    let found = covering(level: level, limit: cellsTouchingMax, expected: Int(across * across)) { cells, capacity in
        cs2_cells_touching_disc(centre.latitude, centre.longitude, radiusMetres, Int32(level), cells, capacity)
    }
    guard let found else {
        preconditionFailure("cells(touching:): over \(cellsTouchingMax) cells at level \(level) in \(radiusMetres) m")
    }
    return found
}

/// Runs a covering of `CS2`, at first with room for `expected` cells, then if need be for `limit`. `nil` past that.
func covering(
    level: Int, limit: Int, expected: Int, _ cover: (UnsafeMutablePointer<UInt64>?, Int) -> Int
) -> [CellID]? {
    precondition(CellID.levels.contains(level), "cells(level:): level \(level) is not in 0...30")
    guard limit > 0 else { return nil }
    var capacity = min(max(expected, 1), limit)
    while true {
        var isComplete = false
        let cells = [CellID](unsafeUninitializedCapacity: capacity) { cells, count in
            let found = cells.withRawValues { cover($0, capacity) }
            isComplete = found <= capacity
            count = min(found, capacity)
        }
        if isComplete { return cells }
        if capacity == limit { return nil }
        capacity = limit
    }
}
