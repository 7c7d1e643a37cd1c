internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// Views and the fan-out to followers, slow ones included (VIS-1, SES-7, SES-8).
extension Shard {
    /// Follows what the session sees of a cell.
    func follow(_ cell: CellID, _ session: Session) {
        follow(Topic(.cell(cell), session.shown), session)
        for scope in session.scopes where scope.isOverlay { follow(Topic(.cell(cell), scope), session) }
    }

    /// Follows what concerns the person, wherever they are.
    func followOwn(_ session: Session, _ user: Session.User) {
        if context.register.publishes.contains(.account) { follow(Topic(.account(user.account)), session) }
        for scope in session.scopes { followHome(of: scope, session) }
    }

    func follow(_ topic: Topic, _ session: Session) {
        guard session.follower != nil else { return }
        if case .cell(let cell) = topic.home { keepNumbersApart(cell, session) }
        followNumber += 1
        session.follows[topic] = Session.Follow(number: followNumber)
        let cursor = session.cursors.removeValue(forKey: topic)
        guard let request = request(for: topic, of: session, cursor: cursor) else { return }
        give(.follow(request), to: topic.home)
    }

    /// Where two cells of a view have one short number, the connection gets the long form of batches from here on. It
    /// happens where squares of 128 cells meet, and hardly anywhere there.
    private func keepNumbersApart(_ new: CellID, _ session: Session) {
        let isTaken = session.follows.keys.contains { topic in
            guard case .cell(let cell) = topic.home else { return false }
            return cell != new && cell.shortNumber == new.shortNumber
        }
        if isTaken { loop.readsShort(session.participant.connection, false) }
    }

    /// The request for a topic that the session follows.
    func request(for topic: Topic, of session: Session, cursor: Cursor? = nil) -> FollowRequest? {
        guard let account = session.follower, let number = session.follows[topic]?.number else { return nil }
        return FollowRequest(
            scope: topic.scope, participant: session.participant, account: account, absent: session.absent,
            cursor: cursor, number: number)
    }

    func unfollow(_ cells: [CellID], _ session: Session) {
        guard !cells.isEmpty else { return }
        let scopes = [session.shown] + session.scopes.filter(\.isOverlay)
        unfollow(cells.flatMap { cell in scopes.map { Topic(.cell(cell), $0) } }, session)
    }

    func unfollowAll(_ session: Session) { unfollow(session.follows.keys, session) }

    func unfollow(_ topics: [Topic], _ session: Session) {
        // A person may hide from guests what waits for one who has looked elsewhere.
        guard !session.isLooking else { return cutOff(topics, session) }
        let connection = session.participant.connection
        stopFollowing(topics, session) { for key in $0 { loop.unfollow(key, connection) } }
    }

    /// The session has lost its right to topics: from here on no byte of them is sent.
    func cutOff(_ topics: [Topic], _ session: Session) {
        stopFollowing(topics, session) { loop.revoke($0, session.participant.connection) }
    }

    /// Tells the homes that the session follows their topics no more, and then the session.
    /// - Parameter leave: takes the connection out of the tables of fan-out.
    private func stopFollowing(_ topics: [Topic], _ session: Session, _ leave: (Set<FanOutKey>) -> Void) {
        var (keys, answered): (Set<FanOutKey>, [Topic]) = ([], [])
        for topic in topics {
            guard let follow = session.follows.removeValue(forKey: topic) else { continue }
            give(.unfollow(topic.scope, session.participant), to: topic.home)
            keys.insert(session.key(of: topic, follow))
            if follow.isAnswered { answered.append(topic) }
        }
        guard !keys.isEmpty else { return }
        leave(keys)
        for topic in answered { sayUnfollowed(topic, to: session) }
    }

    /// Topics that the client held and that are not in its view any more are none of its business (VIS-1).
    func forgetCursors(of session: Session) {
        guard !session.cursors.isEmpty else { return }
        for topic in session.cursors.keys { sayUnfollowed(topic, to: session) }
        session.cursors = [:]
    }

    private func sayUnfollowed(_ topic: Topic, to session: Session) {
        // A connection that ends or has ended needs no goodbye from each of its topics.
        guard self.session(of: session.participant) === session, !session.isDismissed else { return }
        var unfollowed = WireUnfollowed()
        unfollowed.topic = topic.name
        var item = WireItem()
        item.unfollowed = unfollowed
        send(item, to: session)
    }

    func sendResync(of topic: Topic, to session: Session) {
        var resync = WireResync()
        resync.topic = topic.name
        var item = WireItem()
        item.resync = resync
        send(item, to: session)
    }

