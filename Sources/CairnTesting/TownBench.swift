public import CairnCore
public import CairnFeatures
public import CairnGeo
public import CairnWire

/// Homes that hear one another and the accounts of those who ask: the server without threads, sockets and disk.
///
/// Nothing happens by itself: messages between homes wait for `deliver`, disks for `commit`; `runUntilIdle` does
/// both until there is nothing left to do.
public struct TownBench: Sendable {
    public let settings: Settings
    public let register: FeatureRegister
    public var time: ManualTime
    /// Disks of homes that are first asked from now on.
    public var disk: HomeBench.Disk
    public private(set) var homes: [HomeAddress: HomeBench] = [:]
    public private(set) var accounts: [AccountID: AccountCore] = [:]
    /// What people have been told, in order.
    public private(set) var answers: [(request: Request, answer: Answer)] = []
    /// Requests whose key was answered before: a server reads the first answer from its store.
    public private(set) var recalls: [Request] = []
    /// Requests whose key only the store may know; `found` goes on with them.
    public private(set) var looks: [Request] = []
    /// What homes have said to one another and nobody has heard yet.
    public private(set) var underWay: [(home: HomeAddress, message: any HomeMessage)] = []
    /// What the store says when homes ask it; nil = it cannot be read. It knows nothing unless a test says otherwise.
    public var store: @Sendable (Query) -> [Row]? = { _ in [] }
    /// What homes have asked it and have not been told yet.
    public private(set) var asked: [(home: HomeAddress, query: Query, request: Request)] = []
    /// What homes have asked it for themselves and have not been told yet: what was decided about messages.
    public private(set) var inquiries: [(home: HomeAddress, query: Query, inquiry: any HomeInquiry)] = []
    /// Everything on disk, in the order in which it came there.
    public private(set) var kept: [Statement] = []
    /// Makes its ids, and knows their names.
    public let identifiers = IdentifierIssuer()

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

    /// A home, as it is now; made on first need.
    public subscript(_ address: HomeAddress) -> HomeBench {
        mutating get {
            let home = homes[address] ?? makeHome(address)
            homes[address] = home
            return home
        }
    }

    /// A cell, as it is now.
    public subscript(_ cell: CellID) -> HomeBench { mutating get { self[.cell(cell)] } }

    /// Brings a home's stored state back, before its first turn.
    public mutating func wake(_ address: HomeAddress, _ answers: [[[Row]]], epoch: UInt64 = 2) {
        var home = makeHome(address, epoch: epoch)
        home.restore(answers)
        homes[address] = home
    }

    /// Brings an account's stored state back, before its first request.
    public mutating func wake(account: AccountID, hasKeys: Bool, quotas: [[[Row]]]) {
        var core = makeAccount(account)
        core.restore(hasKeys: hasKeys, quotas: quotas, now: time.milliseconds)
        accounts[account] = core
    }

    private func makeHome(_ address: HomeAddress, epoch: UInt64 = 1) -> HomeBench {
        .make(
            address, disk: disk, register: register, settings: settings, identifiers: identifiers, time: time,
            epoch: epoch)
    }

    private func makeAccount(_ id: AccountID) -> AccountCore {
        AccountCore(
            account: id, register: register, settings: settings, keyLifetime: 86_400_000)
    }

    // MARK: Doing

    /// Somebody asks: changes go by their account, questions to the home that answers.
    public mutating func push(_ request: Request) {
        guard request.isChange else { return hand(request) }
        let account = request.sender.account
        var core = accounts[account] ?? makeAccount(account)
        let actions = core.receive(request, now: time.milliseconds)
        accounts[account] = core
        carryOut(actions)
    }

    /// The store has been asked about all `looks`, which are one person's, and homes decide what it does not know.
    public mutating func found(_ rows: [Row?]) {
        guard let account = looks.first?.sender.account, var core = accounts[account] else { return }
        looks = []
        let actions = core.found(rows, now: time.milliseconds)
        accounts[account] = core
        carryOut(actions)
    }

    /// Homes hear what has been said to them, and what they asked, in order; answers to that wait for the next call.
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
        for (address, query, request) in questions {
            let rows = store(query)
            let actions = with(address) { $0.resume(request, rows: rows) }
            carryOut(actions, of: address)
        }
        for (address, message) in messages {
            let actions = with(address) { $0.hear(message) }
            carryOut(actions, of: address)
        }
    }

    /// Nobody hears what homes have said to one another.
    /// - Returns: what they have said.
    @discardableResult
    public mutating func drop() -> [(home: HomeAddress, message: any HomeMessage)] {
        defer { underWay = [] }
        return underWay
    }

    /// A home hears something.
    public mutating func tell(_ address: HomeAddress, _ message: any HomeMessage) {
        underWay.append((address, message))
    }

    /// A home does what is due.
    public mutating func fireTimers(of address: HomeAddress) {
        let actions = with(address) { $0.fireTimers() }
        carryOut(actions, of: address)
    }

    /// The disks take what waits.
    public mutating func commit() {
        for address in homes.keys.sorted(by: { $0.spread < $1.spread }) {
            let actions = with(address) { $0.commit() }
            carryOut(actions, of: address)
        }
    }

    /// A home's disk refuses the oldest turn that waits, for good.
    public mutating func refuse(at address: HomeAddress) {
        let actions = with(address) { $0.refuse() }
        carryOut(actions, of: address)
    }

    /// Delivers and commits until nothing is left to do.
    public mutating func runUntilIdle() {
        repeat {
            deliver()
            commit()
        } while !underWay.isEmpty || !asked.isEmpty || !inquiries.isEmpty
            || homes.values.contains { $0.disk != .never && !$0.pending.isEmpty }
    }

    /// Asks, and runs until nothing waits.
    /// - Throws: `BenchError` when there is no answer.
    public mutating func ask(_ request: Request) throws -> Answer {
        push(request)
        runUntilIdle()
        guard let answer = answer(to: request) else { throw BenchError("no answer to request \(request.id)") }
        return answer
    }

    /// The last answer to this request.
    public func answer(to request: Request) -> Answer? {
        answers.last { $0.request.id == request.id && $0.request.sender.participant == request.sender.participant }?
            .answer
    }

    // MARK: Inside

    /// The row about a message, as the first that decided has written it.
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
            let address = try request.command.home(for: request.sender, settings: settings)
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
            case .ask(let query, let request): asked.append((address, query, request))
            case .inquire(let query, let inquiry): inquiries.append((address, query, inquiry))
            case .hand(let home, let request):
                let actions = with(home) { $0.push(request) }
                carryOut(actions, of: home)
            case .broadcast, .commit, .count, .admit, .expel, .note, .schedule, .report: break
            }
        }
    }

    private mutating func decided(_ request: Request, _ answer: Answer) {
        answers.append((request, answer))
        guard request.isChange, var core = accounts[request.sender.account] else { return }
        let actions = core.decided(request, answer, now: time.milliseconds)
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
            case .report: break
            }
        }
    }
}
