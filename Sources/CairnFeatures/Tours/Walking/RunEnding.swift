public import CairnCore
internal import CairnText
internal import CairnWire

/// How runs end: left, idle, with their tour, or with their walker's account (TRT-11).
extension Turn {
    /// Ends the run: its walker is back in the world.
    /// - Parameters:
    ///   - notification: what the walker is notified of; nil = they have done it themselves.
    ///   - isStored: false = its row has gone already.
    mutating func end(
        _ run: Run, telling notification: NotificationKind? = nil, isStored: Bool = true
    ) -> [Effect] {
        let facts = run.facts
        let left = leaveGroup()
        forgetRun()
        var effects = left
        if isStored { effects.append(.write(facts.deletion)) }
        effects += [
            .cancel(RunIdle.self), .expel(facts.account, from: .members(of: home)),
            .tell(.account(facts.account), RunOver(facts.id)), .tell(.tour(facts.tour), FellowsMoved()),
        ]
        if names.tours.index.tour(facts.tour)?.version != facts.version {
            effects.append(.tell(.tour(facts.tour), VersionLeft()))
        }
        if !facts.isCompleted {
            effects += [.count("tours_abandoned"), .note(.step(.abandoned, facts.reached))]
        }
        if let notification {
            let name = run.version.content.facts.name.words.first?.text ?? ""
            effects.append(.notify(Notification.Draft(to: facts.account, kind: notification, label: name)))
        }
        return effects
    }
}

/// Ends a run without a sign of its walker (TRT-11).
struct RunIdle: HomeTimer {
    static let kind: StaticText = "runs.idle"

    init() {}
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {}

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        guard let run = turn.run else { return [] }
        // An outage of the server, or a jump of its clock, does not count as a walker's silence.
        let heard = max(run.facts.active, (turn.motion as? RunMotion)?.heard ?? .epoch, turn.steadySince)
        let end = heard + turn.settings.runs.idle
        return end > turn.lasting ? [.wake(at: end, self)] : turn.end(run, telling: .tourEnded)
    }
}

/// Tells the account of a walker that its run is over, so that another one may begin at once. If it is lost, the store
/// says so after a while (`RunUnderWay.doubtful`).
struct RunOver: HomeMessage {
    static let kind: StaticText = "runs.over"

    /// The run, or the group that was guided without one.
    private let space: SpaceID

    init(_ space: SpaceID) { self.space = space }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let space = SpaceID(String(decoding: payload, as: UTF8.self)) else { throw ColumnFault(0, .unreadable) }
        self.init(space)
    }

    var payload: [UInt8] { Array(space.description.utf8) }
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        // Another run may have begun since.
        if turn.runUnderWay?.space == space { turn.forgetRunUnderWay() }
        return []
    }
}

/// A tour was withdrawn. Its home then ends all runs on it, and each run ends.
public struct TourWithdrawn: HomeMessage {
    public static let kind: StaticText = "runs.tour_withdrawn"

    public init() {}
    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {}
    public var payload: [UInt8] { [] }
    /// Nothing: it comes again.
    public var ifNotHeard: [Effect]? { [] }

    public func heard(in turn: inout Turn) -> [Effect] {
        if case .tour = turn.home { return [.wake(at: turn.lasting, RunsEnding())] }
        // A run that began after the tour was offered again goes on.
        func offers(_ tour: TourID, _ version: UInt32) -> Bool {
            turn.names.tours.index.tour(tour).map { $0.version <= version } ?? false
        }
        if let group = turn.group { return offers(group.tour, .max) ? [] : turn.end(group) }
        guard let run = turn.run, !offers(run.facts.tour, run.facts.version) else { return [] }
        return turn.end(run, telling: .tourEnded)
    }
}

/// The right to a run has ended, because its purchase was refunded (CMP-6): the run ends, whatever is offered.
public struct RunRevoked: HomeMessage {
    public static let kind: StaticText = "runs.revoked"

    public init() {}
    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {}
    public var payload: [UInt8] { [] }
    /// Nothing: it comes again.
    public var ifNotHeard: [Effect]? { [] }

    public func heard(in turn: inout Turn) -> [Effect] {
        guard let run = turn.run else { return [] }
        return turn.end(run, telling: .tourEnded)
    }
}

/// The walker of a completed run has begun another one, and the completed one's row went with that. If it is lost, only
/// the memory of this home knows the run, for as long as somebody asks for it.
struct RunFollowed: HomeMessage {
    static let kind: StaticText = "runs.followed"

