public import CairnCore
public import CairnFeatures
internal import CairnGeo
public import CairnWire

/// One home on a bench: the test gives it requests and decides when its disk commits.
public struct HomeBench: Sendable {
    /// When the disk commits the writes of a turn.
    public enum Disk: Sendable {
        /// At once, before the next turn.
        case now
        /// When `commit` is called.
        case later
        /// Never, not even when `commit` is called.
        case never
    }

    /// One turn's writes.
    public struct Batch: Sendable {
        public let turn: UInt64
        public let statements: [Statement]
    }

    public var disk: Disk
    public var time: ManualTime
    public private(set) var core: HomeCore
    /// Actions that have left the home, in order, without commits.
    public private(set) var actions: [HomeCore.Action] = []
    /// Committed batches, in order.
    public private(set) var kept: [Batch] = []
    /// Batches that wait for the disk.
    public private(set) var pending: [Batch] = []

    /// - Parameters:
    ///   - epoch: epoch of the home's topic.
    ///   - recentMax: events that it holds for reconnecting followers.
    public static func make(
        _ address: HomeAddress = .cell(Ground.here.cell), disk: Disk = .now,
        register: FeatureRegister = Features.register, settings: Settings = .make(),
        identifiers: IdentifierIssuer = IdentifierIssuer(), names: NameDirectory = NameDirectory(),
        time: ManualTime = ManualTime(), epoch: UInt64 = 1, recentMax: Int = 1_024
    ) -> HomeBench {
        let core = HomeCore(
            address: address, register: register, settings: settings, identifiers: identifiers, names: names,
            now: time.wall, start: Cursor(epoch: epoch, sequence: 0), recentMax: recentMax)
        return HomeBench(disk: disk, time: time, core: core)
    }

    // MARK: In

    /// Restores the stored state, before the first turn.
    @discardableResult
    public mutating func restore(_ answers: [[[Row]]]) -> [DamagedRow] {
        core.restore(answers)
    }

    /// Opens the topic of a scope, as the first follower of it does.
    public mutating func open(_ scope: Scope) { core.open(scope) }

    /// Goes by what a person has chosen about guests; returns the actions that leave at once.
    @discardableResult
    public mutating func goByGuestSight(of person: AccountID) -> [HomeCore.Action] {
        let given = core.goByGuestSight(of: person)
        return record(given)
    }

    /// Gives the home a request; returns the actions that leave at once.
    @discardableResult
    public mutating func push(_ request: Request) -> [HomeCore.Action] {
        let given = core.receive(request, now: time.wall)
        return record(given)
    }

    /// A member of the space moves; returns the actions that leave at once.
    @discardableResult
    public mutating func move(_ movement: Movement) -> [HomeCore.Action] {
        let given = core.moved(movement, now: time.wall, lasting: time.lasting)
        return record(given)
    }

    /// Gives the home a message of another home; returns the actions that leave at once.
    @discardableResult
    public mutating func hear(_ message: any HomeMessage) -> [HomeCore.Action] {
        let given = core.hear(message, now: time.wall)
        return record(given)
    }

    /// Gives the home the store's answer to a request's query; returns the actions that leave at once.
    @discardableResult
    public mutating func resume(_ request: Request, rows: [[Row]]?) -> [HomeCore.Action] {
        let given = core.resume(request, rows: rows, now: time.wall)
        return record(given)
    }

    /// Gives the home the store's answer to its own inquiry; returns the actions that leave at once.
    @discardableResult
    public mutating func learn(_ inquiry: any HomeInquiry, rows: [Row]?) -> [HomeCore.Action] {
        let given = core.learn(inquiry, rows: rows, now: time.wall)
        return record(given)
    }

    /// Fires all timers that are due; returns the actions that leave at once.
    @discardableResult
    public mutating func fireTimers() -> [HomeCore.Action] {
        var left: [HomeCore.Action] = []
        while let given = fireTimer() { left += given }
        return left
    }

    /// Fires the timer that is due for longest; returns the actions that leave at once, nil = none is due.
    public mutating func fireTimer() -> [HomeCore.Action]? {
        core.fireTimer(now: time.wall, lasting: time.lasting).map { record($0) }
    }

