import CairnTime
import CairnWire

/// What walkers of tours may be told of their runs (TRT-5 to TRT-12): every stop once and in its order, none without
/// having been there, nothing of another version than the one that the run began on, and totals that are those of the
/// walk. It uses no sockets and no clocks, so tests feed it doctored walks.
struct TourRule: Sendable {
    /// A walk as it really is.
    struct Walk: Sendable {
        let run: String
        let path: TourPath
        let began: MonotonicTime
        fileprivate(set) var reached = 0
        fileprivate(set) var completedAt: MonotonicTime?
        /// Whether the walker has been near the next stop since the last one was reached.
        fileprivate var wasNear = false
        /// Whether the receiver jumps just now: whether that may count is known when the jump is over.
        fileprivate var jumps = false
        /// Whether a stop was reached meanwhile.
        fileprivate var reachedByJump = false
        /// Whether a jump may have reached the stop that is next: an arrival is told when it is on disk, which may be
        /// after the jump.
        fileprivate var jumpMayCount = false
        /// Metres of jumps that may have been walks.
        fileprivate var jumpMetres = 0.0
        /// The pause that was asked for and is not over.
        fileprivate var pause: Pause?
        /// How long the clock stood still at least, and at most.
        fileprivate var paused = (least: Duration.zero, most: Duration.zero)

        fileprivate var mayHaveArrived: Bool { wasNear || jumps || jumpMayCount }
    }

    /// A pause of a run.
    fileprivate struct Pause: Sendable {
        let asked: MonotonicTime
        /// When it was answered.
        var since: MonotonicTime?
        /// When its end was asked for.
        var ending: MonotonicTime?
        /// The run's clock and stops, as the answer has them.
        var milliseconds: UInt64 = 0
        var reached: UInt32 = 0
    }

    /// How a run was told.
    enum Source: Sendable {
        /// An event, which is told once.
        case stopReached
        /// An event of something else, or the state that a device gets when it takes the run up.
        case state
    }

    private var walks: [Int: Walk] = [:]
    private(set) var broken = Broken()
    private(set) var stopsReached = 0
    private(set) var completed = 0

    /// How near a walker really is whose receiver, which is some metres off, seems to be within the arrival distance.
    static let nearMetres = 60.0
    /// How exact distances are that are measured through the receiver's error.
    private static let distanceShare = 0.2
    private static let distanceMetres = 120.0
    /// By how much the clock of a paused run may seem to go on.
    private static let clockMilliseconds: UInt64 = 100

    func walk(of walker: Int) -> Walk? { walks[walker] }

    /// A run has begun.
    /// - Parameter versions: of the tour that may be published between the request and its answer.
    mutating func begin(
        _ walker: Int, _ run: WireRun, tour: String, versions: ClosedRange<UInt32>, path: (UInt32) -> TourPath,
        requestedAt: MonotonicTime
    ) {
        let path = path(run.version)
        check(versions.contains(run.version), "version_not_published", walker, "\(run.version) of \(versions)")
        check(run.tour == tour, "run_on_another_tour", walker, run.tour)
        check(run.reached == 0 && Int(run.stops) == path.stops.count, "run_begins_wrongly", walker, "\(run.reached)")
        check(walks.values.allSatisfy { $0.run != run.id }, "run_of_another", walker, run.id)
        let walk = Walk(run: run.id, path: path, began: requestedAt)
        walks[walker] = walk
        checkStops(run, walk, walker)
    }

    /// The walker is at a place and has told it, or is about to.
    mutating func stand(_ walker: Int, at place: Metres) {
        guard let walk = walks[walker], walk.reached < walk.path.stops.count else { return }
        if (walk.path.stops[walk.reached] - place).length <= Self.nearMetres { walks[walker]?.wasNear = true }
    }

    /// The receiver is about to jump to the next stop.
    mutating func jump(_ walker: Int) {
        walks[walker]?.jumps = true
        walks[walker]?.reachedByJump = false
    }

    /// The jump is over.
    /// - Parameters:
    ///   - metres: how far it went.
    ///   - mayCount: it took so long that it may have been a walk for the server.
    mutating func jumped(_ walker: Int, metres: Double, mayCount: Bool) {
        guard var walk = walks[walker], walk.jumps else { return }
        check(mayCount || !walk.reachedByJump, "jump_counted", walker, "stop \(walk.reached - 1)")
        walk.jumps = false
        walk.jumpMayCount = mayCount && !walk.reachedByJump
        // There and back.
        if mayCount { walk.jumpMetres += 2 * metres }
        walks[walker] = walk
    }

    mutating func asksToPause(_ walker: Int, at now: MonotonicTime) { walks[walker]?.pause = Pause(asked: now) }

    /// - Returns: whether the run is paused: one that was completed meanwhile is not.
    mutating func paused(_ walker: Int, _ run: WireRun, at now: MonotonicTime) -> Bool {
        guard run.state == .paused else {
            check(run.state == .completed, "pause_ignored", walker, "\(run.state)")
            walks[walker]?.pause = nil
            return false
        }
        walks[walker]?.pause?.since = now
        walks[walker]?.pause?.milliseconds = run.milliseconds
        walks[walker]?.pause?.reached = run.reached
        return true
    }

    mutating func asksToGoOn(_ walker: Int, at now: MonotonicTime) { walks[walker]?.pause?.ending = now }

