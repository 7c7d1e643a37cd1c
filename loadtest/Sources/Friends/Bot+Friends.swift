import CairnClient
import CairnTime
import CairnWire

/// A change of what two people are to each other, of which one of them asks.
struct FriendMatter: Sendable {
    enum Action: String, CaseIterable, Sendable {
        case ask, befriend, reject, withdraw, unfriend

        /// The report's key for the number of acknowledgements.
        var count: String {
            switch self {
            case .ask: "friends_asked"
            case .befriend: "befriended"
            case .reject: "friends_rejected"
            case .withdraw: "friends_withdrawn"
            case .unfriend: "unfriended"
            }
        }

        /// Whether the two may become friends by it, or end it; nil = neither.
        var isGain: Bool? {
            switch self {
            case .ask, .befriend: true
            case .unfriend: false
            case .reject, .withdraw: nil
            }
        }
    }

    let action: Action
    let pair: FriendBook.Pair
    let other: Int

    func body(_ company: Company) -> (any RequestBody)? {
        guard let account = company.account(of: other) else { return nil }
        switch action {
        case .ask:
            var body = WireRequestFriend()
            body.account = account
            return body
        case .befriend, .reject:
            var body = WireAnswerFriendRequest()
            body.account = account
            body.accept = action == .befriend
            return body
        case .withdraw:
            var body = WireWithdrawFriendRequest()
            body.account = account
            return body
        case .unfriend:
            var body = WireUnfriend()
            body.account = account
            return body
        }
    }
}

/// A request about friends, or its answer.
struct FriendDeed: Deed {
    /// Whether two people are friends is kept as a right that both share.
    struct Change: Sendable {
        let pair: FriendBook.Pair
        let isGain: Bool
        let requestedAt: MonotonicTime
        let progress: RightChange.Progress
    }

    struct Listing: Sendable {
        let friends: Set<Int>
        let requestedAt: MonotonicTime
        let acknowledgedAt: MonotonicTime
    }

    var change: Change?
    var listing: Listing?
}

/// Making friends, and ending it.
extension Bot {
    var friendBook: FriendBook { company[FriendBook.self] }

    /// Answers a person who has asked, or asks, withdraws or ends a friendship by chance.
    func befriend(due: MonotonicTime, now: MonotonicTime) -> [any Deed] {
        var random = nextErrand()
        let dice = Double.random(in: 0..<1, using: &random)
        let isWilling = Double.random(in: 0..<1, using: &random) < 0.75
        if dice < 0.1 {
            listFriends(due: due, now: now)
            return []
        }
        if dice < 0.7, let asker = friendBook.askers(of: index).first {
            return send(isWilling ? .befriend : .reject, asker, due: due, now: now)
        }
        switch dice {
        case ..<0.75:
            guard let other = anotherPerson(using: &random), friendBook.state(FriendBook.Pair(index, other)) == nil
            else { return [] }
            return send(.ask, other, due: due, now: now)
        case ..<0.82:
            let asked = friendBook.asked(by: index).randomElement(using: &random)
            return asked.map { send(.withdraw, $0, due: due, now: now) } ?? []
        default:
            let friend = friendBook.friends(of: index).randomElement(using: &random)
            return friend.map { send(.unfriend, $0, due: due, now: now) } ?? []
        }
    }

    private func send(
        _ action: FriendMatter.Action, _ other: Int, due: MonotonicTime, now: MonotonicTime
    ) -> [any Deed] {
        let matter = FriendMatter(action: action, pair: FriendBook.Pair(index, other), other: other)
        guard !friendBook.busy.contains(matter.pair), let body = matter.body(company),
            let ticket = try? core.ask(body, now: now)
        else { return [] }
        friendBook.begin(matter.pair)
        _ = note(ticket, Errand.Kind(action.rawValue), matter: matter, due: due, now: now)
        return [FriendDeed(change: matter.change(requestedAt: now, .underWay))]
    }

    func listFriends(due: MonotonicTime, now: MonotonicTime) {
        guard !isBusy(with: Befriending.list), let ticket = try? core.ask(WireListFriends(), now: now)
        else { return }
        _ = note(ticket, Errand.Kind(Befriending.list), due: due, now: now)
    }

    /// Ends one friendship, or withdraws one request.
    func endFriendship(now: MonotonicTime) -> Bool {
        if let friend = friendBook.friends(of: index).first {
            return !send(.unfriend, friend, due: now, now: now).isEmpty
        }
        guard let asked = friendBook.asked(by: index).first else { return false }
        return !send(.withdraw, asked, due: now, now: now).isEmpty
    }
}

extension FriendMatter {
    func change(requestedAt: MonotonicTime, _ progress: RightChange.Progress) -> FriendDeed.Change? {
        action.isGain.map {
            FriendDeed.Change(pair: pair, isGain: $0, requestedAt: requestedAt, progress: progress)
        }
    }
}
