internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// Guests who look (SES-14): views without an account. They are in no cell, nobody sees or counts them, and they follow
/// topics of their own (`Scope.guests`).
extension Shard {
    /// The component of their refusals.
    static let guests = "guests"
    private static let session = "session"
    /// Guests of a loop that are sent away in a second of overload: a share, and at least some.
    private static let shedShare = 4
    private static let shedLeast = 50
    /// From a guest's position to the first byte of a cell that comes into its view. A cell that sleeps wakes in less,
    /// so that the time does not say whether somebody was there in the minutes before.
    static let lookDelay = Duration.milliseconds(100)

    // MARK: Looking

    /// Refuses what a guest may not do, or not now.
    func admitGuest(_ session: Session, component: String) throws(Refusal) {
        guard case .guest = session.stage, context.configuration.guests.look else {
            throw session.refusalWithoutAccount(component: component)
        }
        guard shedsGuests else { return }
        session.wasShed = true
        figures.guestRefusals[.overload, default: 0] += 1
        throw Refusal(.overloaded, component: Self.guests, retryAfter: overloadWait)
    }

    /// The same for what is answered: that has a budget.
    func admitQuestion(_ session: Session, component: String) throws(Refusal) {
        try admitGuest(session, component: component)
        guard let (shortage, wait) = context.guestViews.ask(at: session.address, now: now) else { return }
        figures.guestRefusals[shortage, default: 0] += 1
        throw Refusal(.rateLimited, component: Self.guests, retryAfter: wait)
    }

    /// The sender of a request: the person; for a question that guests may ask, also a guest.
    /// - Throws: `not_signed_in`, `hello_required`, `overloaded`, and `forbidden` for a role that may not ask.
    func sender(_ session: Session, asking type: any Command.Type) throws(Refusal) -> Sender {
        if let sender = session.sender {
            try require(type.senders, session, component: Self.session)
            return sender
        }
        guard type.senders.contains(.guest) else { throw session.refusalWithoutAccount(component: Self.session) }
        try admitQuestion(session, component: Self.session)
        return session.onlooker
    }

    /// Moves a guest's view, and begins it at the first position.
    /// - Throws: `try_again` where the guests' budgets are used up: nothing has changed then.
    func look(_ session: Session, at place: GeoPoint) throws(Refusal) {
        try admitGuest(session, component: Self.guests)
        let isNew = !session.isLooking
        if isNew, let (shortage, limit) = context.guestViews.begin(at: session.address, now: now) {
            throw refusal(of: shortage, limit)
        }
        let before = session.tracker
        let change = move(session, to: place.coordinate)
        guard !session.tracker.view.isEmpty else {
            session.tracker = before
            if isNew { context.guestViews.end(at: session.address) }
            figures.guestRefusals[.cells, default: 0] += 1
            throw noGround(for: session)
        }
        (session.isLooking, session.wasShed) = (true, false)
        session.position = place
        lookInto(change.followed, session)
        unfollow(change.unfollowed, session)
        let cursors = session.cursors.filter { topic, _ in
            guard case .cell(let cell) = topic.home else { return false }
            return topic.scope == .guests && session.tracker.view.contains(cell)
        }
        for topic in cursors.keys { session.cursors[topic] = nil }
        forgetCursors(of: session)
        session.cursors = cursors
    }

    /// Cells have come into a guest's view: they wake now, and are followed when that must be done.
    func lookInto(_ cells: [CellID], _ session: Session) {
        guard !cells.isEmpty else { return }
        session.follows.makeRoom(for: cells.count)
        let due = now + Self.lookDelay
        for cell in cells {
            give(.fire, to: .cell(cell))
            looks.append((due, session.participant, cell))
        }
        loop.requestTick(at: due)
    }

    /// Follows the cells whose time has come.
    func followLooks() {
        while let look = looks.first, look.due <= now {
            looks.removeFirst()
            guard let session = session(of: look.participant), session.isLooking,
                session.tracker.view.contains(look.cell), session.follows[Topic(.cell(look.cell), .guests)] == nil
            else { continue }
            follow(look.cell, session)
        }
        if let next = looks.first { loop.requestTick(at: next.due) }
    }

    /// Counts what a guest is sent of a cell.
    func countRead(_ items: [[UInt8]], by session: Session) {
        guard session.isLooking else { return }
        let bytes = items.reduce(0) { $0 + $1.count }
        context.guestViews.spend(bytes: bytes, at: session.address, now: now)
    }

    /// Counts what a guest is answered, as it is sent: a page of a tour is read like a cell.
    func countAnswer(_ bytes: [UInt8], to session: Session) {
        guard case .guest = session.stage else { return }
        context.guestViews.spend(bytes: bytes.count, at: session.address, now: now)
    }