    mutating func goesOn(_ walker: Int, _ run: WireRun, at now: MonotonicTime) {
        guard var walk = walks[walker], let pause = walk.pause, let since = pause.since, let ending = pause.ending
        else { return }
        check(
            run.milliseconds <= pause.milliseconds + Self.clockMilliseconds, "clock_ran_in_pause", walker,
            "\(run.milliseconds) after \(pause.milliseconds)")
        walk.paused.least += ending - since
        walk.paused.most += now - pause.asked
        walk.pause = nil
        walks[walker] = walk
    }

    /// The walker was told of a run.
    mutating func hear(_ walker: Int, _ run: WireRun, _ source: Source, at now: MonotonicTime) {
        guard var walk = walks[walker] else { return add("told_without_a_run", walker, run.id) }
        guard run.id == walk.run else { return add("run_of_another", walker, run.id) }
        check(run.version == walk.path.version, "version_changed", walker, "\(run.version) for \(walk.path.version)")
        if run.state == .paused, let pause = walk.pause, pause.since != nil {
            check(run.reached == pause.reached, "reached_in_pause", walker, "\(run.reached) after \(pause.reached)")
            check(
                run.milliseconds <= pause.milliseconds + Self.clockMilliseconds, "clock_ran_in_pause", walker,
                "\(run.milliseconds) after \(pause.milliseconds)")
        }
        let step = Int(run.reached) - walk.reached
        switch (source, step) {
        case (.stopReached, ..<1): add("stop_repeated", walker, "\(run.reached) again")
        case (.stopReached, 2...), (.state, 2...): add("stop_skipped", walker, "\(run.reached) after \(walk.reached)")
        case (.state, ..<0): add("stop_lost", walker, "\(run.reached) after \(walk.reached)")
        default: break
        }
        if step > 0 {
            check(walk.mayHaveArrived, "arrived_without_presence", walker, "stop \(walk.reached)")
            stopsReached += step
            walk.reachedByJump = !walk.wasNear
            (walk.wasNear, walk.jumpMayCount) = (false, false)
            walk.reached = min(Int(run.reached), walk.path.stops.count)
        }
        if run.state == .completed, walk.completedAt == nil {
            check(walk.reached == walk.path.stops.count, "completed_early", walker, "\(walk.reached)")
            walk.completedAt = now
        }
        walks[walker] = walk
        checkStops(run, walk, walker)
    }

    /// The walker has stood at a stop for longer than an arrival takes.
    mutating func waited(_ walker: Int) {
        let reached = walks[walker]?.reached ?? 0
        add("stop_missed", walker, "stop \(reached)")
    }

    /// The run was left.
    /// - Parameters:
    ///   - metres: what was walked.
    ///   - slack: the longest delay of a message in this run.
    mutating func end(
        _ walker: Int, _ summary: WireRunSummary, metres: Double, slack: Duration, at now: MonotonicTime
    ) {
        guard let walk = walks.removeValue(forKey: walker) else { return add("told_without_a_run", walker, "") }
        let isWhole = Int(summary.reached) == walk.path.stops.count
        check(summary.completed == isWhole, "total_wrong", walker, "completed \(summary.completed)")
        // A walker who leaves right after a cut learns of a stop that was reached meanwhile from the summary alone.
        let step = Int(summary.reached) - walk.reached
        let isReached = step == 0 || step == 1 && walk.mayHaveArrived
        check(isReached, "total_wrong", walker, "\(summary.reached) stops of \(walk.reached)")
        let off = abs(summary.metres - metres) - walk.jumpMetres
        check(
            off <= metres * Self.distanceShare + Self.distanceMetres, "total_wrong", walker,
            "\(Int(summary.metres)) m of \(Int(metres))")
        let took = (walk.completedAt ?? now) - walk.began
        let told = Duration.milliseconds(Int64(summary.milliseconds))
        let open = walk.pause.map { now - $0.asked } ?? .zero
        let isInTime =
            told <= took - walk.paused.least + .seconds(1)
            && took - walk.paused.most - open <= told + .seconds(1) + slack
        check(isInTime, "total_wrong", walker, "\(told), \(took)")
        stopsReached += max(0, step)
        if summary.completed { completed += 1 }
    }

    /// An item of a run reached a person outside it, or an item of the world a person in a run.
    mutating func leaked(_ who: String, _ what: @autoclosure () -> String) {
        broken.add("space_leaks", "\(who): \(what())")
    }

    mutating func violated(_ walker: Int, _ rule: String, _ what: String) {
        broken.add(rule, "walker \(walker): \(what)")
    }

    /// The stop that was reached last and the next one are the right ones of the right version.
    private mutating func checkStops(_ run: WireRun, _ walk: Walk, _ walker: Int) {
        let told = (last: Self.name(run.hasLast, run.last), target: Self.name(run.hasTarget, run.target))
        let reached = walk.reached
        let last = reached > 0 ? walk.path.name(of: reached - 1) : nil
        let target = reached < walk.path.stops.count ? walk.path.name(of: reached) : nil
        check(told.last == last && told.target == target, "stop_swapped", walker, "\(told) for \(last ?? "-")")
    }

    private static func name(_ isThere: Bool, _ stop: WireTourStop) -> String? {
        isThere ? stop.name.words.first?.text : nil
    }

    private mutating func check(_ holds: Bool, _ rule: String, _ walker: Int, _ example: @autoclosure () -> String) {
        if !holds { add(rule, walker, example()) }
    }

    private mutating func add(_ rule: String, _ walker: Int, _ example: @autoclosure () -> String) {
        broken.add(rule, "walker \(walker): \(example())")
    }
}
