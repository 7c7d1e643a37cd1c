public import CairnCore
internal import CairnGeo
public import CairnWire

/// Leaving things at places: place, edit, remove, select (PLC-1 to PLC-12, PLC-15, PLC-16, VIS-7).
public struct Placements: Feature {
    public static let name = "placements"
    public static let changes: [MessageKind] = [.place, .edit, .remove]
    public static let questions: [MessageKind] = [.select]
    public static let hears: [any HomeMessage.Type] = [
        InstanceArriving.self, InstanceArrived.self, InstanceTurnedAway.self, InstanceWithdrawal.self,
    ]

    public static let counts: [StaticText] = ["placements"]

    private static let hourMilliseconds: Int64 = 3_600_000

    public var rules: Rules

    public init(rules: Rules) {
        self.rules = rules
    }

    public static func home(for request: Request, rules: Rules) throws(Refusal) -> HomeAddress {
        switch request.kind {
        case .place:
            let pose = try PlacedPose(WireBody.decode(WirePlace.self, from: request.payload).pose, rules: rules)
            // Before the cell is woken: places far away are nobody's to wake.
            try checkGround(of: pose, for: request.sender, rules: rules)
            return .cell(CellID(pose.coordinate, level: rules.cellLevel))
        case .edit:
            let body = try WireBody.decode(WireEdit.self, from: request.payload)
            return request.sender.home(lookingAt: try rules.cell(named: body.cell, component: name))
        case .remove:
            let body = try WireBody.decode(WireRemove.self, from: request.payload)
            return request.sender.home(lookingAt: try rules.cell(named: body.cell, component: name))
        default:
            let body = try WireBody.decode(WireSelect.self, from: request.payload)
            let cell = try rules.cell(named: body.cell, component: name)
            try request.sender.checkView(of: cell, component: name)
            return .cell(cell)
        }
    }

    public mutating func receive(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        if case .account = turn.home { return try seek(request, in: turn) }
        return switch request.kind {
        case .place: try place(request, in: &turn)
        case .edit: try edit(request, in: &turn)
        case .remove: try remove(request, in: &turn)
        default: try select(request, in: turn)
        }
    }

    public mutating func hear(_ message: any HomeMessage, in turn: inout Turn) -> [Effect] {
        switch message {
        case let message as InstanceArriving: arrive(message, in: &turn)
        case let message as InstanceArrived: leave(message, in: &turn)
        case let message as InstanceTurnedAway: stay(message, in: &turn)
        case let message as InstanceWithdrawal: withdraw(message, in: &turn)
        default: []
        }
    }

    // MARK: Place

    private func place(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let body = try WireBody.decode(WirePlace.self, from: request.payload)
        let pose = try PlacedPose(body.pose, rules: rules)
        guard rules.presets.contains(body.object) else {
            throw refusal(.objectNotOwned, "\"\(body.object.prefix(64))\" is not in your inventory")
        }
        try Inscription.check(text: body.text, data: body.data, rules: rules)
        try checkRoom(for: request.sender.account, in: turn)

        var instance = WireInstance()
        let id = turn.newInstanceID()
        instance.id = turn.name(of: id)
        instance.object = body.object
        instance.placer = turn.name(of: request.sender.account)
        instance.created = turn.now
        instance.version = 1
        instance.pose = body.pose
        instance.text = body.text
        instance.data = body.data
        instance.cell = CellID(pose.coordinate, level: rules.cellLevel).token
        let record = ObjectRecord(
            id: id, owner: request.sender.account, ownerName: request.sender.name, scope: .everyone,
            coordinate: pose.coordinate, wire: instance)
        turn.objects[id] = record

        var placed = WirePlaced()
        placed.instance = instance
        var entered = WireEntered()
        entered.instance = record.described(reactionNames: rules.reactions)
        return [
            .write(insertion(of: record, in: turn.home)),
            .write(PlacementAllowance.entry(account: record.owner, at: turn.lasting)),
            .answer(request, .success(.placed(placed))),
            .count("placements"),
            .publish(Publication(scope: record.scope, change: .entered(entered), object: id, state: entered.instance)),
        ]
    }

    // MARK: Edit

    private func edit(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let body = try WireBody.decode(WireEdit.self, from: request.payload)
        let pose = try PlacedPose(body.pose, rules: rules)
        try Inscription.check(text: body.text, data: body.data, rules: rules)
        var record = try ownRecord(body.instance, for: request, in: turn)
        guard record.wire.version == body.version else {
            throw refusal(
                .versionConflict, "the instance is at version \(record.wire.version)",
                details: ["version": "\(record.wire.version)"])
        }
        try Self.checkGround(of: pose, for: request.sender, rules: rules)

        let destination = HomeAddress.cell(CellID(pose.coordinate, level: rules.cellLevel))
        record.coordinate = pose.coordinate
        record.wire.pose = body.pose
        if body.hasText { record.wire.text = body.text }
        if body.hasData { record.wire.data = body.data }
        record.wire.version += 1
        guard destination == turn.home else {
            turn.objects[record.id]?.isMoving = true
            return [.tell(destination, InstanceArriving(record: record, from: turn.home, request: request, edit: body))]
        }
        turn.objects[record.id] = record

        var changed = WireChanged()
        changed.instance = record.wire.id
        changed.version = record.wire.version
        changed.pose = body.pose
        if body.hasText { changed.text = body.text }
        if body.hasData { changed.data = body.data }
        let state = record.described(reactionNames: rules.reactions)
        return [
            .write(update(of: record, in: turn.home)),
            .answer(request, .success(edited(record, by: body))),
            .publish(Publication(scope: record.scope, change: .changed(changed), object: record.id, state: state)),
        ]
    }

