import CairnClient
import CairnGeo
import CairnWire
import Foundation

/// One of the crowd: a client core without a socket of its own, legs, and what it knows of the others.
/// Confined to the loop's thread.
///
/// What is left to chance comes from generators of its own, one for its way and one for each errand, so that the same
/// seed gives the same way and the same errands however the server answers.
final class Bot {
    let index: Int
    let shares: Bool
    /// Signs in with a token of the server's, and has the name that goes with it.
    let hasToken: Bool
    /// Asks for more than the quotas allow.
    let isGreedy: Bool
    var core: ClientCore
    var walker: Walker
    private var ways: SeededGenerator
    private let errands: SeededGenerator
    private var cuts: SeededGenerator
    private var errandNumber: UInt64 = 0
    /// Requests under way, with what they were and when they were made.
    var pending: [RequestTicket: Errand] = [:]
    /// What this bot has placed and not asked to remove, as last acknowledged.
    var own: [InstanceID: WireInstance] = [:]
    /// What it is removing, until that is answered.
    private var leaving: [InstanceID: WireInstance] = [:]
    /// What it has reacted to, as far as it has not taken that back.
    private var reacted: [InstanceID: WireInstance] = [:]
    /// When it asked for its placements, to stay within the quotas.
    private var askedAt: [UInt64] = []
    /// Instances that it may have anywhere: asked for, and neither refused nor known to be removed.
    private var mayHold = 0
    /// Where the server may have it: the last place that its core was given.
    private(set) var told: Coordinate?
    var tracks: [(cell: CellID, track: CellTrack)] = []
    /// When a cell went out of view, monotonic microseconds.
    var leftAt: [CellID: UInt64] = [:]
    /// When a wake-up of the core is set, so that it is set once.
    var wakeSetFor: UInt64?
    /// When it first tried to connect after it was cut, monotonic microseconds; nil = it has not, or is back.
    var returningSince: UInt64?
    /// When it was last welcomed, monotonic microseconds.
    var liveSince: UInt64 = 0
    /// Whether its own cell has come into view since it first connected.
    var hasArrived = false

    /// Why a request was made.
    struct Errand {
        enum Kind {
            case place
            case edit
            case remove(InstanceID)
            case react(InstanceID)
            case post
            case vote(InstanceID)
        }

        let kind: Kind
        /// When it was to be made: what its latency is counted from.
        let due: UInt64
        let at: UInt64
    }

    /// Quotas above this are none: nothing is remembered to stay within them.
    private static let quotaMax = 100_000
    /// Longest time between asking and being decided upon that is reckoned with, microseconds.
    private static let delayMax: UInt64 = 60_000_000
    private static let minute: UInt64 = 60_000_000
    private static let day: UInt64 = 86_400_000_000

    init(index: Int, name: String, token: String = "", area: Area, plan: CrowdPlan, random: SeededGenerator) {
        self.index = index
        shares = plan.shares(index)
        hasToken = !token.isEmpty
        isGreedy = plan.isGreedy(index)
        ways = random.branch(0)
        errands = random.branch(1)
        cuts = random.branch(2)
        walker = Walker(area: area, plan: plan, using: &ways)
        let profile = ClientProfile(
            name: token.isEmpty ? name : "", token: token, frontEnd: "bot", sharesPosition: shares,
            shareAccuracyMetres: shares ? 0 : nil)
        // Keys have to differ from those of an earlier run with the same seed and server.
        core = ClientCore(profile: profile, format: plan.format, presence: .raw, seed: .random(in: .min ... .max))
    }

    var limits: WireLimits { core.welcome?.limits ?? WireLimits() }

    /// Says where it is, at a height that carries the pose's number.
    func tell(height: Double) {
        told = walker.coordinate
        core.move(to: position(height: height))
    }

    private func position(height: Double) -> WirePosition {
        let place = walker.coordinate
        var position = WirePosition()
        position.lat = place.latitude
        position.lon = place.longitude
        position.h = height
        position.accuracy = 4
        position.heading = Float(walker.headingDegrees)
        position.speed = Float(walker.speed)
        return position
    }

    func walk(seconds: Double) { walker.walk(seconds: seconds, using: &ways) }

