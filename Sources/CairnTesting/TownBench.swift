public import CairnCore
public import CairnFeatures
public import CairnGeo
public import CairnWire

/// Several homes and accounts that exchange messages: the server without threads, sockets and disk.
///
/// Nothing happens by itself: messages between homes wait for `deliver`, disks for `commit`; `runUntilIdle` does
/// both until there is nothing left to do.
public struct TownBench: Sendable {
    public let settings: Settings
    public let register: FeatureRegister
    public var time: ManualTime
    /// The disk of homes that are made from now on.
    public var disk: HomeBench.Disk
    public private(set) var homes: [HomeAddress: HomeBench] = [:]
    public private(set) var accounts: [AccountID: AccountCore] = [:]
    /// The answers that people have received, in order.
    public private(set) var answers: [(request: Request, answer: Answer)] = []
    /// Requests whose key was answered before: a server reads the stored reply.
    public private(set) var recalls: [Request] = []
    /// Requests whose key only the store may know; `found` goes on with them.
    public private(set) var looks: [Request] = []
    /// Messages between homes that are not delivered yet.
    public private(set) var underWay: [(home: HomeAddress, message: any HomeMessage)] = []
    /// Answers the homes' queries; nil = the store cannot be read. By default it has no rows.
    public var store: @Sendable (Query) -> [Row]? = { _ in [] }
    /// Queries of homes for requests, not answered yet.
    public private(set) var asked: [(home: HomeAddress, queries: [Query], request: Request)] = []
    /// Accounts whose devices were to be notified, in order.
    public private(set) var notified: [AccountID] = []
    /// Homes' own inquiries, not answered yet: what was decided about messages.
    public private(set) var inquiries: [(home: HomeAddress, query: Query, inquiry: any HomeInquiry)] = []
    /// All committed statements, in the order of the commits.
    public private(set) var kept: [Statement] = []
    /// Issues ids and knows their names.
    public let identifiers = IdentifierIssuer()
    /// The names of people and open sub-realms.
    public let names = NameDirectory()
    /// The scopes that homes have granted, by account.
    public private(set) var rights: [AccountID: Set<Scope>] = [:]

    /// A town without homes.
    public init(
        settings: Settings = .make(), register: FeatureRegister = Features.register, disk: HomeBench.Disk = .now,
        time: ManualTime = ManualTime()
    ) {
        self.settings = settings
        self.register = register
        self.disk = disk
        self.time = time
    }

    // MARK: Homes

    /// The present state of a home, which is made on first use.
    public subscript(_ address: HomeAddress) -> HomeBench {
        mutating get {
            let home = homes[address] ?? makeHome(address)
            homes[address] = home
            return home
        }
    }

    /// The present state of a cell.
    public subscript(_ cell: CellID) -> HomeBench { mutating get { self[.cell(cell)] } }

    /// Restores a home's stored state, before its first turn.
    public mutating func wake(_ address: HomeAddress, _ answers: [[[Row]]], epoch: UInt64 = 2) {
        var home = makeHome(address, epoch: epoch)
        home.restore(answers)
        homes[address] = home
    }

    /// Restores an account's stored state, before its first request.
    /// - Parameter hasKeys: false = as if there were no stored replies, so that keys need no answer of the store.
    public mutating func wake(account: AccountID, _ answers: [[[Row]]], hasKeys: Bool = true) {
        var (core, answers) = (makeAccount(account), answers)
        if !hasKeys, !answers.isEmpty { answers[0][0] = [] }
        core.restore(answers, now: time.lasting)
        accounts[account] = core
    }

    private func makeHome(_ address: HomeAddress, epoch: UInt64 = 1) -> HomeBench {
        .make(
            address, disk: disk, register: register, settings: settings, identifiers: identifiers, names: names,
            time: time, epoch: epoch)
    }

    private func makeAccount(_ id: AccountID) -> AccountCore {
        AccountCore(
            account: id, register: register, settings: settings, keyLifetime: .seconds(86_400))
    }

