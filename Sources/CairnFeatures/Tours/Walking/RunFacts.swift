internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// A run, as it is on disk: a person walks a published version of a tour (TRT-5).
struct RunFacts: Hashable {
    let id: SpaceID
    let account: AccountID
    let tour: TourID
    let version: UInt32
    let started: LastingTime
    /// Number of stops that are reached.
    var reached = 0
    /// Number of stops of the tour.
    let stops: Int
    /// When it was paused; nil = it is not.
    var paused: LastingTime?
    /// How long it was paused before.
    var pausedFor = Duration.zero
    /// Time taken, once all stops are reached.
    var taken: Duration?
    /// Distance travelled, in metres.
    var metres = 0.0
    /// Where the walker was last, and when; nil = no position has come yet.
    var place: Place?
    /// Whether that was before the start or a pause: the way from there is none of the run, but says where the walker
    /// can be by now.
    var isPlaceOfBefore = false
    /// When the walker was last heard of, as far as it is on disk.
    var active: LastingTime
    /// Indices of the popups that were shown, in order.
    var shown: [Int] = []

    struct Place: Hashable {
        var coordinate: Coordinate
        var at: LastingTime
    }

    var isCompleted: Bool { taken != nil }

    /// Time taken so far, without pauses (TRT-10).
    func taken(at now: LastingTime) -> Duration {
        taken ?? max(.zero, (paused ?? now) - started - pausedFor)
    }
}

/// A run with the version that is walked, as the home of the run has it.
struct Run: Attachment {
    var facts: RunFacts
    /// Shared with all other runs on it.
    let version: PublishedTour

    /// The stop to go to; nil = all are reached.
    var target: WireTourStop? {
        version.content.stops.indices.contains(facts.reached) ? version.content.stops[facts.reached] : nil
    }

    func wire(in turn: Turn) -> WireRun {
        var wire = WireRun()
        wire.id = turn.name(of: facts.id)
        wire.topic = Topic(.space(facts.id), .members(of: .space(facts.id))).name
        wire.tour = turn.name(of: facts.tour)
        wire.version = facts.version
        wire.state = facts.isCompleted ? .completed : facts.paused == nil ? .walking : .paused
        wire.reached = UInt32(facts.reached)
        wire.stops = UInt32(facts.stops)
        if let target { wire.target = target }
        if facts.reached > 0 { wire.last = version.content.stops[facts.reached - 1] }
        wire.metres = facts.metres
        wire.milliseconds = UInt64(clamping: facts.taken(at: turn.lasting).milliseconds)
        wire.at = turn.now.milliseconds
        wire.popups = facts.shown.map { version.content.popups[$0].id }
        return wire
    }

    func summary(in turn: Turn) -> WireRunSummary {
        var summary = WireRunSummary()
        summary.tour = turn.name(of: facts.tour)
        summary.completed = facts.isCompleted
        summary.reached = UInt32(facts.reached)
        summary.metres = facts.metres
        summary.milliseconds = UInt64(clamping: facts.taken(at: turn.lasting).milliseconds)
        return summary
    }
}

// MARK: - In the homes

extension ObjectKind {
    static let run = ObjectKind("runs.run")
    static let runUnderWay = ObjectKind("runs.under_way")
    static let unreadableRun = ObjectKind("runs.unreadable")
}

extension Turn {
    var spaceID: SpaceID? { if case .space(let id) = home { id } else { nil } }

    private var runName: InstanceID? { spaceID.map { InstanceID(rawValue: $0.rawValue) } }

    /// The run of this home, as it will be when its writes are on disk; nil = there is none, or it has ended.
    var run: Run? { objects.record(runName, .run)?.attachments[Run.self] }

    /// The run as it is on disk: what clients may be told.
    var keptRun: Run? { objects.kept(runName, .run)?.attachments[Run.self] }

    mutating func keep(_ run: Run) {
        var record = ObjectRecord(
            id: InstanceID(rawValue: run.facts.id.rawValue), kind: .run, owner: run.facts.account, ownerName: "",
            audience: .owner(run.facts.account), wire: WireInstance())
        record.attachments[Run.self] = run
        objects[record.id] = record
    }

    /// Whether the store has a run of this home, or a group, that cannot be read: it is damaged, or its version is. Its
    /// person leaves it, or begins another run.
    var isRunUnreadable: Bool { objects.record(runName, .unreadableRun) != nil }

    mutating func noteUnreadableRun() {
        guard let runName, objects[runName] == nil else { return }
        let nobody = AccountID(rawValue: 0)
        objects[runName] = ObjectRecord(
            id: runName, kind: .unreadableRun, owner: nobody, ownerName: "", audience: .owner(nobody),
            wire: WireInstance())
    }

    mutating func forgetRun() {
        if let runName { objects[runName] = nil }
        motion = nil
    }

    /// The one content that all runs on a version share.
    func shared(_ version: PublishedTour) -> PublishedTour {
        names.contents.shared(PublishedTour.name(version.version, of: version.tour), version)
    }
}

/// A run that an account has begun, in the account's home: of two requests at once one begins a run (TRT-5).
struct RunUnderWay: Attachment {
    /// The home of the run, or of a group that is guided without one.
    let space: SpaceID
    /// The key of the request that begins it; empty = it was there before.
    let key: String
    let at: LastingTime

    /// Longer than a request waits for the store. After it the store alone says whether there is a run.
    static let doubtful = Duration.seconds(10)
}

extension Turn {
    private static let underWayName = InstanceID(rawValue: 1)

    /// When the account has begun a run; nil = it has not, as far as its home remembers.
    var runUnderWay: RunUnderWay? { objects.record(Self.underWayName, .runUnderWay)?.attachments[RunUnderWay.self] }

    /// Whether the account has begun a run just now, of which the store may not know yet.
    var hasJustBegunRun: Bool { runUnderWay.map { lasting - $0.at < RunUnderWay.doubtful } ?? false }

    /// Whether another request has begun a run just now. A key comes here again only after its first attempt was
    /// refused, and that one has begun none (SYN-2).
    func hasJustBegunRun(besides request: Request) -> Bool { hasJustBegunRun && runUnderWay?.key != request.key }

    /// - Parameter key: that of the request which begins it.
    mutating func noteRunUnderWay(of account: AccountID, in space: SpaceID, by key: String = "") {
        var record = ObjectRecord(
            id: Self.underWayName, kind: .runUnderWay, owner: account, ownerName: "", audience: .owner(account),
            wire: WireInstance())
        record.attachments[RunUnderWay.self] = RunUnderWay(space: space, key: key, at: lasting)
        objects[record.id] = record
    }

    mutating func forgetRunUnderWay() { objects[Self.underWayName] = nil }
}