    /// A time from now, at random.
    func pause(upTo seconds: Double) -> UInt64 { UInt64(Double.random(in: 0..<seconds * 1e6, using: &ways)) }

    /// Time to the next cut, at random, whatever else is.
    func cutPause(upTo seconds: Double) -> UInt64 { UInt64(Double.random(in: 0..<seconds * 1e6, using: &cuts)) }

    /// The cells whose view is complete, each with what was told of the people there: nobody, if it was nothing.
    var completeTracks: [(cell: CellID, track: CellTrack)] {
        core.view.topics.values.compactMap { topic in
            guard topic.isComplete, let cell = CellID(token: topic.name) else { return nil }
            return (cell, tracks.first { $0.cell == cell }?.track ?? CellTrack())
        }
    }

    // MARK: Errands

    /// Chance for the next errand, whatever the ones before it needed.
    func nextErrand() -> SeededGenerator {
        errandNumber += 1
        return errands.branch(errandNumber)
    }

    /// Places something near by, or tidies up: edits and removals keep the quotas free.
    func runErrand(due: UInt64, now: UInt64) -> Errand.Kind? {
        var random = nextErrand()
        let dice = Double.random(in: 0..<1, using: &random)
        if isGreedy {
            // Makes room as well, or the quota of the area would keep it from ever meeting that of the period.
            if dice < 0.4, let instance = chosen(from: own.values, using: &random) {
                return remove(instance, due: due, now: now)
            }
            return place(due: due, now: now, using: &random)
        }
        if dice < 0.2, let instance = chosen(from: ownNearBy(), using: &random) {
            return edit(instance, due: due, now: now, using: &random)
        }
        if own.count >= Int(limits.areaQuota) * 3 / 4 || dice < 0.3,
            let instance = chosen(from: own.values, using: &random)
        {
            return remove(instance, due: due, now: now)
        }
        return place(due: due, now: now, using: &random)
    }

    /// Places something, as long as the quotas allow.
    func placeMore(now: UInt64) -> Errand.Kind? {
        var random = nextErrand()
        return place(due: now, now: now, using: &random)
    }

    private func place(due: UInt64, now: UInt64, using random: inout SeededGenerator) -> Errand.Kind? {
        guard isGreedy || isWithinQuota(now: now), let object = limits.presets.randomElement(using: &random) else {
            return nil
        }
        let place = walker.coordinate(eastward: offset(&random), northward: offset(&random))
        let pose = pose(at: place, using: &random)
        guard let ticket = try? core.place(object, pose: pose, inscription: inscription(of: pose), now: now) else {
            return nil
        }
        if limits.placementsPerMinute < Self.quotaMax { askedAt.append(now) }
        mayHold += 1
        return note(ticket, .place, due: due, now: now)
    }

    /// Words and data for one thing in eight: most of what people leave says nothing. From the pose, so that the dice
    /// of a scenario fall as they did before.
    private func inscription(of pose: WirePose) -> Inscription {
        let dice = pose.geopose.position.lat.bitPattern
        guard dice.isMultiple(of: 8) else { return Inscription() }
        return Inscription(text: "left by \(index) \u{1F33F}", data: withUnsafeBytes(of: dice) { Array($0) })
    }

    private func isWithinQuota(now: UInt64) -> Bool {
        guard limits.placementsPerMinute < Self.quotaMax else { return true }
        askedAt.removeAll { now - $0 > Self.day }
        // A little more than a minute: the server may have got to the first of them late.
        let lastMinute = askedAt.count { now - $0 < Self.minute + 5_000_000 }
        return lastMinute < Int(limits.placementsPerMinute) && askedAt.count < Int(limits.placementsPerDay)
    }

    /// A placement of its own is gone, or never was.
    func release() { mayHold -= 1 }

    /// Whether a quota cannot have been used up, whenever the server got to what was asked for.
    /// - Parameter code: of the refusal; only those of quotas are known here.
    func isCertainlyWithinQuota(_ code: Refusal.Code, now: UInt64) -> Bool {
        switch code {
        case .quotaArea: return mayHold <= Int(limits.areaQuota)
        case .quotaPeriod:
            let lately = askedAt.count { now - $0 < Self.minute + Self.delayMax }
            return lately <= Int(limits.placementsPerMinute) && askedAt.count <= Int(limits.placementsPerDay)
        default: return false
        }
    }