    // MARK: Steps

    /// Sends a request: a change to the sender's account, a question to the home that answers it.
    public mutating func push(_ request: Request) {
        guard request.isChange else { return hand(request) }
        let account = request.sender.account
        var core = accounts[account] ?? makeAccount(account)
        let actions = core.receive(request, now: time.lasting)
        accounts[account] = core
        carryOut(actions)
    }

    /// The topic of a scope has a follower.
    public mutating func open(_ scope: Scope, of address: HomeAddress) {
        var home = self[address]
        home.open(scope)
        homes[address] = home
    }

    /// A person chooses whether guests see what they leave (PRF-5); every home goes by it.
    public mutating func setGuestsSee(_ isSeen: Bool, of person: AccountID) {
        names.setGuestsSee(isSeen, of: person)
        for address in homes.keys {
            let actions = with(address) { $0.goByGuestSight(of: person) }
            carryOut(actions, of: address)
        }
    }

    /// A member of a space moves.
    public mutating func move(_ movement: Movement, in space: SpaceID) {
        let actions = with(.space(space)) { $0.move(movement) }
        carryOut(actions, of: .space(space))
    }

    /// The store's answer about all `looks`, which are one person's. Homes decide the requests without a stored reply.
    public mutating func found(_ rows: [Row?]) {
        guard let account = looks.first?.sender.account, var core = accounts[account] else { return }
        looks = []
        let actions = core.found(rows, now: time.lasting)
        accounts[account] = core
        carryOut(actions)
    }

    /// Delivers waiting messages and answers of the store, in order. Messages that these cause wait for the next call.
    public mutating func deliver() {
        let (messages, questions, inquiries) = (underWay, asked, inquiries)
        underWay = []
        asked = []
        self.inquiries = []
        for (address, query, inquiry) in inquiries {
            let rows = decisions(about: query)
            let actions = with(address) { $0.learn(inquiry, rows: rows) }
            carryOut(actions, of: address)
        }
        for (address, queries, request) in questions {
            let answers = queries.map(store)
            let rows = answers.contains { $0 == nil } ? nil : answers.compactMap { $0 }
            let actions = with(address) { $0.resume(request, rows: rows) }
            carryOut(actions, of: address)
        }
        for (address, message) in messages {
            let actions = with(address) { $0.hear(message) }
            carryOut(actions, of: address)
        }
    }

    /// Loses the messages between homes that are not delivered yet.
    /// - Returns: the lost messages.
    @discardableResult
    public mutating func drop() -> [(home: HomeAddress, message: any HomeMessage)] {
        defer { underWay = [] }
        return underWay
    }

    /// Puts a message to a home under way; `deliver` delivers it.
    public mutating func tell(_ address: HomeAddress, _ message: any HomeMessage) {
        underWay.append((address, message))
    }

    /// Fires the timers of a home that are due.
    public mutating func fireTimers(of address: HomeAddress) {
        let actions = with(address) { $0.fireTimers() }
        carryOut(actions, of: address)
    }

    /// Commits everything that waits, on all disks.
    public mutating func commit() {
        for address in homes.keys.sorted(by: { $0.spread < $1.spread }) {
            let actions = with(address) { $0.commit() }
            carryOut(actions, of: address)
        }
    }

    /// Refuses the oldest waiting turn of a home, for good.
    public mutating func refuse(at address: HomeAddress) {
        let actions = with(address) { $0.refuse() }
        carryOut(actions, of: address)
    }

    /// Delivers and commits until nothing waits.
    public mutating func runUntilIdle() {
        repeat {
            deliver()
            commit()
        } while !underWay.isEmpty || !asked.isEmpty || !inquiries.isEmpty
            || homes.values.contains { $0.disk != .never && !$0.pending.isEmpty }
    }

