internal import CairnCore
internal import CairnTime
internal import CairnWire

/// Work of one loop for homes whose place is undecided, in the order of its arrival.
///
/// Requests are refused after a time, or when too much waits. Messages between homes, joins and leaves wait without a
/// limit: their number is bounded by the connections and what they follow.
struct UnplacedWork {
    /// Pieces of work; beyond it requests are refused and positions dropped.
    static let countMax = 10_000

    /// One piece.
    struct Entry {
        let work: ShardWork
        let home: HomeAddress
        /// Whether it leaves after everything else: `Shard.dispatchLast`.
        let isLast: Bool
    }

    private var waiting: [Entry] = []

    var count: Int { waiting.count }

    /// Adds work.
    /// - Returns: false when there is no room for work of this kind.
    mutating func append(_ entry: Entry) -> Bool {
        guard waiting.count < Self.countMax || !entry.work.canBeGivenUp else { return false }
        waiting.append(entry)
        return true
    }

    /// Removes and returns the work for homes whose place is known now.
    mutating func take(where isKnown: (HomeAddress) -> Bool) -> [Entry] { take { isKnown($0.home) } }

    /// Removes and returns the requests that have waited too long.
    mutating func takeLate(now: MonotonicTime) -> [Entry] {
        take { entry in
            entry.work.request.map { now - $0.receivedAt > HomeQueue.patience } ?? false
        }
    }

    private mutating func take(_ isTaken: (Entry) -> Bool) -> [Entry] {
        let taken = waiting.filter(isTaken)
        if !taken.isEmpty { waiting.removeAll(where: isTaken) }
        return taken
    }
}

extension ShardWork {
    /// The request that can still be refused: nothing has been decided about it.
    fileprivate var request: Request? {
        switch self {
        case .home(_, .arrive(let request)), .home(_, .decide(let request)), .account(_, .receive(let request)): request
        default: nil
        }
    }

    /// Whether it may be dropped, because the client asks again or sends more of the kind.
    fileprivate var canBeGivenUp: Bool {
        switch self {
        case .cell(_, .move), .space(_, .move): true
        default: request != nil
        }
    }
}

/// Homes and their places.
extension Shard {
    /// Dispatches work to the loop where a home lives; while its place is undecided, the work waits.
    /// - Parameter isLast: after everything else that this turn has for that loop.
    func dispatch(_ work: ShardWork, to home: HomeAddress, isLast: Bool = false) {
        guard let target = directory.place(of: home) else {
            let entry = UnplacedWork.Entry(work: work, home: home, isLast: isLast)
            if !unplaced.append(entry) { giveUp(work) }
            return
        }
        if isLast { dispatchLast(work, to: target) } else { dispatch(work, to: target) }
    }

    /// The places of these districts are decided: dispatches the work that has waited for them.
    func decided(_ districts: Set<HomeDirectory.District>) {
        directory.decide(districts)
        for entry in unplaced.take(where: { directory.place(of: $0) != nil }) {
            dispatch(entry.work, to: entry.home, isLast: entry.isLast)
        }
    }

    /// Refuses requests that have waited for too long. Called about once a second.
    func refuseUnplaced(now: MonotonicTime) {
        guard unplaced.count > 0 else { return }
        for entry in unplaced.takeLate(now: now) { giveUp(entry.work) }
    }

    private static let unplacedRefusal = Refusal(
        .tryAgain, "it is being decided where this is served", component: "home", retryAfter: .seconds(1))

    private func giveUp(_ work: ShardWork) {
        switch work {
        case .home(_, .decide(let request)): answer(request, .refusal(Self.unplacedRefusal))
        case .home(_, .arrive(let request)), .account(_, .receive(let request)):
            reply(to: request, .refusal(Self.unplacedRefusal))
        case .cell(_, .move), .space(_, .move): figures.positionsDropped += 1
        default: break
        }
    }
}
