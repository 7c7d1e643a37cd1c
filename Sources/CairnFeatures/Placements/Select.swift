internal import CairnCore
internal import CairnWire

/// Asks for an instance's details (VIS-7).
struct Select: Question {
    static let kind = MessageKind(field: 23, name: "select")

    private let body: WireSelect
    private static let hourMilliseconds: Int64 = 3_600_000

    init(_ body: WireSelect) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Placements.name)
        try sender.checkView(of: cell, component: Placements.name)
        return .cell(cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let record = try record(for: request, in: turn)
        // Friends may see the name: the store knows who is one.
        if record.owner != request.sender.account,
            turn.names.privacy(of: record.owner).interactions == .friends
        {
            return [.ask([Relation.query(request.sender.account, record.owner)], request)]
        }
        return [answer(request, record, areFriends: false, in: turn)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let record = try record(for: request, in: turn)
        let relation = turn.relation(in: rows[0], request.sender.account, record.owner)
        return [answer(request, record, areFriends: relation.areFriends, in: turn)]
    }

    private func record(for request: Request, in turn: Turn) throws(Refusal) -> ObjectRecord {
        let id = turn.instance(named: body.instance)
        guard let record = turn.objects.kept(id, .object), record.isSeen(by: request.sender) else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Placements.name)
        }
        return record
    }

    private func answer(_ request: Request, _ record: ObjectRecord, areFriends: Bool, in turn: Turn) -> Effect {
        let account = request.sender.account
        let isOwn = record.owner == account
        var selected = WireSelected()
        if isOwn {
            selected.instance = turn.describedToOwner(record)
            selected.instance.realms = Placements.realms(of: record.audience, for: request.sender, in: turn)
        } else {
            selected.instance = turn.described(record)
            // The hour only: the exact time could link instances of one person to each other.
            selected.instance.created = record.wire.created - record.wire.created % Self.hourMilliseconds
        }
        if isOwn || turn.names.privacy(of: record.owner).interactions.admits(areFriends) {
            selected.placerName = turn.names.people.name(of: record.owner) ?? ""
        }
        turn.describe(record, to: account, into: &selected)
        if isOwn { selected.actions += [Edit.kind.name, Remove.kind.name] }
        return .answer(request, .success(.selected(selected)))
    }
}
