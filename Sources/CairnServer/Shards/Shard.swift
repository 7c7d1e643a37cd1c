internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import DequeModule
internal import Logging

/// One loop's share of the world: the sessions of its connections and the homes that live on its thread.
///
/// Homes and sessions of one shard call one another without a hop. Work for other shards goes through `dispatch`, in
/// order, with one wake-up per turn of the loop. No lock and no actor is on the path of all broadcasts (QOS-7).
package actor Shard: LoopResident {
    package nonisolated let index: Int
    /// Names this shard among those of all nodes.
    nonisolated let place: Place
    nonisolated let loop: WebSocketLoop
    private(set) var context: ServerContext
    private(set) var origins: OriginRule
    private(set) var peers: [Shard] = []
    /// Where homes live, as far as this loop knows.
    var directory: HomeDirectory
    /// Work for homes whose place is undecided.
    var unplaced = UnplacedWork()
    var sessions: [Session?] = []
    /// Sessions that have not said hello yet, and some that have.
    var arriving: [Session] = []
    /// Sessions whose connection was cut, which a new connection may take over. Others do not see the cut.
    var detached: [SessionID: CutSession] = [:]
    var homes = HomeTable()
    var resting = RestingHomes()
    /// Homes whose stored state is being read.
    var waking: [any Home] = []
    var readFailures = ReadFailures()
    /// On the first shard: which homes of the world have to do something next.
    var timers = TimerSchedule()
    /// Homes with timers that are due, each once, in the order of their turns.
    var firing: Deque<any Home> = []
    /// People per cell among this shard's own connections: each is in exactly one, so sums are exact (STA-3).
    var occupancy: [CellID: Int] = [:]
    /// Users with a position in a space.
    var peopleInSpaces = 0
    /// Work for each other shard, sent at the end of this turn.
    private var outgoing: [[ShardWork]] = []
    /// Messages of homes for each other shard, sent after everything else.
    private var outgoingTells: [[ShardWork]] = []
    var presence = PresencePace()
    /// When cells with news of people tell it.
    var departures = PresenceSchedule<Cell>()
    var waitingPositions: [Session] = []
    /// The published tours, as this loop knows them.
    var tours = TourIndex()
    var followNumber: UInt64 = 0
    var correlationNumber: UInt64 = 0
    /// Refusals that may be logged at the usual level; the log's own bound is for the whole server.
    var refusalLines = TokenBucket(rate: refusalLinesPerSecond, burst: refusalLinesBurst, now: .epoch)
    private static let refusalLinesPerSecond = 10.0
    private static let refusalLinesBurst = 30.0
    var figures = ShardFigures()
    var measurement = ShardMeasurement()
    var recentRefusals = RecentRefusals()
    var isDraining = false
    /// When sign-ins with app tokens end.
    var appTerms = AppTerms()
    /// Tokens that were revoked a moment ago, and when: a hello that was under way may still come in with one.
    var revokedTokens: [TokenName: MonotonicTime] = [:]
    /// Accounts of which all sign-ins have ended lately: one that began to be looked up before has ended too.
    var revokedAccounts: [AccountID: MonotonicTime] = [:]
    /// Accounts that a token of the app signed out lately.
    var outdated = OutdatedSignIns()
    /// Roles that were changed lately, and when: a sign-in that is looked up meanwhile may have read the old one.
    var changedRoles: [AccountID: (role: Role, at: MonotonicTime)] = [:]
    /// What was saved lately about sharing positions, and when: a sign-in under way may have read the old settings.
    var changedSettings: [AccountID: (settings: LiveSettings, at: MonotonicTime)] = [:]
    var revocations = Revocations()
    /// Homes that have not said yet that they go by a session's absences: what to do then, by number.
    var absencesUnderWay: [UInt64: @Sendable () -> Void] = [:]
    /// The number of the last one in `absencesUnderWay`.
    var absenceNumber: UInt64 = 0
    /// What waits for accounts to change rights on every loop, by its number.
    var changesOfRights: [UInt64: @Sendable () -> Void] = [:]
    var changeOfRightsNumber: UInt64 = 0
    /// Cells that guests follow soon, by time: at most as many as `guests.cellsPerMinute` lets come at once.
    var looks: Deque<(due: MonotonicTime, participant: Participant, cell: CellID)> = []
    var overload = OverloadGauge()
    /// Engagement counts that are not on disk yet (STA-4).
    var engagement = EngagementTally()
    var engagementKeptAt: MonotonicTime = .epoch

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(index: Int, loop: WebSocketLoop, context: ServerContext) {
        self.index = index
        place = Place(node: context.directory.node, loop: index)
        self.loop = loop
        self.context = context
        directory = context.directory.withdrawing(HomeDirectory.districts)
        origins = OriginRule(context.configuration.listen)
        presence = PresencePace(context.configuration.presence)
    }

    /// Makes the shards known to one another; before the first connection.
    func begin(peers: [Shard]) {
        self.peers = peers
        outgoing = Array(repeating: [], count: peers.count)
        outgoingTells = outgoing
        decided(HomeDirectory.districts)
        observeTours()
        lookAtTimers()
    }

    /// Goes by other settings from now on; nothing is dropped (ENG-4).
    package func apply(_ context: ServerContext) {
        self.context = context
        origins = OriginRule(context.configuration.listen)
        presence.apply(context.configuration.presence)
        context.guestViews.apply(context.configuration.guests, now: now)
        loop.apply(LoopOptions(context.configuration))
        for case let session? in sessions {
            session.apply(context.configuration.connections, now: now)
            session.shared = sharedPace(of: session)
        }
        for home in homes.all { home.apply(context) }
    }

    nonisolated var now: MonotonicTime { loop.now }

    // MARK: Between shards

    /// Runs `work` on this shard soon. From any thread, and within this process alone: what another loop does for
    /// people is `ShardWork`.
    package nonisolated func post(_ work: @escaping @Sendable (isolated Shard) -> Void) {
        loop.post { self.assumeIsolated { work($0) } }
    }

    /// Keeps work for another loop until the end of the turn.
    func queue(_ work: ShardWork, for target: Place) {
        precondition(target.node == place.node, "no other node is linked")
        outgoing[target.loop].append(work)
    }

    /// As `dispatch`, after everything else that this turn has for the other loop.
    func dispatchLast(_ work: ShardWork, to target: Place) {
        guard target != place else { return perform(work) }
        precondition(target.node == place.node, "no other node is linked")
        outgoingTells[target.loop].append(work)
    }

    /// Sends this turn's work to the other shards. Messages between homes go last, so that clients' events precede the
    /// events that follow from a message.
    func flushOutgoing() {
        flush(&outgoing)
        flush(&outgoingTells)
    }

    private func flush(_ outgoing: inout [[ShardWork]]) {
        for target in outgoing.indices where !outgoing[target].isEmpty {
            let batch = outgoing[target]
            outgoing[target] = []
            peers[target].post { shard in
                for work in batch { shard.perform(work) }
            }
        }
    }
}
