internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// Connections for whose account people are absent (FRD-7).
extension Shard {
    /// Begins or ends an absence for the account's connections here. `done` is called when all homes whose topics they
    /// follow go by it, and nothing of the person waits for them.
    ///
    /// The homes are asked about an absence that holds already, too: it may have begun a moment ago by a block of the
    /// other person or of another device, and the homes have not gone by it yet. An answer behind it waits as long.
    func changeAbsence(_ right: RightChange, done: @escaping @Sendable (isolated Shard) -> Void) {
        var requests: [(home: HomeAddress, request: FollowRequest)] = []
        for case let session? in sessions where session.user?.account == right.account {
            let isNew = right.isGrant ? session.add(right.scope) : session.remove(right.scope)
            if isNew { seclude(right.account, in: session.space, .absent(session.absent)) }
            requests += session.follows.keys.compactMap { topic in
                request(for: topic, of: session).map { (topic.home, $0) }
            }
        }
        guard !requests.isEmpty else { return done(self) }
        let shard = self
        let countdown = Countdown(from: requests.count) { shard.assumeIsolated { done($0) } }
        for (home, request) in requests {
            absenceNumber += 1
            // First, because a home of this loop answers at once.
            absencesUnderWay[absenceNumber] = { countdown.step() }
            give(.change(request, number: absenceNumber), to: home)
        }
    }

    /// From here on the session gets its account's own excerpt of a topic, or its excerpt changes.
    func begin(excerptOf topic: Topic, _ participant: Participant, number: UInt64, _ items: ExcerptItems) {
        guard let session = session(of: participant), let follow = session.follows[topic], follow.number == number,
            follow.isAnswered
        else { return }
        let connection = participant.connection
        let former = session.key(of: topic, follow)
        let isBehind = items.revokes ? loop.revoke([former], connection) : loop.unfollow(former, connection)
        session.follows[topic]?.isExcerpt = true
        let key = FanOutKey(topic, for: connection)
        loop.follow(key, connection)
        guard let events = items.events, !isBehind else { return renew(topic, session) }
        let isText = participant.format == .json
        for event in events { loop.broadcastEvent(key, binary: event, text: isText ? event : nil) }
        if let presence = items.presence {
            loop.broadcastVolatile(key, binary: presence, text: isText ? presence : nil)
        }
    }
}
