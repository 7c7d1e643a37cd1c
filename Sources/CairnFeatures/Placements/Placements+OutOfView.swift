internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Editing and removing one's own where one does not look. The sender's account decides, not the cell that they name:
/// of a thing that is not theirs they must learn neither that it exists nor whether its cell is awake. The store is
/// asked by id and owner, which is the same work for a stranger's thing as for one that never was, and a cell is woken
/// only for what is the sender's own.
extension Placements {
    /// Has the cell decide in which the sender's own instance lives, if it is the one that they name.
    /// - Parameter row: the answer to `whereabouts(of:ownedBy:)`.
    static func handOver(
        _ request: Request, to row: Row, named token: String, in turn: inout Turn
    ) throws(Refusal) -> Effect {
        let named = try turn.settings.cell(named: token, component: name)
        let cell = try cell(from: row, in: &turn)
        guard cell == named else { throw ObjectTable.absence(movedTo: cell, component: name) }
        return .hand(request, .cell(cell))
    }
}
