import CairnGeo
import CairnWire

/// The parameters of a crowd. Together with the seed they determine all of its actions. `ScenarioKey` explains each
/// one.
struct CrowdPlan: Sendable {
    /// The distribution of people over cells.
    enum Layout: String, CaseIterable, Sendable {
        /// Neighbouring cells in a row; people walk over the borders.
        case strip
        /// Cells more than a kilometre apart; no person leaves their cell.
        case apart
    }

    /// How moving people walk.
    enum Motion: String, CaseIterable, Sendable {
        /// On foot, here and there.
        case wander
        /// From one end to the other and back.
        case straight
    }

    var scenario = "walk"
    var people = 200
    /// 0 = one for each 50 people, at least 3.
    var cells = 0
    var ground = Layout.strip
    /// The middle of the strip, or the first of the separate cells.
    var at = Ground.usual
    var motion = Motion.wander
    var movingShare = 1.0
    var shiftingShare = 1.0
    /// Share of the people that act; the others are connected and quiet.
    var actingShare = 1.0
    /// Poses a second of each person who moves.
    var rate = 2.0
    var speedLeast = 1.0
    var speedMost = 1.8
    /// Length of the measured time, after the warm-up.
    var seconds = 30.0
    var warmUpSeconds = 2.0
    var sharingShare = 1.0
    /// The parts of features, where they differ from the defaults.
    private var parts: [ObjectIdentifier: any PlanPart] = [:]
    var cutEvery = 0.0
    var stormEvery = 0.0
    var stormShare = 1.0
    var slowShare = 0.0
    var slowReads = 1.0
    var slowStops = 4.0
    /// Share of the people that judge each received pose; the others only count its bytes.
    var judgedShare = 1.0
    var seed: UInt64 = 1
    var format = WireFormat.proto
    var cellLevel = 16
    /// Most handshakes under way at a time.
    var handshakesMax = 200
    /// Number of sharing people in a cell from which on the server may leave poses out, for want of bytes or time.
    var crowdPeople = 1_000

    /// Whether a newcomer counts among `handshakesMax` until the join is complete (`JoinMeter`). No scenario has it.
    var measuresJoins = false
    /// Whether the times of all requests and broadcasts are kept by their kinds (`QualityMeter`). No scenario has it.
    var measuresQuality = false

    // Not part of a scenario: durations at the end of a run, shorter in tests.

    /// Least time after the last action for everything to arrive.
    var drainSeconds = 2.0
    /// Time without a message after which no further message is expected.
    var quietSeconds = 1.0
    /// Longest wait for such a time.
    var restSecondsMax = 30.0
    /// Longest time for removing instances. Later ones stay, and the report says how many.
    var tidySecondsMax = 60.0

    /// A crowd that sends its poses later than this, at p99, measures itself and not the server.
    static let generatorDelayMaxMilliseconds = 250.0
    /// Receive buffer of a slow reader: small, so that unread bytes stay with the server.
    static let slowBufferBytes: Int32 = 8_192
    /// Time for everybody to connect.
    static let connectSeconds = 60.0

    /// A feature's part of the plan.
    subscript<Part: PlanPart>(part: Part.Type) -> Part {
        get { parts[ObjectIdentifier(part)] as? Part ?? Part() }
        set { parts[ObjectIdentifier(part)] = newValue }
    }

    var period: Duration { .microseconds(Int64(1_000_000 / rate)) }

    var cellCount: Int { cells > 0 ? cells : max(3, people / 50) }

    /// Number of `areas`, over which people are spread one by one.
    var areaCount: Int { ground == .strip ? 1 : cellCount }

    var areas: [Area] {
        ground == .strip
            ? Ground.strip(cells: cellCount, level: cellLevel, at: at)
            : Ground.apart(cells: cellCount, level: cellLevel, at: at)
    }

    /// Whether person `index` sends poses at other moments when the server asks for it.
    func shifts(_ index: Int) -> Bool { Double(index % 100) < shiftingShare * 100 }

    /// Moving and sharing people are the first ones, slow readers the last ones.
    func moves(_ index: Int) -> Bool { Double(index) < Double(people) * movingShare }

    /// Acting people are the first ones: those who move, where the shares are equal.
    func acts(_ index: Int) -> Bool { !isGuest(index) && Double(index) < Double(people) * actingShare }

    /// Whether the features check the view of person `index` in this second: each second, but where times are kept by
    /// kinds once in sixteen, so that the checks of a large crowd do not delay what is measured.
    func isLookedAt(_ index: Int, second: Int) -> Bool { !measuresQuality || index % 16 == second % 16 }

    /// Whether person `index` shares their position, exactly. Nobody sees a guest.
    func shares(_ index: Int) -> Bool { !isGuest(index) && Double(index) < Double(people) * sharingShare }

    /// Whether person `index` stops reading now and then.
    func isSlow(_ index: Int) -> Bool { Double(index) >= Double(people) * (1 - slowShare) }

    /// Whether person `index` judges received poses. Such people are spread evenly over the indices, because the first
    /// receivers of a batch get it sooner. Guests get none.
    func judgesPoses(_ index: Int) -> Bool {
        !isGuest(index)
            && (Double(index + 1) * judgedShare).rounded(.down) > (Double(index) * judgedShare).rounded(.down)
    }

    /// How many people there are for each one that judges poses.
    var peopleToJudges: Double { Double(people) / Double(max(1, (0..<people).count(where: judgesPoses))) }

    /// Number of people in a cell from which on poses may be left out: `crowdPeople`, or fewer at a rate at which the
    /// server's defaults do not suffice for as many. A loop that is full sends a tenth of its usual poses.
    var thinnedPeople: Int {
        let byBytes = Self.receiverPosesPerSecond / rate
        let byTime = (Self.loopPosesPerSecond / 10 / (rate * Double(cellCount))).squareRoot()
        return min(crowdPeople, Int(min(byBytes, byTime) * 0.9))
    }

    /// What the server sends each receiver, and one loop all receivers, by its defaults.
    private static let receiverPosesPerSecond = 250_000.0 / 14
    private static let loopPosesPerSecond = 100_000_000.0

    /// One line for people.
    var summary: String {
        var parts = ["\(scenario): \(people) people"]
        parts.append("\(cellCount) cells \(ground == .strip ? "in a strip" : "apart")")
        parts.append("\(rate.plain)/s each for \(seconds.plain) s after \(warmUpSeconds.plain) s")
        if shiftingShare < 1 { parts.append("\((shiftingShare * 100).plain) % shift their poses when asked") }
        if movingShare < 1 { parts.append("\((movingShare * 100).plain) % move") }
        if actingShare < 1 { parts.append("\((actingShare * 100).plain) % act") }
        parts += CrowdFeatures.all.flatMap { $0.summary(self) }
        if cutEvery > 0 { parts.append("cut every \(cutEvery.plain) s") }
        if stormEvery > 0 { parts.append("storm every \(stormEvery.plain) s") }
        if slowShare > 0 { parts.append("\((slowShare * 100).plain) % slow readers") }
        if sharingShare < 1 { parts.append("\((sharingShare * 100).plain) % sharing") }
        if judgedShare < 1 { parts.append("\((judgedShare * 100).plain) % judge poses") }
        parts.append("\(format)")
        parts.append("seed \(seed)")
        return parts.joined(separator: ", ")
    }
}

/// A feature's part of the plan, created with the defaults.
protocol PlanPart: Sendable {
    init()
}

extension Double {
    /// The number without a trailing `.0`.
    var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)" }
}
