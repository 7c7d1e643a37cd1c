internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// A piece of ground: the instances placed there, the people in it and everybody who watches it (SES-6 to SES-10).
///
/// It lives on its shard's thread. `Home` has what all homes have in common; here is its presence.
actor Cell: Home {
    nonisolated let id: CellID
    nonisolated let shard: Shard
    let host: HomeHost
    var board: PresenceBoard
    var keyframes: [KeyframeKey: [UInt8]] = [:]
    /// The demo's walkers who are here, as guests see them; nil = there are none.
    var walkers: PresenceBoard?
    private var presence = PresenceStage.told
    /// The cells that tell their presence together with this one.
    private let neighbourhood: CellID
    private var lastTold: MonotonicTime = .epoch
    /// Poses that the limit of bytes a second leaves for each receiver now (SES-8).
    private var allowance = 0.0
    var figures = CellFigures()

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }
    nonisolated var address: HomeAddress { .cell(id) }

    private enum PresenceStage {
        /// Nothing waits to be told.
        case told
        /// The shard calls `tellPresence` when the neighbourhood leaves.
        case due
        /// The shard has released the cell; it sends nothing more.
        case ended
    }

    /// The properties by which keyframes of one moment differ.
    struct KeyframeKey: Hashable {
        let format: WireFormat
        /// The count that is told.
        let people: Int
    }

    init(id: CellID, shard: Shard, context: ServerContext, now: MonotonicTime) {
        self.id = id
        self.shard = shard
        host = HomeHost(.cell(id), context: context, now: now)
        neighbourhood = PresenceSchedule<Cell>.neighbourhood(of: id)
        board = PresenceBoard(cell: id, countHiddenBelow: context.configuration.presence.countHiddenBelow)
    }

    // MARK: Home

    var isEmpty: Bool { board.count == 0 && host.hasNoFollowers }

    func settingsApplied() { board.hideCounts(below: host.context.configuration.presence.countHiddenBelow) }

    /// Wakes at once: the first follower will need a snapshot.
    func began() {
        shard.assumeIsolated { shard in
            shard.figures.wakeUps += 1
            shard.touched(self)
        }
        wake()
    }

    func ended() {
        presence = .ended
        shard.assumeIsolated { shard in
            shard.figures.sleeps += 1
            shard.retire(self)
        }
    }

    func turnTook(microseconds: UInt64) { figures.turnTook(microseconds: microseconds) }

    func published() { figures.events += 1 }

    func resumed() { figures.resumed += 1 }

    /// Something in the cell's statistics row has changed; the shard reads it at its next sample.
    func touched() {
        guard figures.touch() else { return }
        shard.assumeIsolated { $0.touched(self) }
    }

    // MARK: Volatile lane

    func enter(
        _ participant: Participant, of account: AccountID, as person: PresenceBoard.Person?, at sample: PoseSample,
        standing: Coordinate
    ) {
        if person != nil, !host.excerptReaders.isEmpty { beginExcerpts(without: account) }
        board.enter(participant, of: account, as: person, at: sample, standing: standing)
        enterWalker(participant, of: account, as: person, at: sample, standing: standing)
        regroup(participant, group(of: participant))
        presenceChanged(by: participant)
    }

    func move(_ participant: Participant, to sample: PoseSample, standing: Coordinate) {
        if let group = board.move(participant, to: sample, standing: standing) { regroup(participant, group) }
        walkers?.move(participant, to: sample, standing: standing)
        presenceChanged(by: participant)
    }

    /// A person stands here and is shown in another cell.
    func watch(_ participant: Participant, of account: AccountID, standing: Coordinate) {
        walkers?.leave(participant)
        guard let group = board.watch(participant, of: account, standing: standing) else { return }
        regroup(participant, group)
        presenceChanged(by: participant)
    }

    /// A session was taken over by another connection.
    func replace(_ old: Participant, with new: Participant) {
        board.replace(old, with: new)
        walkers?.replace(old, with: new)
    }

    func leave(_ participant: Participant) {
        board.leave(participant)
        walkers?.leave(participant)
        regroup(participant, group(of: participant))
        restIfEmpty()
        presenceChanged(by: participant)
    }

    private func presenceChanged(by participant: Participant) {
        guard board.isDue else { return }
        let arrival = lend { $0.takeArrival() }
        let change = (neighbourhood, arrival, host.viewers)
        let shift = shard.enter(with: change) { $0.presenceChanged(in: $1.0, $1.1, receivers: $1.2) }
        awaitDeparture()
        guard let shift, let arrival else { return }
        lend { $0.expectShift(in: arrival.slot, by: shift) }
        shard.enter(with: (participant, shift)) {
            $0.dispatch(.connection($1.0, .shiftPositions($1.1)), to: $1.0.place)
        }
    }

    private func awaitDeparture() {
        guard presence == .told else { return }
        shard.enter(with: (self, neighbourhood)) { $0.presenceDue($1.0, in: $1.1) }
        presence = .due
    }

    /// Sets the fan-out group of a user: the place decides which poses of a crowd they get.
    private func regroup(_ participant: Participant, _ group: UInt16) {
        shard.assumeIsolated { [id] in
            $0.dispatch(.connection(participant, .group(id, group)), to: participant.place)
        }
    }

    /// Sends followers the people who moved since the last batch. The shard calls it when the neighbourhood leaves.
    /// - Parameters:
    ///   - withCounts: false = a change of the count waits for a later batch (QOS-5).
    ///   - newcomersWait: the least time since the last batch after which news of newcomers alone leaves.
    /// - Returns: false = nothing has left.
    func tellPresence(now: MonotonicTime, withCounts: Bool, newcomersWait: Duration) -> Bool {
        let settings = host.context.configuration.presence
        guard presence != .ended else { return false }
        guard now - lastTold >= newcomersWait || !board.isDue || !lend({ $0.hasNewsOfNewcomersOnly }) else {
            shard.enter(with: (self, neighbourhood)) { $0.presenceDue($1.0, in: $1.1) }
            loop.requestTick(at: lastTold + newcomersWait)
            return false
        }
        presence = .told
        guard board.isDue else { return false }
        keyframes = [:]
        if board.hasNewsOfPeople {
            let room = room(now: now, bytesPerSecond: settings.crowdBytesPerSecond)
            lastTold = now
            let fits = board.fits(posesMax: room)
            allowance -= Double(fits ? board.movedCount : room)
            if fits { tellAll(now: now) } else { tellCrowd(now: now, posesMax: room) }
            tellWalkers(now: now)
        }
        if withCounts, let news = board.takeCountNews(), host.viewers > 0 { tellCount(news) }
        // Not everything may have been told yet, and counts may be held back.
        if board.isDue { awaitDeparture() }
        return true
    }

    /// How many poses each receiver may be told now, by its bytes and by the loops' time.
    private func room(now: MonotonicTime, bytesPerSecond: Int) -> Int {
        let (receivers, loops, elapsed) = (host.viewers, host.loopsOfViewers, now - lastTold)
        let rate = Double(bytesPerSecond / PoseRecord.byteCount)
        let seconds = Double(min(elapsed, Self.allowanceTime).microseconds) / 1_000_000
        allowance = min(allowance + rate * seconds, rate * Double(Self.allowanceTime.milliseconds) / 1_000)
        let moved = board.movedCount
        let room = shard.assumeIsolated {
            $0.presence.room(for: moved, receivers: receivers, loops: loops, elapsed: elapsed, now: now)
        }
        return min(room, Int(allowance))
    }

    /// Bytes that a receiver was not sent add up over this time at most.
    private static let allowanceTime: Duration = .milliseconds(500)

    private func tellAll(now: MonotonicTime) {
        let absent = absentSlots()
        let batch = board.takeBatch(now: now)
        if host.viewers > 0 { broadcastVolatile(batch, absent, withBase: board.isBaseNew) }
    }

    private func tellCrowd(now: MonotonicTime, posesMax: Int) {
        let absent = absentSlots()
        let batch = board.takeCrowdBatch(now: now, posesMax: posesMax)
        figures.thinned += UInt64(batch.thinned)
        touched()
        guard host.viewers > 0 else { return }
        if let roster = batch.roster { broadcastVolatile(roster, absent, withBase: true) }
        // JSON costs many times as much, and each block's batch is another.
        let inJSON = Set(host.viewersOfJSON.compactMap { batch.places[Int(group(of: $0))] })
        let batches = batch.batches.enumerated().map { encodedBatch($1, json: inJSON.contains($0), withBase: true) }
        dispatchToViewers(.crowd(batch.places.map { place in place.map { batches[$0] } }))
        for reader in absent {
            guard let place = batch.places[Int(group(of: reader.participant))] else { continue }
            tellExcerpt(batch.batches[place], batches[place], to: reader)
        }
    }

    /// Sends followers the count of hidden people, where it has changed for them.
    private func tellCount(_ news: HiddenCount.News) {
        let items = Dictionary(
            uniqueKeysWithValues: news.counts.map { count in
                (count, encodedBatch(board.batch(people: count), json: host.viewersReadJSON, withBase: true))
            })
        dispatchToViewers(.count(news, items))
        for reader in absentSlots() { tellExcerpt(.count(news, items), of: reader.scope, to: reader.participant) }
    }

    private func broadcastVolatile(_ presence: WirePresence, _ absent: [AbsentSlots], withBase: Bool) {
        let encoded = encodedBatch(presence, json: host.viewersReadJSON, withBase: withBase)
        dispatchToViewers(.presence(encoded))
        for reader in absent { tellExcerpt(presence, encoded, to: reader) }
    }

    /// Sends a batch to a reader of an excerpt: the shared bytes, unless a person in it is absent.
    private func tellExcerpt(_ batch: WirePresence, _ shared: EncodedItem, to reader: AbsentSlots) {
        let item: EncodedItem
        switch PresenceBoard.excerpt(of: batch, without: reader.slots) {
        case .whole: item = shared.inFull
        case .part(let part): item = encodedBatch(part, json: reader.participant.format == .json, withBase: true).inFull
        case .nothing: return
        }
        tellExcerpt(.presence(item), of: reader.scope, to: reader.participant)
    }

    /// Sends the people of the cell to all who have it in view, by any selection of instances (VIS-5).
    private func dispatchToViewers(_ work: TopicWork) {
        if !host.followers.isEmpty { dispatch(work, of: .everyone, to: host.followers) }
        for (scope, followers) in host.scopedFollowers where scope.isView { dispatch(work, of: scope, to: followers) }
    }

    /// - Parameter withBase: whether the short form has the base height.
    func encodedBatch(_ presence: WirePresence, json: Bool, withBase: Bool) -> EncodedItem {
        lend { board in
            EncodedItem(
                proto: board.item(presence, for: .proto), json: json ? board.item(presence, for: .json) : nil,
                short: board.short(presence, withBase: withBase).map { board.item($0, for: .proto) })
        }
    }
}