    /// Commits the oldest `turns` waiting turns, all by default; returns the actions that this releases.
    @discardableResult
    public mutating func commit(turns: Int = .max) -> [HomeCore.Action] {
        guard disk != .never else { return [] }
        let before = actions.count
        for batch in pending.prefix(turns) {
            kept.append(batch)
            pending.removeFirst()
            actions += core.committed(through: batch.turn)
        }
        return Array(actions[before...])
    }

    /// Commits all waiting turns in one commit, as the store does; returns the actions that this releases.
    @discardableResult
    public mutating func commitTogether() -> [HomeCore.Action] {
        guard let last = pending.last?.turn else { return [] }
        kept += pending
        pending = []
        let left = core.committed(through: last)
        actions += left
        return left
    }

    /// Refuses the oldest waiting turn for good; returns the actions that this releases.
    @discardableResult
    public mutating func refuse() -> [HomeCore.Action] {
        guard !pending.isEmpty else { return [] }
        let turn = pending.removeFirst().turn
        core.lose(from: turn)
        let left = core.committed(through: turn)
        actions += left
        return left
    }

    /// Drops all waiting turns, as the store does after a refusal; returns the actions that this releases.
    @discardableResult
    public mutating func void() -> [HomeCore.Action] {
        let last = pending.last?.turn ?? 0
        pending = []
        let left = core.committed(through: last)
        actions += left
        return left
    }

    private mutating func record(_ given: [HomeCore.Action]) -> [HomeCore.Action] {
        let before = actions.count
        for action in given {
            if case .commit(let statements, let turn) = action {
                pending.append(Batch(turn: turn, statements: statements))
            } else {
                actions.append(action)
            }
        }
        if disk == .now && !pending.isEmpty { commit() }
        return Array(actions[before...])
    }

    // MARK: Out

    /// The first answer to this request that has left.
    public func answer(to request: Request) -> Answer? {
        actions.answers.first { $0.request.id == request.id && $0.request.sender == request.sender }?.answer
    }

    /// The events that have left, in order.
    public var events: [WireEvent] { actions.events }

    /// The instances in the snapshot of a new follower, by id.
    public var instances: [WireInstance] {
        let pages = core.topic(.everyone)?.snapshot(pageSize: .max) ?? []
        return pages.flatMap(\.snapshot.instances).sorted { $0.id < $1.id }
    }
}

extension [HomeCore.Action] {
    /// The answers among them.
    public var answers: [(request: Request, answer: Answer)] {
        compactMap { if case .answer(let request, let answer) = $0 { (request, answer) } else { nil } }
    }

    /// The events among them.
    public var events: [WireEvent] {
        compactMap { if case .broadcast(_, let item) = $0 { item.event } else { nil } }
    }

    /// The events counted for developers.
    public var counts: [String] {
        compactMap { if case .count(let what) = $0 { what.text } else { nil } }
    }

    /// The accounts whose devices are notified.
    public var notified: [AccountID] {
        compactMap { if case .notify(let account, _) = $0 { account } else { nil } }
    }

    /// The homes' own inquiries of the store.
    public var inquiries: [(query: Query, inquiry: any HomeInquiry)] {
        compactMap { if case .inquire(let query, let inquiry) = $0 { (query, inquiry) } else { nil } }
    }

    /// The messages to other homes.
    public var tells: [(home: HomeAddress, message: any HomeMessage)] {
        compactMap { if case .tell(let home, let message) = $0 { (home, message) } else { nil } }
    }
}

extension Answer {
    /// The success.
    /// - Throws: `BenchError` with the refusal.
    public var result: Request.Result {
        get throws {
            switch self {
            case .success(let result), .unchanged(let result): return result
            case .refusal(let refusal): throw BenchError("refused: \(refusal.code.rawValue), \(refusal.message)")
            }
        }
    }

    /// The refusal, if it is one.
    public var refusal: Refusal? {
        if case .refusal(let refusal) = self { refusal } else { nil }
    }
}
