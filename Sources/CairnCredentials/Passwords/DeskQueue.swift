internal import CairnTime

/// The jobs that wait for the desk's thread: three lanes, each with room of its own, and one order over all of them. A
/// pure value; `PasswordDesk` keeps it behind a lock.
///
/// The order is a virtual clock (L. Zhang, 1990): a job's turn is the time at which it came, or `spacing` behind the
/// turn that its owner was served before, whichever is later. Who asks now and then is served in the order of coming;
/// who asks all the time stands behind them, however many jobs wait, and nobody is put off for longer than `debtMax`.
/// - Strangers are told apart by their address, and jobs of one address by the account that they name: guesses at a
///   name delay nobody who has it.
/// - People who are known, by their device, their address or a sign-in, are told apart by their account, from wherever
///   they come. Those on a known device stand `headStart` before others.
///
/// A full lane takes a newcomer all the same when another owner has more jobs in it, or as many and a later turn: the
/// last job of the owner with the most is dropped.
struct DeskQueue<Job: Sendable>: Sendable {
    struct Entry: Sendable {
        let id: UInt64
        let asker: PasswordDesk.Asker
        let since: MonotonicTime
        let job: Job
    }

    /// What became of a job that wants to wait.
    enum Admission: Sendable {
        case taken
        /// It is taken, and this one has lost its place to it.
        case replaced(Entry)
        case refused
    }

    /// The time between two turns of one owner while others wait.
    static var spacing: Duration { .seconds(10) }
    /// The longest time by which an owner's turn is put off.
    static var debtMax: Duration { .seconds(60) }
    static var headStart: Duration { .seconds(1) }
    /// Owners whose debt is remembered. Each has had a job served in the last minute; beyond them, newcomers have none.
    static var ownersMax: Int { 8_192 }

    /// Whose turn a job takes: of strangers the address and then the account, of others the account.
    private enum Owner: Hashable {
        case address(LimitKey)
        case name(LimitKey, at: LimitKey)
        case account(LimitKey)
    }

    private struct Turn: Comparable {
        let first: MonotonicTime
        let second: MonotonicTime
        let id: UInt64

        static func < (one: Self, other: Self) -> Bool {
            (one.first, one.second, one.id) < (other.first, other.second, other.id)
        }
    }

    private let bounds: PasswordDesk.Bounds
    private var entries: [Entry] = []
    /// When an owner's next turn is; owners without a debt are left out.
    private var nextTurns: [Owner: MonotonicTime] = [:]

    init(bounds: PasswordDesk.Bounds) { self.bounds = bounds }

    var count: Int { entries.count }
    var owners: Int { nextTurns.count }

    func count(in lane: PasswordDesk.Lane) -> Int { entries.count { $0.asker.lane == lane } }

    /// How many jobs stand before one that comes now.
    func ahead(of asker: PasswordDesk.Asker, at time: MonotonicTime) -> Int {
        let own = turn(of: asker, since: time, id: .max)
        return entries.count { turn(of: $0) < own }
    }

    mutating func append(_ entry: Entry) -> Admission {
        let lane = entries.filter { $0.asker.lane == entry.asker.lane }
        guard lane.count >= bounds.max(of: entry.asker.lane) else {
            entries.append(entry)
            return .taken
        }
        let all = lane + [entry]
        let shares = all.reduce(into: [Owner: Int]()) { $0[Self.owner(of: $1.asker), default: 0] += 1 }
        let longest = shares.values.max() ?? 0
        let losers = all.filter { shares[Self.owner(of: $0.asker)] == longest }
        guard let last = losers.max(by: { turn(of: $0) < turn(of: $1) }), last.id != entry.id else { return .refused }
        entries.removeAll { $0.id == last.id }
        entries.append(entry)
        return .replaced(last)
    }

    /// Takes the job whose turn it is.
    mutating func next(at time: MonotonicTime) -> Entry? {
        let turns = entries.enumerated().map { (place: $0.offset, turn: turn(of: $0.element)) }
        guard let first = turns.min(by: { $0.turn < $1.turn }) else { return nil }
        let entry = entries.remove(at: first.place)
        charge(Self.owner(of: entry.asker), at: time)
        if entry.asker.lane == .stranger { charge(.name(entry.asker.account, at: entry.asker.address), at: time) }
        return entry
    }

    /// Takes a job out of the queue; nil = it does not wait any more.
    mutating func remove(_ id: UInt64) -> Entry? {
        entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
    }

    /// Takes all jobs.
    mutating func removeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    private mutating func charge(_ owner: Owner, at time: MonotonicTime) {
        if nextTurns[owner] == nil && nextTurns.count >= Self.ownersMax {
            nextTurns = nextTurns.filter { $0.value > time }
            guard nextTurns.count < Self.ownersMax else { return }
        }
        nextTurns[owner] = min(max(nextTurns[owner] ?? time, time) + Self.spacing, time + Self.debtMax)
    }

    private func turn(of entry: Entry) -> Turn { turn(of: entry.asker, since: entry.since, id: entry.id) }

    private func turn(of asker: PasswordDesk.Asker, since: MonotonicTime, id: UInt64) -> Turn {
        func due(_ owner: Owner) -> MonotonicTime { max(nextTurns[owner] ?? since, since) }
        switch asker.lane {
        case .stranger:
            return Turn(
                first: due(.address(asker.address)), second: due(.name(asker.account, at: asker.address)), id: id)
        case .familiar:
            return Turn(first: due(.account(asker.account)), second: since, id: id)
        case .device:
            return Turn(first: due(.account(asker.account)) - Self.headStart, second: since, id: id)
        }
    }

    private static func owner(of asker: PasswordDesk.Asker) -> Owner {
        asker.lane == .stranger ? .address(asker.address) : .account(asker.account)
    }
}