    /// A home has answered `follow`: its state, and from here on every event. The only way into a fan-out table, so the
    /// right is checked here, after all that may have happened to it since the session asked.
    func begin(
        following topic: Topic, _ participant: Participant, number: UInt64, group: UInt16, isExcerpt: Bool,
        items: [[UInt8]]
    ) {
        guard let session = session(of: participant), session.follows[topic]?.number == number,
            holds(topic.scope, session)
        else { return }
        session.follows[topic]?.isAnswered = true
        session.follows[topic]?.isExcerpt = isExcerpt
        let key = session.key(of: topic, session.follows[topic])
        loop.sendCatchUp(items, of: key, to: participant.connection)
        countRead(items, by: session)
        loop.follow(key, participant.connection, group: group)
    }

    /// Another device of the user has brought a thing of theirs into a cell that this one follows. Behind the snapshot,
    /// if that is still under way: it may not tell of the thing.
    func tellOwn(_ instance: WireInstance, to participant: Participant) {
        guard let session = session(of: participant), let cell = CellID(token: instance.cell) else { return }
        var named = WireOwnInstance()
        named.id = instance.id
        named.created = instance.created
        // In which of the cell's topics the thing is, its answer does not say.
        for (topic, follow) in session.follows where topic.home == .cell(cell) && follow.isAnswered {
            var item = WireItem()
            item.own.topic = topic.name
            item.own.instances = [named]
            send(item, to: session)
        }
    }

    /// A connection takes bytes again: what was dropped is told anew, what was left out is brought up to date.
    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {
        guard let session = session(connection), let account = session.follower else { return }
        let participant = session.participant
        for topic in stale.compactMap(Topic.init) where session.follows[topic]?.isAnswered == true {
            guard mayReadAgain(session) else { return }
            figures.resynchronised += 1
            renew(topic, session)
        }
        for topic in missed.compactMap(Topic.init) {
            guard let follow = session.follows[topic], follow.isAnswered, case .cell(let cell) = topic.home else {
                continue
            }
            inCell(cell, .sendKeyframe(topic.scope, to: participant, of: account, number: follow.number))
        }
    }

    /// Has a follower told the state of a topic anew; what it held of it is not good any more.
    func renew(_ topic: Topic, _ session: Session) {
        guard session.follower != nil else { return }
        loop.unfollow(session.key(of: topic, session.follows[topic]), session.participant.connection)
        followNumber += 1
        // Answered all the same, if it was: the client holds the topic, and must hear when it leaves its view.
        session.follows[topic]?.number = followNumber
        sendResync(of: topic, to: session)
        guard let request = request(for: topic, of: session) else { return }
        give(.resynchronise(request), to: topic.home)
    }

    /// The people who are in a cell now, for a follower who missed batches.
    func sendKeyframe(_ keyframe: [UInt8], of topic: Topic, to participant: Participant, number: UInt64) {
        guard let session = session(of: participant), let follow = session.follows[topic], follow.number == number
        else { return }
        loop.sendKeyframe(keyframe, of: session.key(of: topic, follow), to: participant.connection)
    }

    // MARK: Fan-out

    /// Sends each follower the count of hidden people, without the follower's own account.
    func broadcastCount(_ key: FanOutKey, _ news: HiddenCount.News, _ items: [Int: EncodedItem]) {
        loop.broadcastVolatile(key) { connection in
            guard let account = session(connection)?.user?.account, let people = news.people(for: account) else {
                return nil
            }
            return items[people].map { ($0.proto, $0.json) }
        }
    }
}

/// The loop's name of a topic, and back. Everyone's topic of a cell has sorts 0 and group 0.
extension FanOutKey {
    /// - Parameter connection: whose alone it is; nil = of all that are sent the topic itself.
    init(_ topic: Topic, for connection: ConnectionID? = nil) {
        let scope = topic.scope
        let owner = connection.map { UInt64(UInt32(truncatingIfNeeded: $0)) + 1 } ?? 0
        self.init(
            sorts: owner << 16 | UInt64(topic.homeKind.rawValue) << 8 | UInt64(scope.kind.letter),
            place: topic.homeNumber, group: scope.id)
    }

    fileprivate var home: HomeAddress? {
        HomeKind(rawValue: UInt8(truncatingIfNeeded: sorts >> 8)).flatMap { HomeAddress($0, number: place) }
    }
}

extension Topic {
    init?(_ key: FanOutKey) {
        guard let home = key.home, let scope = Scope(letter: UInt8(key.sorts & 0xFF), id: key.group) else { return nil }
        self.init(home, scope)
    }
}
