internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Editing and removing one's own where one does not look. The sender's account decides, not the cell that they name:
/// of a thing that is not theirs they must learn neither that it exists nor whether its cell is awake. The store is
/// asked by id and owner, which is the same work for a stranger's thing as for one that never was, and a cell is woken
/// only for what is the sender's own.
extension Placements {
    /// What an edit or a removal names.
    private struct Target {
        let id: InstanceID?
        let cell: CellID

        init(_ request: Request, rules: Rules, in turn: Turn) throws(Refusal) {
            let (name, cell): (String, String)
            if request.kind == .edit {
                let body = try WireBody.decode(WireEdit.self, from: request.payload)
                // First, as in the cell: what is wrong with the request itself says nothing of the thing.
                _ = try PlacedPose(body.pose, rules: rules)
                (name, cell) = (body.instance, body.cell)
            } else {
                let body = try WireBody.decode(WireRemove.self, from: request.payload)
                (name, cell) = (body.instance, body.cell)
            }
            id = turn.instance(named: name)
            self.cell = try rules.cell(named: cell, component: Placements.name)
        }
    }

    /// Asks the store whether what the request names is the sender's own.
    func seek(_ request: Request, in turn: Turn) throws(Refusal) -> [Effect] {
        guard let id = try Target(request, rules: rules, in: turn).id else { throw missing(request) }
        return [.ask(whereabouts(of: id, ownedBy: request.sender.account), request)]
    }

    /// Goes on with what the store said: the cell decides about the sender's own, and nothing else is there.
    func found(
        _ row: Row?, seeking request: Request, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let target = try Target(request, rules: rules, in: turn)
        guard let id = target.id else { throw missing(request) }
        guard let row else {
            // Removing again is answered as success (PLC-11), and so is removing what never was.
            guard request.kind == .remove else { throw ObjectTable.absence(component: Self.name) }
            return [removed(id, answering: request, in: turn)]
        }
        let cell = try cell(from: row, in: &turn)
        guard cell == target.cell else { throw ObjectTable.absence(movedTo: cell, component: Self.name) }
        return [.hand(request, .cell(cell))]
    }

    /// Why a request fails whose id is none.
    private func missing(_ request: Request) -> Refusal {
        request.kind == .edit ? ObjectTable.absence(component: Self.name) : Self.noSuchID
    }

    static let noSuchID = Refusal(
        .invalidField, "instance: no instance has such an id", component: name, details: ["field": "instance"])
}
