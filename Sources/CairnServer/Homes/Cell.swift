internal import CairnCore
internal import CairnFeatures
internal import CairnGeo
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// A piece of ground: the instances placed there, the people in it and everybody who watches it (SES-6 to SES-10).
///
/// It lives on its shard's thread. A turn runs from check to change without `await` (invariant 9); what it wants told
/// waits in the core until it is on disk.
actor Cell {
    nonisolated let id: CellID
    nonisolated let shard: Shard
    var world: World
    var core: HomeCore
    var board: PresenceBoard
    /// Followers of everyone's topic; presence is for them.
    var followers = Followers()
    /// Followers of the topics of further scopes.
    var scopedFollowers: [Scope: Followers] = [:]
    /// What came while the stored state was being read; nil = awake.
    var waiting: [HomeWaiter<Cell>]? = []
    var snapshots: [Scope: SnapshotCache] = [:]
    var keyframes: [KeyframeKey: [UInt8]] = [:]
    private var isPresenceDue = false
    /// More people than everybody can be told about in full.
    private var isCrowded = false
    private var lastTold: UInt64 = 0
    /// Another has taken its place: who was here is there, and nobody is told anything of this one.
    private var isRetired = false
    /// When the last person or follower left, monotonic microseconds.
    private var emptySince: UInt64
    /// Whether the shard looks from time to time if the cell may sleep; it does at first.
    private var isResting = true
    var figures = CellFigures()
    /// Operators who wait for the disk to take a turn, by its number.
    var withdrawals: [UInt64: @Sendable (Bool) -> Void] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }

    /// What keyframes of one moment differ in.
    struct KeyframeKey: Hashable {
        let format: WireFormat
        /// The count that is told.
        let people: Int
    }

    init(id: CellID, shard: Shard, world: World, now: UInt64) {
        self.id = id
        self.shard = shard
        self.world = world
        emptySince = now
        core = HomeCore(
            address: .cell(id), register: world.register, settings: world.settings, identifiers: world.identifiers,
            now: world.clock.now, lasting: world.clock.lasting, start: .random(),
            recentMax: world.configuration.cells.ringEvents)
        board = PresenceBoard(cell: id, countHiddenBelow: world.configuration.presence.countHiddenBelow)
    }

    // MARK: Waking and sleeping (SES-10)

    /// Takes the stored state and whatever came meanwhile, in order.
    func wake(_ answers: [[[Row]]]) {
        world.store.report(core.restore(answers))
        touch()
        let backlog = waiting ?? []
        waiting = nil
        for waiter in backlog { waiter.work(self) }
    }

    func whenAwake(for request: Request? = nil, _ work: @escaping @Sendable (isolated Cell) -> Void) {
        touch()
        if waiting == nil { work(self) } else { waiting?.append(HomeWaiter(request: request, work: work)) }
    }

    /// What is stored cannot be read: requests, and what other cells ask, are refused once they have waited for long
    /// enough.
    /// - Returns: whether it is still being read.
    func refuseLate(now: UInt64) -> Bool {
        for request in HomeWaiter.takeLate(from: &waiting, now: now) {
            shard.assumeIsolated { $0.settle(request, .refusal(HomeWaiter<Cell>.unreadable)) }
        }
        for plea in HomeWaiter.takeLatePleas(from: &waiting, now: now) {
            carryOut(HomeCore.actions(ifNotHeard: plea))
        }
        return waiting != nil
    }

    /// Whether nobody would miss the cell if it slept: nobody there or watching, nothing under way.
    /// - Parameter isCrowdedOut: too many cells rest for it to rest for as long as it might.
    func rest(now: UInt64, isCrowdedOut: Bool) -> Rest {
        guard isEmpty else {
            isResting = false
            return .isNeeded
        }
        guard waiting == nil, core.isQuiet else {
            emptySince = now
            return .goesOn
        }
        // `now` is the sweep's, which somebody may have left during.
        let time = now - min(now, emptySince)
        let isOver = time >= UInt64(world.configuration.cells.sleepSeconds) * 1_000_000
        return isOver || isCrowdedOut ? .isOver : .goesOn
    }

    private var isEmpty: Bool { board.count == 0 && followers.isEmpty && scopedFollowers.isEmpty }

    func restIfEmpty() {
        guard isEmpty else { return }
        emptySince = shard.now
        guard !isResting else { return }
        isResting = true
        shard.assumeIsolated { $0.resting.cells.append(self) }
    }

    func adopt(_ world: World) {
        self.world = world
        core.adopt(world.settings)
        board.hideCounts(below: world.configuration.presence.countHiddenBelow)
    }

    // MARK: Durable lane

    func receive(_ request: Request) {
        whenAwake(for: request) { cell in cell.turn { $0.receive(request, now: $1, lasting: $2) } }
    }

    func hear(_ message: any HomeMessage) {
        let work: @Sendable (isolated Cell) -> Void = { cell in
            cell.turn { $0.hear(message, now: $1, lasting: $2) }
            cell.retireIfLostAndQuiet()
        }
        guard waiting != nil else { return whenAwake(work) }
        touch()
        let plea = message.ifNotHeard == nil ? nil : message
        waiting?.append(HomeWaiter(request: nil, work: work, plea: plea, since: shard.now))
    }

    /// Goes on with a request for which a cell of this id asked the store, perhaps one that this one has replaced.
    func resume(_ request: Request, rows: [Row]?) {
        whenAwake(for: request) { cell in cell.turn { $0.resume(request, rows: rows, now: $1, lasting: $2) } }
    }

    private func turn(_ decide: (inout HomeCore, Int64, Int64) -> [HomeCore.Action]) {
        let began = shard.now
        carryOut(decide(&core, world.clock.now, world.clock.lasting))
        figures.turnTook(microseconds: shard.now - began)
    }

    /// The disk has decided about turns. When the store refused one for good, the cell runs no more and is read anew
    /// once nothing is under way.
    func settled(_ fate: HomeFate) {
        touch()
        if let turn = fate.failed {
            world.logger.critical("a cell's change was refused by the store", metadata: ["cell": "\(id)"])
            // First: what the lost turns wanted told must not leave with the others.
            core.lose(from: turn)
        }
        carryOut(core.committed(through: fate.last))
        for turn in withdrawals.keys where turn <= fate.last {
            withdrawals.removeValue(forKey: turn)?(fate.failed.map { turn < $0 } ?? true)
        }
        retireIfLostAndQuiet()
    }

    private func retireIfLostAndQuiet() {
        guard core.isLost, !isRetired, core.isQuiet else { return }
        isRetired = true
        world.store.readmit(.cell(id))
        shard.assumeIsolated { [id] in $0.replace(id) }
    }

    func carryOut(_ actions: [HomeCore.Action]) {
        for action in actions {
            switch action {
            case .commit(let statements, let turn):
                world.store.submit(
                    CommitUnit(
                        statements: statements,
                        ticket: CommitTicket(loop: shard.index, home: .cell(id), turn: turn)))
            case .answer(let request, let answer):
                shard.assumeIsolated { $0.settle(request, answer) }
            case .broadcast(let scope, let item):
                broadcast(item, to: scope)
            case .tell(let home, let message):
                shard.assumeIsolated { $0.tell(home, message) }
            case .ask(let query, let request):
                shard.assumeIsolated { $0.ask(query, request, for: .cell(id)) }
            case .hand(let home, let request):
                shard.assumeIsolated { $0.hand(request, to: home) }
            case .count(let what):
                shard.assumeIsolated { $0.count(what.text) }
            case .report(let rows):
                world.store.report(rows)
            }
        }
    }

    private func broadcast(_ item: WireItem, to scope: Scope) {
        figures.events += 1
        guard let followers = followers(of: scope), !followers.isEmpty else { return }
        let encoded = EncodedItem(item, json: followers.readsJSON)
        let topic = Topic(.cell(id), scope)
        for index in followers.shards {
            shard.assumeIsolated { $0.onShard(index) { $0.broadcastEvent(topic, encoded) } }
        }
    }

    func followers(of scope: Scope) -> Followers? {
        scope == .everyone ? followers : scopedFollowers[scope]
    }

    // MARK: Volatile lane

    func enter(
        _ participant: Participant, of account: AccountID, as person: PresenceBoard.Person?, at sample: PoseSample,
        standing: Coordinate
    ) {
        board.enter(participant, of: account, as: person, at: sample, standing: standing)
        regroup(participant, board.group(of: participant))
        presenceChanged()
    }

    func move(_ participant: Participant, to sample: PoseSample, standing: Coordinate) {
        if let group = board.move(participant, to: sample, standing: standing) { regroup(participant, group) }
        presenceChanged()
    }

    /// Somebody stands here and is shown in another cell.
    func watch(_ participant: Participant, of account: AccountID, standing: Coordinate) {
        guard let group = board.watch(participant, of: account, standing: standing) else { return }
        regroup(participant, group)
        presenceChanged()
    }

    /// Somebody's session went over to another connection.
    func replace(_ old: Participant, with new: Participant) {
        board.replace(old, with: new)
    }

    func leave(_ participant: Participant) {
        board.leave(participant)
        regroup(participant, board.group(of: participant))
        restIfEmpty()
        presenceChanged()
    }

    private func presenceChanged() {
        guard board.isDue else { return }
        let listeners = followers.count
        shard.assumeIsolated { [isPresenceDue, isCrowded] shard in
            shard.presenceOffered(receivers: listeners)
            if !isPresenceDue { shard.presenceDue(self, on: isCrowded ? .crowded : .usual) }
        }
        isPresenceDue = true
    }

    /// Where somebody stands decides what they are told of a crowd.
    private func regroup(_ participant: Participant, _ group: UInt16) {
        shard.assumeIsolated { shard in
            shard.onShard(participant.loop) { [id] shard in
                shard.loop.setGroup(FanOutKey(Topic(id)), participant.connection, group)
            }
        }
    }

    /// Tells everybody who watches what moved since the last batch. The shard calls it, at most once per beat.
    /// - Parameter withCounts: false = a change of the count waits for a later beat (QOS-5).
    func tellPresence(now: UInt64, withCounts: Bool) {
        let settings = world.configuration.presence
        isCrowded = board.sharing >= (isCrowded ? settings.crowdPeople * 4 / 5 : settings.crowdPeople)
        isPresenceDue = false
        guard board.isDue, !isRetired else { return }
        keyframes = [:]
        defer { lastTold = now }
        if isCrowded {
            let elapsed = min(1_000_000, now - lastTold)
            tellCrowd(now: now, bytesMax: Int(elapsed) * settings.crowdBytesPerSecond / 1_000_000)
        } else if board.hasNewsOfPeople {
            let batch = board.takeBatch(now: now)
            if !followers.isEmpty { broadcastVolatile(batch) }
        }
        if withCounts, let news = board.takeCountNews(), !followers.isEmpty { tellCount(news) }
        // Of a crowd not everything may be told yet, and counts may be held back.
        presenceChanged()
    }

    private func tellCrowd(now: UInt64, bytesMax: Int) {
        let batch = board.takeCrowdBatch(now: now, bytesMax: bytesMax)
        figures.thinned += UInt64(batch.thinned)
        touch()
        guard !followers.isEmpty else { return }
        if let roster = batch.roster { broadcastVolatile(roster) }
        // JSON costs many times as much, and each block's batch is another.
        let inJSON = Set(followers.jsonReaders.compactMap { batch.places[Int(board.group(of: $0))] })
        let batches = batch.batches.enumerated().map { encodedBatch($1, json: inJSON.contains($0)) }
        let encoded = batch.places.map { place in place.map { batches[$0] } }
        for index in followers.shards {
            shard.assumeIsolated { $0.onShard(index) { $0.broadcastVolatile(Topic(self.id), encoded) } }
        }
    }

    /// Everybody is told how many others there are, and hears nothing when that is as before.
    private func tellCount(_ news: HiddenCount.News) {
        let items = Dictionary(
            uniqueKeysWithValues: news.counts.map { count in
                (count, encodedBatch(board.batch(people: count), json: followers.readsJSON))
            })
        for index in followers.shards {
            shard.assumeIsolated { $0.onShard(index) { $0.broadcastCount(Topic(self.id), news, items) } }
        }
    }

    private func broadcastVolatile(_ presence: WirePresence) {
        let encoded = encodedBatch(presence, json: followers.readsJSON)
        for index in followers.shards {
            shard.assumeIsolated { $0.onShard(index) { $0.broadcastVolatile(Topic(self.id), encoded) } }
        }
    }

    private func encodedBatch(_ presence: WirePresence, json: Bool) -> EncodedItem {
        EncodedItem(proto: board.item(presence, for: .proto), json: json ? board.item(presence, for: .json) : nil)
    }

    // MARK: Figures

    /// Something has changed that the cell's row shows: the shard looks at it once, at its next look.
    private func touch() {
        guard figures.touch() else { return }
        shard.assumeIsolated { $0.touched(self) }
    }
}
