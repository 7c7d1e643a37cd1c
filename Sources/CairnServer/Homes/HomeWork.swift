internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// Work for a home, from any loop.
enum HomeWork: Sendable {
    /// A request comes from its sender.
    case arrive(Request)
    /// A request that this home decides.
    case decide(Request)
    /// Another home says something.
    case hear(any HomeMessage)
    /// A timer of the home is due.
    case fire
    /// A connection follows one of the home's topics from now on.
    case follow(FollowRequest)
    case unfollow(Scope, Participant)
    /// A follower whose events were dropped gets a fresh state (SES-8); its connection knows that it is stale.
    case resynchronise(FollowRequest)
    /// Other people are absent for a follower. Answered by `ConnectionWork.absencesKnown` with this number.
    case change(FollowRequest, number: UInt64)
    /// A follower wants what it is presented, the nearest to a place. Answered by `ConnectionWork.presented`.
    indirect case present(FollowRequest, nearest: Coordinate)
}

/// Work for a home from any loop or from its own process alone. It waits until the home is awake.
enum HomeTask: Sendable {
    case work(HomeWork)
    /// The store has answered what the home asked for a request; nil = it cannot be read.
    case resume(Request, rows: [[Row]]?)
    /// The store has answered what the home asked for itself; nil = it cannot be read.
    case learn(any HomeInquiry, rows: [Row]?)
    /// An operator has something done; `done` hears whether it is on disk.
    case order(any HomeMessage, done: @Sendable (Bool) -> Void)

    /// The request that still needs an answer.
    var request: Request? {
        switch self {
        case .work(.arrive(let request)), .work(.decide(let request)), .resume(let request, _): request
        case .work, .learn, .order: nil
        }
    }

    /// The message of another home, if it may be declined.
    var declinableMessage: (any HomeMessage)? {
        guard case .work(.hear(let message)) = self, message.ifNotHeard != nil else { return nil }
        return message
    }
}

/// A follower and the topic of the home that it follows.
struct FollowRequest: Sendable {
    let scope: Scope
    let participant: Participant
    let account: AccountID
    /// The people who are absent for the account.
    let absent: Set<AccountID>
    /// The client's cursor of the topic; nil = none.
    var cursor: Cursor?
    /// Tells a late answer from a fresh one.
    let number: UInt64
}

/// Work that waits for a home to wake, in its order.
struct HomeQueue {
    private var waiting: [(task: HomeTask, since: MonotonicTime)] = []

    /// Longest wait for a home's stored state. Every request gets an answer (SES-3), and a home that does not wake
    /// holds up no other.
    static let patience: Duration = .seconds(3)

    /// The refusal while a home cannot be read.
    static let unreadable = Refusal(
        .storageUnavailable, "what is stored cannot be read now", component: "home", retryAfter: .seconds(5))

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ task: HomeTask, now: MonotonicTime) { waiting.append((task, now)) }

    /// Empties the queue.
    mutating func takeAll() -> [HomeTask] {
        defer { waiting = [] }
        return waiting.map(\.task)
    }

    /// Removes requests and declinable messages whose patience is over. Messages that report facts wait on.
    mutating func takeLate(now: MonotonicTime) -> [HomeTask] {
        let isLate = { (task: HomeTask, since: MonotonicTime) in
            let declinableSince: MonotonicTime? = task.declinableMessage == nil ? nil : since
            guard let since = task.request?.receivedAt ?? declinableSince else { return false }
            return now - since > Self.patience
        }
        let late = waiting.filter(isLate).map(\.task)
        if !late.isEmpty { waiting.removeAll(where: isLate) }
        return late
    }
}