    private func edit(
        _ instance: WireInstance, due: UInt64, now: UInt64, using random: inout SeededGenerator
    ) -> Errand.Kind? {
        let place = walker.coordinate(eastward: offset(&random) * 3, northward: offset(&random) * 3)
        let pose = pose(at: place, using: &random)
        guard let id = InstanceID(instance.id), let ticket = try? core.edit(instance, to: pose, now: now) else {
            return nil
        }
        // Until it is answered nobody knows its version.
        own[id] = nil
        return note(ticket, .edit, due: due, now: now)
    }

    private func remove(_ instance: WireInstance, due: UInt64, now: UInt64) -> Errand.Kind? {
        guard let id = InstanceID(instance.id), let ticket = try? core.remove(instance, now: now) else { return nil }
        own[id] = nil
        leaving[id] = instance
        return note(ticket, .remove(id), due: due, now: now)
    }

    func react(due: UInt64, now: UInt64) {
        var random = nextErrand()
        let withdraws = Double.random(in: 0..<1, using: &random) < 0.1
        guard let reaction = limits.reactions.randomElement(using: &random), let instance = anyInView(using: &random),
            let id = InstanceID(instance.id),
            let ticket = try? core.react(to: instance, with: withdraws ? "" : reaction, now: now)
        else { return }
        reacted[id] = withdraws ? nil : instance
        _ = note(ticket, .react(id), due: due, now: now)
    }

    // MARK: Tidying up

    /// What of it is in the world, as far as it knows.
    var leftCount: Int { own.count + reacted.count + pending.count }

    /// Asks to take one thing back. False when there is none, or it cannot be asked for now.
    func tidy(now: UInt64) -> Bool {
        if let instance = own.values.first { return remove(instance, due: now, now: now) != nil }
        guard let (id, instance) = reacted.first,
            let ticket = try? core.react(to: instance, with: "", now: now)
        else { return false }
        reacted[id] = nil
        _ = note(ticket, .react(id), due: now, now: now)
        return true
    }

    /// A removal is answered.
    /// - Parameter again: it was refused for now and is to be asked for once more.
    func removalAnswered(_ id: InstanceID, again: Bool) {
        if let instance = leaving.removeValue(forKey: id), again { own[id] = instance }
    }

    func note(_ ticket: RequestTicket, _ kind: Errand.Kind, due: UInt64, now: UInt64) -> Errand.Kind {
        pending[ticket] = Errand(kind: kind, due: due, at: now)
        return kind
    }

    private func offset(_ random: inout SeededGenerator) -> Double { .random(in: -5...5, using: &random) }

    private func pose(at place: Coordinate, using random: inout SeededGenerator) -> WirePose {
        var anchor = WireAnchor()
        anchor.provider = "crowd"
        anchor.data = .init((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        let pose = GeoPose(
            coordinate: place, heightMetres: .random(in: 40...42, using: &random),
            orientation: .yaw(compassHeadingDegrees: .random(in: 0..<360, using: &random)))
        return WirePose(pose, scale: .random(in: 0.5...2, using: &random), anchor: anchor)
    }

    private func ownNearBy() -> [WireInstance] {
        let here = walker.coordinate
        return own.values.filter { instance in
            guard let place = instance.pose.geoPose?.coordinate else { return false }
            return place.distanceMetres(to: here) < limits.reach / 2
        }
    }

    private func anyInView(using random: inout SeededGenerator) -> WireInstance? {
        let names = core.view.topics.filter { $0.value.instances.values.contains { !$0.hasPost } }.keys.sorted()
        guard let name = names.randomElement(using: &random), let topic = core.view.topics[name] else { return nil }
        return chosen(from: topic.instances.values.lazy.filter { !$0.hasPost }, using: &random)
    }

    /// The same of the same instances, in whatever order a dictionary gives them.
    func chosen(
        from instances: some Sequence<WireInstance>, using random: inout SeededGenerator
    ) -> WireInstance? {
        let mark = random.next()
        func rank(_ instance: WireInstance) -> UInt64 {
            instance.id.utf8.reduce(mark) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return instances.min { rank($0) < rank($1) }
    }
}
