internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Editing and removing own instances that are out of view. The sender's account decides, not the cell that the
/// request names: about other people's instances the sender must learn neither that they exist nor whether their cell
/// is awake. The store is queried by id and owner, which is the same work for another person's instance as for an
/// unknown id, and a cell is woken only for an instance of the sender's own.
extension Placements {
    /// Hands the request to the cell that holds the sender's own instance, if it is the cell that the request names.
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
