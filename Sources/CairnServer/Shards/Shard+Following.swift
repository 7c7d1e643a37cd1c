internal import CairnCore
internal import CairnGeo
internal import CairnWebSocket
internal import CairnWire

/// Who watches what: views, fan-out, and those who fell behind (VIS-1, SES-7, SES-8).
extension Shard {
    func follow(_ cell: CellID, _ session: Session) {
        guard let account = session.user?.account else { return }
        followNumber += 1
        let (participant, number) = (session.participant, followNumber)
        session.follows[cell] = Session.Follow(number: number)
        let cursor = session.cursors.removeValue(forKey: cell)
        inCell(cell) { $0.follow(participant, of: account, cursor: cursor, number: number) }
    }

    func unfollow(_ cell: CellID, _ session: Session) {
        guard let follow = session.follows.removeValue(forKey: cell) else { return }
        let participant = session.participant
        inCell(cell) { $0.unfollow(participant) }
        loop.unfollow(FanOutKey(cell), participant.connection)
        if follow.isAnswered { sayUnfollowed(cell, to: session) }
    }

    /// Topics that the client held and that are not in its view any more are none of its business (VIS-1).
    func forgetCursors(of session: Session) {
        guard !session.cursors.isEmpty else { return }
        for cell in session.cursors.keys { sayUnfollowed(cell, to: session) }
        session.cursors = [:]
    }

    private func sayUnfollowed(_ cell: CellID, to session: Session) {
        // Whoever has gone needs no goodbye from each of their cells.
        guard self.session(of: session.participant) === session else { return }
        var unfollowed = WireUnfollowed()
        unfollowed.topic = Topic(cell: cell, scope: .everyone).name
        var item = WireItem()
        item.unfollowed = unfollowed
        send(item, to: session)
    }

    /// A cell has answered `follow`: its state, and from here on every event.
    func begin(following cell: CellID, _ participant: Participant, number: UInt64, group: UInt16, items: [[UInt8]]) {
        guard let session = session(of: participant), session.follows[cell]?.number == number else { return }
        session.follows[cell]?.isAnswered = true
        for item in items { loop.sendCatchUp(item, to: participant.connection) }
        loop.follow(FanOutKey(cell), participant.connection, group: group)
    }

    /// Another device of the user has brought a thing of theirs into a cell that this one follows. Behind the snapshot,
    /// if that is still under way: it may not tell of the thing.
    func tellOwn(_ instance: WireInstance, to participant: Participant) {
        guard let session = session(of: participant), let cell = CellID(token: instance.cell),
            session.follows[cell]?.isAnswered == true
        else { return }
        var named = WireOwnInstance()
        named.id = instance.id
        named.created = instance.created
        var item = WireItem()
        item.own.topic = Topic(cell: cell, scope: .everyone).name
        item.own.instances = [named]
        send(item, to: session)
    }

    /// A connection takes bytes again: what was dropped is told anew, what was left out is brought up to date.
    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {
        guard let session = session(connection), let account = session.user?.account else { return }
        let participant = session.participant
        for cell in stale.compactMap(CellID.init) where session.follows[cell]?.isAnswered == true {
            figures.resynchronised += 1
            loop.unfollow(FanOutKey(cell), connection)
            followNumber += 1
            let number = followNumber
            // Answered all the same: the client holds the topic, and must hear when it leaves its view.
            session.follows[cell]?.number = number
            var resync = WireResync()
            resync.topic = Topic(cell: cell, scope: .everyone).name
            var item = WireItem()
            item.resync = resync
            send(item, to: session)
            inCell(cell) { $0.resynchronise(participant, of: account, number: number) }
        }
        for cell in missed.compactMap(CellID.init) {
            guard let follow = session.follows[cell], follow.isAnswered else { continue }
            inCell(cell) { $0.sendKeyframe(to: participant, of: account, number: follow.number) }
        }
    }

    /// The people who are in a cell now, for a follower who missed batches.
    func sendKeyframe(_ keyframe: [UInt8], of cell: CellID, to participant: Participant, number: UInt64) {
        guard let session = session(of: participant), session.follows[cell]?.number == number else { return }
        loop.sendKeyframe(keyframe, of: FanOutKey(cell), to: participant.connection)
    }

    // MARK: Fan-out

    func broadcastEvent(_ cell: CellID, _ item: EncodedItem) {
        loop.broadcastEvent(FanOutKey(cell), binary: item.proto, text: item.json)
    }

    func broadcastVolatile(_ cell: CellID, _ item: EncodedItem) {
        loop.broadcastVolatile(FanOutKey(cell), binary: item.proto, text: item.json)
    }

    func broadcastVolatile(_ cell: CellID, _ items: [EncodedItem?]) {
        loop.broadcastVolatile(FanOutKey(cell), binary: items.map { $0?.proto }, text: items.map { $0?.json })
    }

    /// Tells each follower how many others there are, without their own account.
    func broadcastCount(_ cell: CellID, _ news: HiddenCount.News, _ items: [Int: EncodedItem]) {
        loop.broadcastVolatile(FanOutKey(cell)) { connection in
            guard let account = session(connection)?.user?.account, let people = news.people(for: account) else {
                return nil
            }
            return items[people].map { ($0.proto, $0.json) }
        }
    }

    // MARK: Pace of presence

    /// A cell has something to tell about people. It will be asked for it when the pace allows.
    func presenceDue(_ cell: Cell, on beat: PresencePace.Beat) {
        switch beat {
        case .usual: duePresence.append(cell)
        case .crowded: dueCrowds.append(cell)
        }
    }

    func presenceOffered(receivers: Int) {
        presence.offer(receivers: receivers, now: now)
    }

    /// Asks all cells with news, when their time has come; otherwise sees to it that the loop comes back.
    func tellPresenceIfDue() {
        if !duePresence.isEmpty, beats(.usual) { tell(taken(&duePresence)) }
        if !dueCrowds.isEmpty, beats(.crowded) { tell(taken(&dueCrowds)) }
    }

    private func beats(_ beat: PresencePace.Beat) -> Bool {
        let time = now
        let due = presence.nextTick(beat, now: time)
        guard due <= time else {
            loop.requestTick(at: due)
            return false
        }
        presence.ticked(beat, now: time)
        return true
    }

    private func taken(_ cells: inout [Cell]) -> [Cell] {
        defer { cells.removeAll(keepingCapacity: true) }
        return cells
    }

    private func tell(_ cells: [Cell]) {
        let (time, withCounts) = (now, presence.tellsCounts)
        for cell in cells { cell.assumeIsolated { $0.tellPresence(now: time, withCounts: withCounts) } }
        figures.presenceBatches += UInt64(cells.count)
    }
}

extension FanOutKey {
    init(_ cell: CellID) {
        self.init(high: 0, low: cell.rawValue)
    }
}

extension CellID {
    init?(_ key: FanOutKey) {
        guard key.high == 0 else { return nil }
        self.init(rawValue: key.low)
    }
}
