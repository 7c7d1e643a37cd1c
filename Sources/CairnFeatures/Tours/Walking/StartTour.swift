internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Begins a run on the version of a tour that is offered now (TRT-1, TRT-5).
///
/// It passes two homes. The walker's account lets one request at a time through, and asks the store whether there is a
/// run, then for the tour and a purchase: versions are large, and for somebody who is on a tour none is read but that
/// one, to see whether it can be walked. The run's own home then begins it.
struct StartTour: Change {
    static let kind = MessageKind(field: 170, name: "start_tour")
    static let senders: [Role] = [.general]

    private let tour: String

    init(_ body: WireStartTour) { tour = body.tour }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (offered, account) = (try offered(in: turn), request.sender.account)
        guard case .account = turn.home else { return [question(of: account, offered, request)] }
        try checkNoRun([], in: turn)
        return [.ask([RunFacts.query(of: account), GroupMember.query(of: account)], request)]
    }

    private func question(of account: AccountID, _ offered: OfferedTour, _ request: Request) -> Effect {
        .ask(
            [
                RunFacts.query(of: account), PublishedTour.query(offered.id, offered.version),
                TourPurchases.query(of: account, offered.id), GroupMember.query(of: account),
                PublishedTour.query(walkedBy: account),
            ], request)
    }

    /// The version on offer: not a draft, nor a tour that was withdrawn.
    private func offered(in turn: Turn) throws(Refusal) -> OfferedTour {
        guard let id = turn.identifier(named: tour, TourTag.self), let offered = turn.names.tours.index.tour(id) else {
            throw Self.absent
        }
        return offered
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        let offered = try offered(in: turn)
        guard rows.count == Self.answersOfAll else {
            return try resumeWithoutVersion(request, offered, rows: rows, in: &turn)
        }
        let unreadable = unreadableRun(rows[0], walking: rows[4], in: &turn)
        if case .account = turn.home { try checkNoRun((unreadable == nil ? rows[0] : []) + rows[3], in: turn) }
        let versions = turn.read(rows[1], of: PublishedTour.table, PublishedTour.init(stored:))
        guard let version = versions.first, !version.content.stops.isEmpty else { throw Self.absent }
        try TourPurchases.check(version, rows[2], in: &turn)
        switch turn.home {
        case .account:
            let new: SpaceID = turn.newIdentifier()
            turn.noteRunUnderWay(of: account, in: new)
            return [.hand(request, .space(new))]
        case .space(let id):
            let end: [Effect] =
                unreadable.map { former in
                    [
                        .write(RunFacts.deletion(of: former, by: account)),
                        .expel(account, from: .members(of: .space(former))),
                    ]
                } ?? []
            return end + begin(request, turn.shared(version), id, in: &turn)
        case .cell, .realm, .tour:
            throw Self.absent
        }
    }

    /// The answers to `question`.
    private static let answersOfAll = 5

    /// There may be a run. The run's row and the group's; then the version that is walked as well.
    private func resumeWithoutVersion(
        _ request: Request, _ offered: OfferedTour, rows: [[Row]], in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        try checkNoRun(rows[1], in: turn)
        guard let row = rows[0].first else { return [question(of: account, offered, request)] }
        guard rows.count > 2 else {
            let queries = [
                RunFacts.query(of: account), GroupMember.query(of: account), PublishedTour.query(walkedBy: account),
            ]
            return [.ask(queries, request)]
        }
        guard unreadableRun(rows[0], walking: rows[2], in: &turn) == nil, let id = try? row.integer(0) else {
            return [question(of: account, offered, request)]
        }
        // For a while nothing more is read for it.
        turn.noteRunUnderWay(of: account, in: SpaceID(rawValue: UInt64(bitPattern: id)))
        return [.answer(request, .refusal(Runs.refusal(.tourInProgress)))]
    }

    /// A run of the account that cannot be walked, because it is damaged or its version is: another one takes its
    /// place. It is known by what is not sealed.
    private func unreadableRun(_ rows: [Row], walking versions: [Row], in turn: inout Turn) -> SpaceID? {
        guard let row = rows.first, let id = try? row.integer(0) else { return nil }
        let runs = turn.read(rows, of: RunFacts.table, RunFacts.init(stored:))
        let walked = turn.read(versions, of: PublishedTour.table, PublishedTour.init(stored:))
        return runs.isEmpty || walked.isEmpty ? SpaceID(rawValue: UInt64(bitPattern: id)) : nil
    }

    /// A run that was noted a while ago is in the store, or it has ended.
    private func checkNoRun(_ rows: [Row], in turn: Turn) throws(Refusal) {
        guard rows.isEmpty, !turn.hasJustBegunRun else { throw Runs.refusal(.tourInProgress) }
    }

    private func begin(
        _ request: Request, _ version: PublishedTour, _ id: SpaceID, in turn: inout Turn
    ) -> [Effect] {
        let account = request.sender.account
        var facts = RunFacts(
            id: id, account: account, tour: version.tour, version: version.version, started: turn.lasting,
            stops: version.content.stops.count, active: turn.lasting)
        facts.place = request.sender.position.map { RunFacts.Place(coordinate: $0.coordinate, at: turn.lasting) }
        facts.isPlaceOfBefore = facts.place != nil
        let run = Run(facts: facts, version: version)
        turn.keep(run)
        return [
            .write(facts.insertion), .admit(account, to: .members(of: turn.home)),
            .wake(at: turn.lasting + turn.settings.runs.idle, RunIdle()), .count("tours_started"),
            .note(.step(.begun, 0)), .tell(.tour(facts.tour), FellowsMoved()),
            .answer(request, .success(.run(run.wire(in: turn)))),
        ]
    }

    private static let absent = Runs.refusal(.notFound)
}
