internal import CairnCore
internal import CairnWire

/// Asks for an instance's details (VIS-7).
struct Select: Question {
    static let senders = Role.onlookers

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
        guard !request.sender.isGuest else { return [answerToGuest(request, record, in: turn)] }
        let realms = TakeOut.realms(with: record, for: request.sender, in: turn)
        guard realms.isEmpty, let placerName = turn.shownName(of: record.owner, to: request.sender.account) else {
            let relation = Relation.query(request.sender.account, record.owner)
            return [.ask([relation] + (realms.isEmpty ? [] : [RealmFacts.query(realms)]), request)]
        }
        return [answer(request, record, placerName, isOfOwner: false, in: turn)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let record = try record(for: request, in: turn)
        let relation = turn.relation(in: rows[0], request.sender.account, record.owner)
        let placerName = turn.shownName(
            of: record.owner, to: request.sender.account, areFriends: relation.areFriends)
        let isOfOwner = TakeOut.isOpen(to: request.sender, on: record, realms: rows.dropFirst().first ?? [], in: &turn)
        return [answer(request, record, placerName ?? "", isOfOwner: isOfOwner, in: turn)]
    }

    private func record(for request: Request, in turn: Turn) throws(Refusal) -> ObjectRecord {
        let id = turn.instance(named: body.instance)
        guard let record = turn.objects.kept(id, .object), turn.shows(record, to: request.sender)
        else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Placements.name)
        }
        return record
    }

    /// A guest has done nothing to the instance and may do nothing, and nobody is named (SES-14).
    private func answerToGuest(_ request: Request, _ record: ObjectRecord, in turn: Turn) -> Effect {
        var selected = WireSelected()
        selected.instance = turn.describedToGuests(record)
        selected.instance.created = hour(of: record)
        return .answer(request, .success(.selected(selected)))
    }

    /// The hour only: the exact time could link instances of one person to each other.
    private func hour(of record: ObjectRecord) -> Int64 {
        record.wire.created - record.wire.created % Self.hourMilliseconds
    }

    /// - Parameter isOfOwner: whether it is shared in a sub-realm of the sender.
    private func answer(
        _ request: Request, _ record: ObjectRecord, _ placerName: String, isOfOwner: Bool, in turn: Turn
    ) -> Effect {
        let account = request.sender.account
        let isOwn = record.owner == account
        var selected = WireSelected()
        if isOwn {
            selected.instance = turn.describedToOwner(record)
            selected.instance.realms = Placements.realms(of: record.audience, for: request.sender, in: turn)
        } else {
            selected.instance = turn.described(record)
            selected.instance.created = hour(of: record)
        }
        selected.placerName = placerName
        turn.describe(record, to: account, into: &selected)
        if isOwn { selected.actions += [Edit.kind.name, Remove.kind.name] }
        if isOfOwner { selected.actions.append(TakeOut.kind.name) }
        return .answer(request, .success(.selected(selected)))
    }
}