    /// The new cell decides about an instance that is being moved there (PLC-10).
    private func arrive(_ message: InstanceArriving, in turn: inout Turn) -> [Effect] {
        guard case .cell(let cell) = turn.home else { return [] }
        do {
            try checkRoom(for: message.record.owner, in: turn)
        } catch {
            return [
                .tell(message.from, InstanceTurnedAway(id: message.record.id)),
                .answer(message.request, .refusal(error)),
            ]
        }
        var record = message.record
        record.isMoving = false
        record.wire.cell = cell.token
        turn.objects[record.id] = record
        turn.objects.forgetDeparture(of: record.id)
        let state = record.described(reactionNames: rules.reactions)
        var entered = WireEntered()
        entered.instance = state
        return [
            .write(update(of: record, in: turn.home)),
            .publish(Publication(scope: record.scope, change: .entered(entered), object: record.id, state: state)),
            .tell(message.from, InstanceArrived(id: record.id, version: record.wire.version, cell: cell)),
            .answer(message.request, .success(edited(record, by: message.edit))),
        ]
    }

    /// The old cell lets go of an instance that its new cell has kept. It does not say where that is: a view that holds
    /// both cells was told by the new one before, and to any other it would tell where somebody carries a thing.
    private func leave(_ message: InstanceArrived, in turn: inout Turn) -> [Effect] {
        guard let record = turn.objects[message.id] else { return [] }
        turn.objects.depart(message.id, to: message.cell)
        var moved = WireMovedOut()
        moved.instance = record.wire.id
        moved.version = message.version
        return [.publish(Publication(scope: record.scope, change: .movedOut(moved), object: message.id, state: nil))]
    }

    private func stay(_ message: InstanceTurnedAway, in turn: inout Turn) -> [Effect] {
        turn.objects[message.id]?.isMoving = false
        return []
    }

    // MARK: Remove and select

    private func remove(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let body = try WireBody.decode(WireRemove.self, from: request.payload)
        guard let id = turn.instance(named: body.instance) else { throw Self.noSuchID }
        guard turn.objects[id] != nil else {
            let account = request.sender.account
            guard turn.objects.destination(of: id, ownedBy: account) == nil else {
                throw turn.objects.absence(of: id, for: account, component: Self.name)
            }
            // It may have moved away longer ago than this cell remembers: only the store knows that it is gone.
            return [.ask(whereabouts(of: id, ownedBy: request.sender.account), request)]
        }
        let record = try ownRecord(body.instance, for: request, in: turn)
        turn.objects[id] = nil
        var left = WireLeft()
        left.instance = record.wire.id
        return [
            .write(deletion(of: id)),
            removed(id, answering: request, in: turn),
            .publish(Publication(scope: record.scope, change: .left(left), object: id, state: nil)),
        ]
    }

    /// Goes on with removing what was not here: it lives in another cell, or it is gone.
    public mutating func resume(
        _ request: Request, rows: [Row], in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        if case .account = turn.home { return try found(rows.first, seeking: request, in: &turn) }
        let body = try WireBody.decode(WireRemove.self, from: request.payload)
        guard let id = turn.instance(named: body.instance), turn.objects[id] == nil,
            turn.objects.destination(of: id, ownedBy: request.sender.account) == nil
        else {
            // It has come here meanwhile, or come and gone.
            return try remove(request, in: &turn)
        }
        if let row = rows.first {
            let cell = try cell(from: row, in: &turn)
            guard .cell(cell) == turn.home else { throw ObjectTable.absence(movedTo: cell, component: Self.name) }
        }
        // Removing again is answered as success (PLC-11).
        return [removed(id, answering: request, in: turn)]
    }

    func removed(_ id: InstanceID, answering request: Request, in turn: Turn) -> Effect {
        var removed = WireRemoved()
        removed.instance = turn.name(of: id)
        return .answer(request, .success(.removed(removed)))
    }

