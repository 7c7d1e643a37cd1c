import CairnClient
import CairnGeo
import CairnTime
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
    let plan: CrowdPlan
    var core: ClientCore
    var walker: Walker
    private var ways: SeededGenerator
    private let errands: SeededGenerator
    private var cuts: SeededGenerator
    private var errandNumber: UInt64 = 0
    /// Requests under way, with what they were and when they were made.
    var pending: [RequestTicket: Errand] = [:]
    /// Of features, as they are asked for.
    private var parts: [ObjectIdentifier: any BotPart] = [:]
    /// The run is over, and what it left is taken back.
    var isTidying = false
    /// Where the server may have it: the last place that its core was given.
    private(set) var told: Coordinate?
    var tracks: [(cell: CellID, track: CellTrack)] = []
    /// When a cell went out of view.
    var leftAt: [CellID: MonotonicTime] = [:]
    /// When a wake-up of the core is set, so that it is set once.
    var wakeSetFor: MonotonicTime?
    /// When it first tried to connect after it was cut; nil = it has not, or is back.
    var returningSince: MonotonicTime?
    /// When it was last welcomed.
    var liveSince: MonotonicTime = .epoch
    /// Whether its own cell has come into view since it first connected.
    var hasArrived = false

    /// Why a request was made.
    struct Errand {
        /// What was to be done, and to which instance; nil = to none that was there.
        struct Kind: Hashable {
            let name: String
            let instance: InstanceID?

            init(_ name: String, _ instance: InstanceID? = nil) {
                self.name = name
                self.instance = instance
            }
        }

        let kind: Kind
        /// When it was to be made: what its latency is counted from.
        let due: MonotonicTime
        let at: MonotonicTime
    }

    init(index: Int, name: String, token: String = "", area: Area, plan: CrowdPlan, random: SeededGenerator) {
        self.index = index
        shares = plan.shares(index)
        hasToken = !token.isEmpty
        self.plan = plan
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

    /// What a feature keeps with it.
    subscript<Part: BotPart>(part: Part.Type) -> Part {
        if let known = parts[ObjectIdentifier(part)] as? Part { return known }
        let made = Part()
        parts[ObjectIdentifier(part)] = made
        return made
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
    func pause(upTo seconds: Double) -> Duration { .seconds(Double.random(in: 0..<seconds, using: &ways)) }

    /// Time to the next cut, at random, whatever else is.
    func cutPause(upTo seconds: Double) -> Duration { .seconds(Double.random(in: 0..<seconds, using: &cuts)) }

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

    // MARK: Tidying up

    /// What of it is in the world, as far as it knows.
    var leftCount: Int { CrowdFeatures.all.reduce(pending.count) { $0 + $1.leftCount(of: self) } }

    /// Asks to take one thing back. False when there is none, or it cannot be asked for now.
    func tidy(now: MonotonicTime) -> Bool { CrowdFeatures.all.contains { $0.takeBack(self, now: now) } }

    func note(_ ticket: RequestTicket, _ kind: Errand.Kind, due: MonotonicTime, now: MonotonicTime) -> Errand.Kind {
        pending[ticket] = Errand(kind: kind, due: due, at: now)
        return kind
    }

    /// An instance that is no feature's own.
    func anyInView(using random: inout SeededGenerator) -> WireInstance? {
        let names = core.view.topics.filter { topic in
            topic.value.instances.values.contains { !CrowdFeatures.isOwned($0) }
        }
        .keys.sorted()
        guard let name = names.randomElement(using: &random), let topic = core.view.topics[name] else { return nil }
        return chosen(from: topic.instances.values.lazy.filter { !CrowdFeatures.isOwned($0) }, using: &random)
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
