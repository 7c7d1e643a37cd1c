internal import CairnCore
internal import CairnGeo
internal import CairnLogging
internal import CairnServer

extension StatsRoom {
    /// Most squares of one answer.
    private static let squaresMax = 400

    /// Counts people by square of the coarsest grid (PRF-8). Whole squares alone: the part of a square in a cell would
    /// be finer than either.
    func countSquares(around cell: CellID, for someone: Operator) throws(StatsRefusal) {
        let grid = LocationGrid(metres: LocationAccuracy.coarsest.gridMetres)
        guard let squares = grid.squares(around: cell, countMax: Self.squaresMax) else {
            throw StatsRefusal(
                .badArgument, "wants a cell that touches at most \(Self.squaresMax) squares, and no pole")
        }
        let wanted = Set(squares)
        whenBusy(someone) { done in
            ask({ $0.people(in: wanted) }) { room, parts in
                let people = parts.compactMap { $0 }.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
                done(room) { someone in
                    room.answer(someone) { line in
                        line.member("cell", cell.token)
                        line.member("metres", Int(grid.metres))
                        line.member("people", people.values.reduce(0, +))
                        line.array("squares") { line in
                            for square in squares {
                                line.element { line in
                                    line.member("people", people[square] ?? 0)
                                    line.outline(of: square, on: grid)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

extension JSONLine {
    /// The corners as [longitude, latitude], not closed.
    fileprivate mutating func outline(of square: LocationGrid.Square, on grid: LocationGrid) {
        array("outline") { line in
            for corner in grid.corners(of: square) {
                line.elements { line in
                    line.element(degrees: corner.longitude)
                    line.element(degrees: corner.latitude)
                }
            }
        }
    }
}