    /// Sends a request and runs until nothing waits.
    /// - Throws: `BenchError` when there is no answer, or one of another kind than the schema names.
    public mutating func ask(_ request: Request) throws -> Answer {
        push(request)
        runUntilIdle()
        guard let answer = answer(to: request) else { throw BenchError("no answer to request \(request.id)") }
        switch answer {
        case .success(let result), .unchanged(let result):
            guard Self.isNamed(result, for: request.command) else {
                throw BenchError("the schema does not say that \(request.kind) is answered with \(result)")
            }
        case .refusal: break
        }
        return answer
    }

    /// Any request may be answered with `done`, such as an invitation that is declined.
    private static func isNamed<C: Command>(_ result: Request.Result, for command: C) -> Bool {
        guard let body = C.Body.self as? any RequestBody.Type else { return true }
        if case .done = result { return true }
        return body.success(in: result) != nil
    }

    /// The last answer to this request.
    public func answer(to request: Request) -> Answer? {
        answers.last { $0.request.id == request.id && $0.request.sender.participant == request.sender.participant }?
            .answer
    }

    // MARK: Inside

    /// The row with the decision about a message: the first that was written.
    private func decisions(about query: Query) -> [Row]? {
        let insertion = kept.first {
            $0.sql.text.contains("INTO messages_heard") && $0.arguments.first == query.arguments.first
        }
        let values = insertion?.arguments.map { if case .fingerprint = $0 { SQLValue.blob([0]) } else { $0 } }
        return values.map { [Row($0)] } ?? store(query)
    }

    private mutating func with(
        _ address: HomeAddress, _ body: (inout HomeBench) -> [HomeCore.Action]
    ) -> [HomeCore.Action] {
        var home = self[address]
        home.time = time
        let before = home.kept.count
        let actions = body(&home)
        kept += home.kept[before...].flatMap(\.statements)
        homes[address] = home
        return actions
    }

    private mutating func hand(_ request: Request) {
        do {
            let address = try request.home(settings: settings, register: register)
            let actions = with(address) { $0.push(request) }
            carryOut(actions, of: address)
        } catch {
            decided(request, .refusal(error))
        }
    }

    private mutating func carryOut(_ actions: [HomeCore.Action], of address: HomeAddress) {
        for action in actions {
            switch action {
            case .answer(let request, let answer): decided(request, answer)
            case .tell(let home, let message): underWay.append((home, message))
            case .ask(let queries, let request): asked.append((address, queries, request))
            case .inquire(let query, let inquiry): inquiries.append((address, query, inquiry))
            // A bench has no assets.
            case .read(_, _, let request): carryOut(with(address) { $0.resume(request, rows: [[]]) }, of: address)
            case .hand(let home, let request):
                let actions = with(home) { $0.push(request) }
                carryOut(actions, of: home)
            case .notify(let account, _): notified.append(account)
            case .changeRights(let changes, let answers):
                for change in changes {
                    if change.isGrant {
                        rights[change.account, default: []].insert(change.scope)
                    } else {
                        rights[change.account]?.remove(change.scope)
                    }
                }
                for (request, answer) in answers { decided(request, answer) }
            case .broadcast, .show, .tellExcerpt, .beginExcerpt, .commit, .count, .note, .schedule, .report,
                .recount:
                break
            }
        }
    }

    private mutating func decided(_ request: Request, _ answer: Answer) {
        answers.append((request, answer))
        guard request.isChange, var core = accounts[request.sender.account] else { return }
        let actions = core.decided(request, answer, now: time.lasting)
        accounts[request.sender.account] = core
        carryOut(actions)
    }

    private mutating func carryOut(_ actions: [AccountCore.Action]) {
        for action in actions {
            switch action {
            case .forward(let request): hand(request)
            case .answer(let request, let answer): answers.append((request, answer))
            case .recall(let request): recalls.append(request)
            case .look(let requests): looks += requests
            case .report, .note: break
            }
        }
    }
}
