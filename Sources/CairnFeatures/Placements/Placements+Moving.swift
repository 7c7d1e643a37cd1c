internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// An edited instance asks its new cell for a place (PLC-10).
struct InstanceArriving: HomeMessage {
    let record: ObjectRecord
    let from: HomeAddress
    let request: Request
    let edit: Edit

    /// Without it the old cell would hold on to the instance for ever, and its owner would never be answered.
    var ifNotHeard: [Effect]? {
        let refusal = Refusal(
            .tryAgain, "the other cell cannot take the instance now", component: Placements.name,
            retryAfter: .seconds(1))
        return [.tell(from, InstanceTurnedAway(id: record.id)), .answer(request, .refusal(refusal))]
    }

    /// The new cell decides.
    func heard(in turn: inout Turn) -> [Effect] {
        guard case .cell(let cell) = turn.home else { return [] }
        do {
            try Placements.checkRoom(for: record.owner, in: turn)
        } catch {
            return [.tell(from, InstanceTurnedAway(id: record.id)), .answer(request, .refusal(error))]
        }
        var record = record
        record.isMoving = false
        record.wire.cell = cell.token
        turn.objects[record.id] = record
        turn.objects.forgetDeparture(of: record.id)
        return [
            .write(Placements.update(of: record, in: turn.home)),
            .publish(.entry(of: record, as: turn.described(record))),
            .tell(from, InstanceArrived(id: record.id, version: record.wire.version, cell: cell)),
            .answer(request, .success(edit.result(record, in: turn))),
        ]
    }
}

/// The new cell has it, on disk.
struct InstanceArrived: HomeMessage {
    let id: InstanceID
    let version: UInt32
    let cell: CellID

    /// The old cell lets go of it. It does not say where the instance is: a view that holds both cells was told by the
    /// new one before, and to any other it would tell where somebody carries a thing.
    func heard(in turn: inout Turn) -> [Effect] {
        guard let record = turn.objects[id] else { return [] }
        turn.objects.depart(id, to: cell)
        var moved = WireMovedOut()
        moved.instance = record.wire.id
        moved.version = version
        return [.publish(Publication(audience: record.audience, change: .movedOut(moved), object: id, state: nil))]
    }
}

/// The new cell has no place for it.
struct InstanceTurnedAway: HomeMessage {
    let id: InstanceID

    func heard(in turn: inout Turn) -> [Effect] {
        turn.objects[id]?.isMoving = false
        return []
    }
}
