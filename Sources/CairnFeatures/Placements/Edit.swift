internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Moves, turns or resizes one's own instance, or changes its text or data (PLC-9, PLC-10, PLC-16).
struct Edit: Change {
    let body: WireEdit
    private let pose: PlacedPose

    init(_ body: WireEdit) throws(Refusal) {
        self.body = body
        pose = try PlacedPose(body.pose)
    }

    /// Faults of the request itself reveal nothing about the instance, so they are refused before any look-up.
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Placements.name)
        let placements = settings.placements
        try pose.check(placements)
        try Inscription.check(text: body.text, data: body.data, placements)
        return sender.home(lookingAt: cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.instance(named: body.instance) else {
            throw ObjectTable.absence(component: Placements.name)
        }
        guard Placements.isHere(id, for: request.sender, in: turn) else {
            // Only the store knows where it is, and whether this edit has taken it there.
            let account = request.sender.account
            let answer = StoredReply.answer(to: request.key, of: account)
            return [.ask([Placements.whereabouts(of: id, ownedBy: account), answer], request)]
        }
        var record = try Placements.ownRecord(body.instance, for: request, in: turn)
        guard record.wire.version == body.version else {
            throw Placements.refusal(
                .versionConflict, "the instance is at version \(record.wire.version)",
                details: ["version": "\(record.wire.version)"])
        }
        try Placements.checkGround(of: pose, for: request.sender, turn.settings.placements)

        let destination = HomeAddress.cell(CellID(pose.coordinate, level: turn.settings.cellLevel))
        record.coordinate = pose.coordinate
        record.wire.pose = body.pose
        if body.hasText { record.wire.text = body.text }
        if body.hasData { record.wire.data = body.data }
        record.wire.version += 1
        guard destination == turn.home else {
            turn.objects[record.id]?.isMoving = true
            return [.send(destination, InstanceArriving(record: record, request: request, edit: self))]
        }
        turn.objects[record.id] = record

        var changed = WireChanged()
        changed.instance = record.wire.id
        changed.version = record.wire.version
        changed.pose = body.pose
        if body.hasText { changed.text = body.text }
        if body.hasData { changed.data = body.data }
        return [
            .write(Placements.update(of: record, in: turn.home)),
            .answer(request, .success(result(record, for: request.sender, in: turn))),
            .publish(Publication(of: record, .changed(changed), state: turn.described(record))),
        ]
    }

    /// Continues with the store's answer about an instance that was not here.
    ///
    /// A move goes on over a crash, and its client sends the key again meanwhile (decision 0020). If the move ends
    /// between the account's look for a stored reply and now, the instance is gone from here by this very edit: it is
    /// to be sent once more, and then gets the answer of the move (SYN-2).
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard !StoredReply.isAnswered(by: rows[1], in: turn) else { throw StoredReply.answeredMeanwhile }
        let account = request.sender.account
        guard let id = turn.instance(named: body.instance) else {
            throw ObjectTable.absence(component: Placements.name)
        }
        // Out of view, the sender's own instance is handed to its cell; anything else is not found.
        if case .account = turn.home {
            guard let row = rows[0].first else { throw ObjectTable.absence(component: Placements.name) }
            return [try Placements.handOver(request, to: row, named: body.cell, in: &turn)]
        }
        // It may have come here while the store was asked.
        guard !Placements.isHere(id, for: request.sender, in: turn) else { return try decide(request, in: &turn) }
        if turn.objects.destination(of: id, ownedBy: account) == nil, let row = rows[0].first {
            let cell = try Placements.cell(from: row, in: &turn)
            guard .cell(cell) == turn.home else { throw ObjectTable.absence(movedTo: cell, component: Placements.name) }
        }
        throw turn.objects.absence(of: id, for: account, component: Placements.name)
    }

    /// Leaves out text and data that the edit does not name: the sender has them, and the stored reply stays small.
    func result(_ record: ObjectRecord, for sender: Sender, in turn: Turn) -> Request.Result {
        var edited = WireEdited()
        var instance = turn.describedToOwner(record)
        instance.realms = Placements.realms(of: record.audience, for: sender, in: turn)
        if !body.hasText { instance.text = "" }
        if !body.hasData { instance.dataBytes = [] }
        edited.instance = instance
        return .edited(edited)
    }

    /// Shortened like a placement's, because a retry repeats the rest.
    static func shortened(_ result: Request.Result) -> Request.Result {
        guard case .edited(var edited) = result else { return result }
        var instance = edited.instance
        instance.clearPose()
        instance.clearInscription()
        edited.instance = instance
        return .edited(edited)
    }

    func completed(_ result: Request.Result) -> Request.Result {
        guard case .edited(var edited) = result, !edited.instance.hasPose else { return result }
        var instance = edited.instance
        instance.pose = body.pose
        instance.text = body.text
        instance.data = body.data
        edited.instance = instance
        return .edited(edited)
    }

    /// The instance, when the edit has moved it to another cell.
    func broughtIn(by result: Request.Result) -> WireInstance? {
        guard case .edited(let edited) = result, edited.instance.cell != body.cell else { return nil }
        return edited.instance
    }
}