    private func select(_ request: Request, in turn: Turn) throws(Refusal) -> [Effect] {
        let body = try WireBody.decode(WireSelect.self, from: request.payload)
        let id = turn.instance(named: body.instance)
        guard let id, let record = turn.objects.kept(id) else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Self.name)
        }
        let isOwn = record.owner == request.sender.account
        var selected = WireSelected()
        if isOwn {
            selected.instance = record.describedToOwner(reactionNames: rules.reactions)
        } else {
            selected.instance = record.described(reactionNames: rules.reactions)
            // As a person asks, not as a clock that two things could be matched by.
            selected.instance.created = record.wire.created - record.wire.created % Self.hourMilliseconds
        }
        selected.placerName = record.ownerName
        if let own = record.reactions[request.sender.account], Int(own) < rules.reactions.count {
            selected.ownReaction = rules.reactions[Int(own)]
        }
        selected.actions = rules.openActions + (isOwn ? [MessageKind.edit.name, MessageKind.remove.name] : [])
        return [.answer(request, .success(.selected(selected)))]
    }

    // MARK: Rules

    /// Whether somebody may leave things there at all: within their reach (PLC-5), in no restricted area (PLC-15).
    private static func checkGround(of pose: PlacedPose, for sender: Sender, rules: Rules) throws(Refusal) {
        guard let position = sender.position else {
            throw Refusal(.positionRequired, "send a position first", component: name)
        }
        let distance = try distanceMetres(from: position, to: pose)
        guard distance <= rules.reachMetres else {
            throw Refusal(
                .tooFar, "\(Int(distance.rounded(.up))) m away, the reach is \(Int(rules.reachMetres)) m",
                component: name,
                details: ["distance": "\(Int(distance.rounded(.up)))", "limit": "\(Int(rules.reachMetres))"])
        }
        guard !rules.restrictedAreas.contains(where: { $0.contains(pose.coordinate) }) else {
            throw Refusal(.restrictedArea, component: name)
        }
    }

    /// Through the air, height included. Whoever does not know how high they are may place at any height that ground
    /// can have, and is then as high as the thing.
    private static func distanceMetres(from position: GeoPoint, to pose: PlacedPose) throws(Refusal) -> Double {
        let across = position.coordinate.distanceMetres(to: pose.coordinate)
        guard let altitude = position.altitudeMetres else {
            guard groundMetres.contains(pose.heightMetres) else {
                throw Refusal(
                    .tooFar,
                    "without the height of your position h is \(Int(groundMetres.lowerBound)) to "
                        + "\(Int(groundMetres.upperBound)) m",
                    component: name, details: ["field": "h"])
            }
            return across
        }
        let up = pose.heightMetres - altitude
        return (across * across + up * up).squareRoot()
    }

    /// Where people stand, above the ellipsoid: from the shore of the Dead Sea to the top of Everest, with some room.
    private static let groundMetres = -500.0...9_000.0

    private func checkRoom(for account: AccountID, in turn: Turn) throws(Refusal) {
        let own = turn.objects.liveCount(of: account)
        guard own < rules.areaQuota else {
            throw refusal(
                .quotaArea, "\(own) of your instances are in this cell, the limit is \(rules.areaQuota)",
                details: ["count": "\(own)", "limit": "\(rules.areaQuota)"])
        }
        guard turn.objects.count < rules.instancesPerCellMax else {
            throw refusal(
                .cellFull, "the cell holds \(turn.objects.count) instances",
                details: ["limit": "\(rules.instancesPerCellMax)"])
        }
    }

    private func ownRecord(_ name: String, for request: Request, in turn: Turn) throws(Refusal) -> ObjectRecord {
        let id = turn.instance(named: name)
        guard let id, let record = turn.objects[id] else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Self.name)
        }
        guard record.owner == request.sender.account else {
            throw refusal(.forbidden, "only the placer may change an instance")
        }
        guard !record.isMoving else {
            throw refusal(.tryAgain, "the instance is on its way to another cell", wait: .milliseconds(50))
        }
        return record
    }

    /// Leaves out the words and data that the edit did not name: who sent it holds them, and no stored reply has to
    /// repeat them.
    private func edited(_ record: ObjectRecord, by edit: WireEdit) -> Request.Result {
        var edited = WireEdited()
        edited.instance = record.describedToOwner(reactionNames: rules.reactions)
        if !edit.hasText { edited.instance.text = "" }
        if !edit.hasData { edited.instance.dataBytes = [] }
        return .edited(edited)
    }

    private func refusal(
        _ code: Refusal.Code, _ message: String, wait: Duration? = nil, details: [String: String] = [:]
    ) -> Refusal {
        Refusal(code, message, component: Self.name, retryAfter: wait, details: details)
    }
}

/// An edited instance asks its new cell for a place.
struct InstanceArriving: HomeMessage {
    let record: ObjectRecord
    let from: HomeAddress
    let request: Request
    let edit: WireEdit

    /// Without it the old cell would hold on to the instance for ever, and its owner would never be answered.
    var ifNotHeard: [Effect]? {
        let refusal = Refusal(
            .tryAgain, "the other cell cannot take the instance now", component: Placements.name,
            retryAfter: .seconds(1))
        return [.tell(from, InstanceTurnedAway(id: record.id)), .answer(request, .refusal(refusal))]
    }
}

/// The new cell has it, on disk.
struct InstanceArrived: HomeMessage {
    let id: InstanceID
    let version: UInt32
    let cell: CellID
}

/// The new cell has no place for it.
struct InstanceTurnedAway: HomeMessage {
    let id: InstanceID
}
