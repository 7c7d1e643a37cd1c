internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Begins a run on the version of a tour that is offered now (TRT-1, TRT-5).
///
/// It passes two homes. The walker's account lets one request at a time through: it asks the store whether there is a
/// run and a purchase, and has the version read, unless somebody walks it or has read it lately. Versions are large: it
/// is read once, as for a look at the tour, and its bytes count. Of somebody who is on a run the version of that is
/// read, to see whether it can be walked. The run's own home then begins the run on what is in memory. A run that is
/// completed is over: it ends with the beginning of the next one.
struct StartTour: Change, TourReader {
    static let senders: [Role] = [.general]

    private let tour: String

    init(_ body: WireStartTour) { tour = body.tour }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (offered, account) = (try offered(in: turn), request.sender.account)
        guard case .account = turn.home else {
            return [question(of: account, offered, request, isKnown: turn.knownVersion(of: offered) != nil)]
        }
        try checkNoRun([], besides: request, in: turn)
        return [.ask(Self.queries(of: account, offered), request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let offered = try offered(in: turn)
        switch turn.home {
        case .account: return try prepare(request, offered, rows: rows, in: &turn)
        case .space(let id): return try begin(request, offered, id, rows: rows, in: &turn)
        case .cell, .realm, .tour: throw Self.absent
        }
    }

    /// The version on offer: not a draft, nor a tour that was withdrawn.
    private func offered(in turn: Turn) throws(Refusal) -> OfferedTour {
        guard let id = turn.identifier(named: tour, TourTag.self), let offered = turn.names.tours.index.tour(id) else {
            throw Self.absent
        }
        return offered
    }

    private static let absent = Runs.refusal(.notFound)

    // MARK: In the walker's account

    /// Whether there is a run, a group that is guided without one, and a purchase.
    private static func queries(of account: AccountID, _ offered: OfferedTour) -> [Query] {
        [
            RunFacts.query(of: account), GroupMember.query(of: account), TourPurchases.query(of: account, offered.id),
        ]
    }

    private func prepare(
        _ request: Request, _ offered: OfferedTour, rows: [[Row]], in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        let run = turn.read(rows[0], of: RunFacts.table, RunFacts.init(stored:)).first
        // Who is in a group by a completed run leaves it with that.
        let isOver = run?.isCompleted == true
        let groups = isOver ? rows[1].filter { (try? $0.integerIfAny(2)) == nil } : rows[1]
        try checkNoRun(groups, besides: request, in: turn)
        // Another one takes the place of a run whose row is damaged, or whose version is.
        if let run, !isOver {
            guard let isWalked = turn.isWalked(run, rows.dropFirst(3).first) else {
                try turn.checkReadings()
                let queries = Self.queries(of: account, offered) + [PublishedTour.query(walkedBy: account)]
                return [.ask(queries, request)]
            }
            guard !isWalked else {
                // For a while nothing more is read for it.
                turn.noteRunUnderWay(of: account, in: run.id)
                throw Runs.refusal(.tourInProgress)
            }
        }
        try TourPurchases.check(offered.id, price: offered.price, rows[2], in: &turn)
        guard let version = turn.knownVersion(of: offered) else { return try turn.read(offered, for: request, .whole) }
        return try handOn(request, version.content, in: &turn)
    }

    /// The version is in memory.
    func proceed(
        _ request: Request, _ read: ReadTour, _ reading: TourReading, _ tour: OfferedTour, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        try handOn(request, read.content, in: &turn)
    }

    private func handOn(
        _ request: Request, _ content: WireTourContent, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        // Another request may have begun a run while the version was read.
        try checkNoRun([], besides: request, in: turn)
        guard !content.stops.isEmpty else { throw Self.absent }
        let new: SpaceID = turn.newIdentifier()
        turn.noteRunUnderWay(of: request.sender.account, in: new, by: request.key)
        return [.hand(request, .space(new))]
    }

    /// A run that was noted a while ago is in the store, or it has ended.
    private func checkNoRun(_ rows: [Row], besides request: Request, in turn: Turn) throws(Refusal) {
        guard rows.isEmpty, !turn.hasJustBegunRun(besides: request) else { throw Runs.refusal(.tourInProgress) }
    }

    // MARK: In the run's home

    /// - Parameter isKnown: whether the version is in memory: nothing is asked for it.
    private func question(
        of account: AccountID, _ offered: OfferedTour, _ request: Request, isKnown: Bool
    ) -> Effect {
        let queries = [
            RunFacts.query(of: account), TourPurchases.query(of: account, offered.id),
            PublishedTour.query(walkedBy: account),
        ]
        return .ask(isKnown ? queries : queries + [PublishedTour.query(offered.id, offered.version)], request)
    }

    private func begin(
        _ request: Request, _ offered: OfferedTour, _ id: SpaceID, rows: [[Row]], in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        let isAsked = rows.count > 3
        let asked = isAsked ? turn.read(rows[3], of: PublishedTour.table, PublishedTour.init(stored:)).first : nil
        guard let version = asked ?? turn.knownVersion(of: offered) else {
            guard !isAsked else { throw Self.absent }
            // It has left the memory meanwhile, or there is a new one.
            return [question(of: account, offered, request, isKnown: false)]
        }
        guard !version.content.stops.isEmpty else { throw Self.absent }
        try TourPurchases.check(version.tour, price: version.content.facts.price, rows[1], in: &turn)
        var end: [Effect] = []
        if let former = formerRun(rows[0], walking: rows[2], in: &turn) {
            end = [
                .write(RunFacts.deletion(of: former, by: account)),
                .expel(account, from: .members(of: .space(former))), .tell(.space(former), RunFollowed()),
            ]
        }
        return end + begin(request, turn.shared(version), id, in: &turn)
    }

    /// A run of the account whose place another one takes: it is completed, or cannot be walked because it or its
    /// version is damaged. It is known by what is not sealed.
    private func formerRun(_ rows: [Row], walking versions: [Row], in turn: inout Turn) -> SpaceID? {
        guard let row = rows.first, let id = try? row.integer(0) else { return nil }
        let runs = turn.read(rows, of: RunFacts.table, RunFacts.init(stored:))
        let walked = turn.read(versions, of: PublishedTour.table, PublishedTour.init(stored:))
        let isWalked = runs.first?.isCompleted == false && !walked.isEmpty
        return isWalked ? nil : SpaceID(rawValue: UInt64(bitPattern: id))
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
}

extension Turn {
    /// Whether the version of a run can be walked; nil = it has to be read.
    /// - Parameter rows: the version as it was read for the account of this home; nil = it was not.
    fileprivate mutating func isWalked(_ run: RunFacts, _ rows: [Row]?) -> Bool? {
        guard let rows else { return knownVersion(run.version, of: run.tour) == nil ? nil : true }
        guard let version = read(rows, of: PublishedTour.table, PublishedTour.init(stored:)).first else { return false }
        noteReading(of: version)
        return true
    }
}