    init() {}
    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {}
    var payload: [UInt8] { [] }
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard let run = turn.run, run.facts.isCompleted else { return [] }
        return turn.end(run, isStored: false)
    }
}

/// The role of a person in a space, when it changes and when they connect with another one. Runs are for general users;
/// a guide without a run belongs to the organisation of the tour (ROL-2, ROL-3).
struct MemberRole: HomeMessage {
    static let kind: StaticText = "runs.member_role"

    private let account: AccountID
    private let role: Role

    init(_ role: Role, of account: AccountID) { (self.role, self.account) = (role, account) }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let words = String(decoding: payload, as: UTF8.self).pieces(at: " ").map(String.init)
        guard words.count == 2, let account = AccountID(words[0]), let role = Role(rawValue: words[1]) else {
            throw ColumnFault(0, .unreadable)
        }
        self.init(role, of: account)
    }

    var payload: [UInt8] { Array("\(account) \(role.rawValue)".utf8) }
    /// Nothing: their next connection says it again.
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        if let group = turn.group {
            guard turn.groupMember(account)?.run == nil, account == group.guide else { return [] }
            return role == .organisation && turn.stands(group) ? [] : turn.end(group)
        }
        guard let run = turn.run, run.facts.account == account, role != .general else { return [] }
        return turn.end(run, telling: .tourEnded)
    }
}

/// Ends all runs on a tour that was withdrawn: deleted, or its organisation suspended. The home of the tour sets it in
/// the turn that withdraws (`Effect.wake(at:_:)`); it survives a crash.
///
/// Each page of runs is told, and the pages begin anew until there is none, so that a message that was lost costs time
/// and no run.
public struct RunsEnding: HomeTimer {
    public static let kind: StaticText = "runs.ending"

    /// Runs that are told at once.
    private static let pageMax = 200
    private static let pause = Duration.milliseconds(250)
    /// A request that was under way when the tour was withdrawn may begin a run for so long.
    private static let afterglow = Duration.seconds(10)

    /// The run after which the next page begins; 0 = a round begins.
    private let after: SpaceID
    /// Whether no run was found before.
    private let isLast: Bool

    public init() { self.init(after: SpaceID(rawValue: 0), isLast: false) }

    private init(after: SpaceID, isLast: Bool) { (self.after, self.isLast) = (after, isLast) }

    public init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {
        guard payload.count == 9 else { throw ColumnFault(0, .unreadable) }
        after = SpaceID(rawValue: payload.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        isLast = payload[8] == 1
    }

    public var payload: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: after.rawValue >> UInt64($0)) }
            + [isLast ? 1 : 0]
    }

    public func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        guard case .tour(let tour) = turn.home else { return [] }
        let query = RunFacts.pages.page(Runs.integer(tour), Runs.integer(after), count: Self.pageMax)
        // It stays until the answer says what is left.
        return [.wake(at: turn.lasting + Self.pause * 20, self), .inquire(query, Found(ending: self))]
            + (after.rawValue == 0 ? [.inquire(GroupFacts.query(on: tour), GroupsFound())] : [])
    }

    /// Groups on the tour: those of guides without a run end with no run.
    private struct GroupsFound: HomeInquiry {
        var ifNotHeard: [Effect]? { [] }

        func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
            turn.read(rows ?? [], of: GroupFacts.table, GroupFacts.init(stored:))
                .map { .tell(.space($0.id), TourWithdrawn()) }
        }
    }

    /// A page of runs.
    private struct Found: HomeInquiry {
        let ending: RunsEnding
        var ifNotHeard: [Effect]? { [] }

        func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
            guard let rows else { return [] }
            let runs = turn.read(rows, of: RunFacts.table, RunFacts.init(stored:))
            guard let last = runs.last else {
                if ending.after.rawValue == 0, ending.isLast {
                    return [.cancel(RunsEnding.self)] + turn.sweepingVersions
                }
                let isEmpty = ending.after.rawValue == 0
                let next = RunsEnding(after: SpaceID(rawValue: 0), isLast: isEmpty)
                return [.wake(at: turn.lasting + (isEmpty ? RunsEnding.afterglow : RunsEnding.pause), next)]
            }
            let next = RunsEnding(after: last.id, isLast: false)
            return runs.map { Effect.tell(.space($0.id), TourWithdrawn()) }
                + [.wake(at: turn.lasting + RunsEnding.pause, next)]
        }
    }
}
