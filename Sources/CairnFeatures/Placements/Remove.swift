internal import CairnCore
internal import CairnWire

/// Removes one's own instance (PLC-11).
struct Remove: Change {
    private let body: WireRemove

    init(_ body: WireRemove) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        sender.home(lookingAt: try settings.cell(named: body.cell, component: Placements.name))
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.instance(named: body.instance) else { throw Self.noSuchID }
        let account = request.sender.account
        if case .account = turn.home { return [.ask([Placements.whereabouts(of: id, ownedBy: account)], request)] }
        guard Placements.isHere(id, for: request.sender, in: turn) else {
            guard turn.objects.destination(of: id, ownedBy: account) == nil else {
                throw turn.objects.absence(of: id, for: account, component: Placements.name)
            }
            // It may have moved to another cell too long ago for this cell to remember: only the store knows.
            return [.ask([Placements.whereabouts(of: id, ownedBy: account)], request)]
        }
        let record = try Placements.ownRecord(body.instance, for: request, in: turn)
        turn.objects[id] = nil
        return [
            .write(Placements.deletion(of: id)),
            .answer(request, .success(removed(id, in: turn))),
            .publish(.departure(of: record)),
        ]
    }

    /// Continues with the store's answer about an instance that was not here: it is in another cell, or removed.
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.instance(named: body.instance) else { throw Self.noSuchID }
        if case .account = turn.home {
            if let row = rows[0].first {
                return [try Placements.handOver(request, to: row, named: body.cell, in: &turn)]
            }
        } else {
            guard !Placements.isHere(id, for: request.sender, in: turn),
                turn.objects.destination(of: id, ownedBy: request.sender.account) == nil
            else {
                // It has moved here meanwhile, and may have been removed since.
                return try decide(request, in: &turn)
            }
            if let row = rows[0].first {
                let cell = try Placements.cell(from: row, in: &turn)
                guard .cell(cell) == turn.home else {
                    throw ObjectTable.absence(movedTo: cell, component: Placements.name)
                }
            }
        }
        // Removing again is success (PLC-11), and so is removing an id that never existed. That cannot change later,
        // because no id is used twice.
        return [.answer(request, .unchanged(removed(id, in: turn)))]
    }

    private func removed(_ id: InstanceID, in turn: Turn) -> Request.Result {
        var removed = WireRemoved()
        removed.instance = turn.name(of: id)
        return .removed(removed)
    }

    private static let noSuchID = Refusal(
        .invalidField, "instance: no instance has such an id", component: Placements.name,
        details: ["field": "instance"])
}