    /// Whether a connection that missed something is told its topics anew. The view of a guest that has read too much
    /// ends instead.
    func mayReadAgain(_ session: Session) -> Bool {
        guard session.isLooking, !context.guestViews.mayRead(at: session.address, now: now) else { return true }
        figures.guestRefusals[.bytes, default: 0] += 1
        stopLooking(session)
        refuse(session, id: 0, noGround(for: session))
        return false
    }

    private func noGround(for session: Session) -> Refusal {
        Refusal(
            .tryAgain, "guests have looked at much new ground", component: Self.guests,
            retryAfter: max(.seconds(1), context.guestViews.waitForCell(at: session.address, now: now)))
    }

    private func refusal(of shortage: GuestViews.Shortage, _ limit: Int) -> Refusal {
        figures.guestRefusals[shortage, default: 0] += 1
        let text =
            shortage == .all
            ? Refusal.Text("\(limit) guests look around already")
            : Refusal.Text("\(limit) guests of this address look around already")
        return Refusal(
            .tryAgain, text, component: Self.guests, retryAfter: .seconds(30), details: ["limit": "\(limit)"])
    }

    /// Ends a guest's view: the connection ends, or is somebody's from now on.
    func stopLooking(_ session: Session) {
        guard session.isLooking else { return }
        unfollowAll(session)
        session.isLooking = false
        session.tracker = ViewTracker()
        session.position = nil
        context.guestViews.end(at: session.address)
    }

    // MARK: Overload

    /// Guests are the first for whom there is no time, no memory and no room (QOS-5): a signed-in person never waits
    /// for one.
    var shedsGuests: Bool {
        overload.level > .none || context.memory.level > .enough || context.doors.admission.isNearlyFull
    }

    /// Sends guests away while there is too much to do, some every second; all lose their views where the operator
    /// allows none any more. Called about once a second.
    func shedGuests() {
        guard shedsGuests || !context.configuration.guests.look else { return }
        // Those who wait for room keep it from people.
        let holdsRoom = context.doors.admission.isNearlyFull
        let looking = sessions.compactMap { $0 }
            .filter { ($0.isLooking || holdsRoom && $0.wasShed) && !$0.isDismissed }
        guard context.configuration.guests.look else { return looking.forEach(stopLooking) }
        for session in looking.prefix(max(Self.shedLeast, looking.count / Self.shedShare)) {
            // One that is signing in is about to be a person's.
            guard case .guest = session.stage else { continue }
            figures.guestRefusals[.overload, default: 0] += 1
            close(session, .overloaded, reconnectAfter: overloadWait)
        }
    }

    // MARK: Choices of people (PRF-5)

    /// Goes by what people have chosen about guests: what they have left comes into the views of guests on this loop's
    /// cells, or leaves them.
    private func goByGuestSight(of person: AccountID) {
        for cell in homes.allCells { cell.assumeIsolated { $0.goByGuestSight(of: person) } }
        flushOutgoing()
    }

    /// Guests who read slowly are not sent any more what waits for them: it may be of the person, and of a thing that
    /// is gone since, so that its cell knows nothing of it.
    private func withdrawFromGuests(whatHides person: AccountID) {
        guard !context.names.guestsSee(person) else { return }
        flushOutgoing()
        for session in sessions.lazy.compactMap(\.self) where session.isLooking {
            let connection = session.participant.connection
            guard loop.isBehind(connection) == true else { continue }
            loop.withdraw(Set(session.follows.map { session.key(of: $0, $1) }), from: connection)
        }
    }

    /// The same on every loop, one after the other: when it returns, no guest is sent anything that a person hides.
    nonisolated static func goByGuestSight(of person: AccountID, on shards: [Shard]) async {
        for shard in shards { await shard.goByGuestSight(of: person) }
        // By now each loop has what the cells of all have said.
        for shard in shards { await shard.withdrawFromGuests(whatHides: person) }
    }
}

extension Session {
    /// Who follows topics and asks: the account; for a guest who looks, one of nobody.
    var follower: AccountID? { user?.account ?? (isLooking ? guestAccount : nil) }

    /// The sender of a guest's question. It reaches the cells that the guest follows: one that has only just come into
    /// view is woken, and how soon an answer comes would say whether it was awake (`Shard.lookDelay`).
    var onlooker: Sender {
        let followed = tracker.view.filter { follows[Topic(.cell($0), .guests)] != nil }
        return Sender(
            participant: participant, account: guestAccount, name: "", position: position, view: CellSet(followed))
    }

    /// The account of nobody by which it asks.
    var guestAccount: AccountID {
        guard let network = address?.network else { return .guest(UInt64(participant.connection)) }
        return .guest(UInt64(bitPattern: Int64(network.hashValue)))
    }
}
