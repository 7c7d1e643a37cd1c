public import CairnWire

/// A topic for an account for whom people are absent (FRD-7): without their instances, and with numbers of its own, so
/// that no gap shows that something was left out.
///
/// The numbers continue those of the topic where the account began to get the excerpt. As long as an absent person has
/// nothing in the home, topic and excerpt are the same, and the account is sent the shared bytes.
public struct TopicExcerpt: Sendable {
    /// The people who are absent.
    public internal(set) var absent: Set<AccountID>
    /// Whether it differs from the topic, or has differed. Then its readers are sent bytes of their own.
    public internal(set) var isDistinct = false
    /// The topic's number less the excerpt's: the events left out, less those by which things of a person come or go
    /// because the person's absence has begun or ended.
    var behind: Int64 = 0
    /// The excerpt's number of the last event that cannot be repeated.
    var floor: UInt64 = 0
    /// The events by which the topic became the excerpt; nil = it has changed since, or was distinct from the start.
    var transition: Transition?

    /// The events by which a topic became an excerpt, and the topic's number at that time.
    struct Transition: Sendable {
        let topicNumber: UInt64
        let events: [WireItem]
    }

    /// The excerpt's number, by the topic's.
    func number(_ topicNumber: UInt64) -> UInt64 { UInt64(Int64(topicNumber) - behind) }

    func hides(_ owner: AccountID?) -> Bool { owner.map(absent.contains) ?? false }
}

/// The excerpts of a topic. Those that differ are kept until the home sleeps, because clients hold their numbers.
extension TopicStream {
    /// Most excerpts that do not differ from the topic. Beyond it those without a reader are dropped.
    private static let excerptsMax = 1_024

    /// What an account gets instead of the topic; nil = the topic.
    public func excerpt(for account: AccountID) -> TopicExcerpt? { excerpts[account] }

    // MARK: Who is absent

    /// Notes who is absent for an account that begins to follow and has no other device that follows.
    /// - Returns: whether what a client holds of the topic or the former excerpt is good.
    mutating func follow(_ account: AccountID, without absent: Set<AccountID>) -> Bool {
        let former = excerpts[account]
        guard absent != former?.absent ?? [] else { return true }
        guard former?.isDistinct == true || !absent.isEmpty else {
            excerpts[account] = nil
            return true
        }
        var excerpt = former ?? TopicExcerpt(absent: absent)
        excerpt.absent = absent
        let isHere = instances.values.contains { excerpt.hides($0.owner) }
        let lastHidden = recent.last { excerpt.hides($0.owner) }?.item.event.sequence
        excerpt.isDistinct = excerpt.isDistinct || isHere || lastHidden != nil
        let isGood = former?.isDistinct != true && !isHere
        excerpt.floor = isGood ? lastHidden ?? 0 : excerpt.number(cursor.sequence)
        excerpts[account] = excerpt
        return isGood
    }

    /// Other people are absent for an account that follows.
    /// - Returns: the events that say so, as if things of those people were removed or placed. Nil = the same people
    ///   were absent before.
    mutating func change(_ account: AccountID, toWithout absent: Set<AccountID>) -> [WireItem]? {
        let former = excerpts[account]
        let changed = absent.symmetricDifference(former?.absent ?? [])
        guard !changed.isEmpty else { return nil }
        var excerpt = former ?? TopicExcerpt(absent: [])
        var events: [WireItem] = []
        for (_, held) in instances.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let owner = held.owner, changed.contains(owner) else { continue }
            excerpt.behind -= 1
            let change = Self.change(held.state, isGone: absent.contains(owner))
            events.append(event(change, number: excerpt.number(cursor.sequence)))
        }
        excerpt.absent = absent
        let wasHere = !events.isEmpty || recent.contains { $0.owner.map(changed.contains) ?? false }
        if wasHere { excerpt.floor = excerpt.number(cursor.sequence) }
        excerpt.transition = excerpt.isDistinct ? nil : .init(topicNumber: cursor.sequence, events: events)
        excerpt.isDistinct = excerpt.isDistinct || wasHere
        excerpts[account] = excerpt
        return events
    }

    private static func change(_ state: WireInstance, isGone: Bool) -> WireEvent.OneOf_Change {
        if isGone {
            var left = WireLeft()
            left.instance = state.id
            return .left(left)
        }
        var entered = WireEntered()
        entered.instance = state
        return .entered(entered)
    }

    /// The events by which a device that was sent the topic goes over to the account's excerpt; nil = it needs a
    /// snapshot.
    func transition(of account: AccountID) -> [WireItem]? {
        guard let transition = excerpts[account]?.transition, transition.topicNumber == cursor.sequence else {
            return nil
        }
        return transition.events
    }

    /// From here on the account is sent bytes of its own: an absent person is in the home.
    mutating func makeDistinct(_ account: AccountID) { excerpts[account]?.isDistinct = true }

    /// Drops excerpts that are the same as the topic and have no reader, when there are too many.
    mutating func dropExcerpts(unless isRead: (AccountID) -> Bool) {
        guard excerpts.count > Self.excerptsMax else { return }
        excerpts = excerpts.filter { $0.value.isDistinct || isRead($0.key) }
    }

    // MARK: Events

    /// What an event is for the accounts that have excerpts.
    struct ExcerptNews {
        /// Their excerpts differ from the topic from this event on.
        var began: [AccountID] = []
        /// The event as it is in each excerpt that differs and does not leave it out.
        var items: [(account: AccountID, item: WireItem)] = []
    }

    /// Takes the event that was just published into the excerpts.
    mutating func takeIntoExcerpts(_ item: WireItem, of owner: AccountID?) -> ExcerptNews {
        var news = ExcerptNews()
        for account in Array(excerpts.keys) {
            guard var excerpt = excerpts[account] else { continue }
            if excerpt.hides(owner) {
                if !excerpt.isDistinct { news.began.append(account) }
                excerpt.isDistinct = true
                excerpt.behind += 1
                excerpts[account] = excerpt
            } else if excerpt.isDistinct {
                let number = excerpt.number(item.event.sequence)
                news.items.append((account, event(item.event.change, number: number)))
            }
        }
        return news
    }

    // MARK: Catching up

    /// As `continuation(after:)`, of an excerpt.
    public func continuation(of excerpt: TopicExcerpt, after seen: Cursor) -> [WireItem]? {
        let last = excerpt.number(cursor.sequence)
        guard seen.epoch == cursor.epoch, seen.sequence >= excerpt.floor, seen.sequence <= last else { return nil }
        let count = Int(clamping: last - seen.sequence)
        let missed = recent.filter { !excerpt.hides($0.owner) }.suffix(count)
        guard missed.count == count else { return nil }
        return [continued(seen)] + zip((seen.sequence + 1)..., missed).map { event($1.item.event.change, number: $0) }
    }

    /// As `snapshot(pageSize:)`, of an excerpt.
    public func snapshot(of excerpt: TopicExcerpt, pageSize: Int) -> [WireItem] {
        let states = instances.values.filter { !excerpt.hides($0.owner) }.map(\.state)
        let own = Cursor(epoch: cursor.epoch, sequence: excerpt.number(cursor.sequence))
        return snapshot(of: states, at: own, pageSize: pageSize)
    }
}
