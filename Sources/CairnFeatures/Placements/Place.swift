internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Places an instance of an object (PLC-1 to PLC-8).
struct Place: Change {
    private let body: WirePlace
    private let pose: PlacedPose

    private static let realmsMax = 16

    init(_ body: WirePlace) throws(Refusal) {
        guard body.realms.count <= Self.realmsMax else {
            throw Placements.refusal(
                .invalidField, "realms: at most \(Self.realmsMax)", details: ["field": "realms"])
        }
        self.body = body
        pose = try PlacedPose(body.pose)
    }

    /// Checks the reach here, so that a request cannot wake cells far away from the sender's position.
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let placements = settings.placements
        try pose.check(placements)
        try Placements.checkGround(of: pose, for: sender, placements)
        guard placements.presets.contains(body.object) else {
            throw Placements.refusal(.objectNotOwned, "\"\(body.object.prefix(64))\" is not in your inventory")
        }
        try Inscription.check(text: body.text, data: body.data, placements)
        return .cell(CellID(pose.coordinate, level: settings.cellLevel))
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let realms = try realms(in: turn)
        if let foreign = realms.first(where: { !Realms.isMember(request.sender, of: $0) }) {
            return [.ask([RealmCandidate.query(of: request.sender.account, in: foreign)], request)]
        }
        let scopes = realms.map { Scope.members(of: .realm($0)) }
        let audience = scopes.first.map { Audience($0, Array(scopes.dropFirst())) } ?? .everyone
        try Placements.checkRoom(for: request.sender.account, in: turn)

        var instance = WireInstance()
        let id = turn.newInstanceID()
        instance.id = turn.name(of: id)
        instance.object = body.object
        instance.placer = turn.name(of: request.sender.account)
        instance.created = turn.now.milliseconds
        instance.version = 1
        instance.pose = body.pose
        instance.text = body.text
        instance.data = body.data
        instance.cell = CellID(pose.coordinate, level: turn.settings.cellLevel).token
        let record = ObjectRecord(
            id: id, owner: request.sender.account, ownerName: request.sender.name, audience: audience,
            coordinate: pose.coordinate, wire: instance)
        turn.objects[id] = record

        var placed = WirePlaced()
        placed.instance = instance
        placed.instance.realms = Placements.realms(of: audience, for: request.sender, in: turn)
        return [
            .write(Placements.insertion(of: record, in: turn.home))
        ] + SharedIn.insertions(of: record).map { .write($0) } + [
            .answer(request, .success(.placed(placed))),
            .count("placements"),
            .publish(.entry(of: record, as: turn.described(record))),
        ]
    }

    /// The sender is not in a sub-realm that they name (PLC-3): `not_member`, also for one that never existed, and
    /// `join_pending` for who waits for its owner's approval (SUB-3).
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        throw turn.refusal(toCandidate: rows[0], otherwise: Placements.refusal(.notMember))
    }

    /// The sub-realms that the sender names.
    /// - Throws: `not_member` for a text that names none.
    private func realms(in turn: Turn) throws(Refusal) -> [RealmID] {
        var realms: [RealmID] = []
        for name in body.realms {
            guard let id = turn.identifier(named: name, RealmTag.self) else { throw Placements.refusal(.notMember) }
            realms.append(id)
        }
        return realms
    }

    /// Leaves out pose, text and data, up to 8 KB: a retry sends them again, so the stored reply need not hold them.
    static func shortened(_ result: Request.Result) -> Request.Result {
        guard case .placed(var placed) = result else { return result }
        // A local copy: each assignment to `placed.instance` would copy the whole instance.
        var instance = placed.instance
        instance.clearPose()
        instance.object = ""
        instance.clearInscription()
        placed.instance = instance
        return .placed(placed)
    }

    func completed(_ result: Request.Result) -> Request.Result {
        guard case .placed(var placed) = result, !placed.instance.hasPose else { return result }
        var instance = placed.instance
        instance.pose = body.pose
        instance.object = body.object
        instance.text = body.text
        instance.data = body.data
        placed.instance = instance
        return .placed(placed)
    }

    func broughtIn(by result: Request.Result) -> WireInstance? {
        guard case .placed(let placed) = result else { return nil }
        return placed.instance
    }
}
