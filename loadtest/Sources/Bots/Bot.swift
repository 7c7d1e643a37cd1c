import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation

/// A simulated user: a client core without a socket, a walker, and the bot's knowledge of other bots. Confined to the
/// loop's thread.
///
/// Its random choices come from separate generators, one for its path and one for each errand. So the same seed gives
/// the same path and the same errands, whatever the server answers.
final class Bot {
    let index: Int
    let shares: Bool
    /// Whether it has no account and looks.
    let isGuest: Bool
    /// Whether it signs in with a token of the server, and so has the token's name.
    let hasToken: Bool
    let plan: CrowdPlan
    var core: ClientCore
    var walker: Walker
    private var ways: SeededGenerator
    private let errands: SeededGenerator
    private var cuts: SeededGenerator
    private var errandNumber: UInt64 = 0
    /// Requests under way, with their errands.
    var pending: [RequestTicket: Errand] = [:]
    private var parts = BotParts()
    /// What all bots know together.
    let company: Company
    /// The sub-realm that its view shows; empty = what is everyone's. As `ClientProfile.realm`, in the order of events.
    var shown = ""
    /// All items that it receives from now on were sent after this time: when it made its last request that is
    /// answered, or when it last connected.
    var sentSince: MonotonicTime = .epoch
    /// Whether the run is over and the bot is removing what it has left.
    var isTidying = false
    /// The place of the last position that was sent: the server may take the bot to be there.
    private(set) var told: Coordinate?
    /// When the next pose is due.
    var poseDue: MonotonicTime = .epoch
    var tracks: [(cell: CellID, track: CellTrack)] = []
    /// When a cell went out of view.
    var leftAt: [CellID: MonotonicTime] = [:]
    /// The time of the core's next wake-up, so that it is set once.
    var wakeSetFor: MonotonicTime?
    /// When it first tried to reconnect after a cut; nil = not yet, or it is back.
    var returningSince: MonotonicTime?
    /// When it was last welcomed.
    var liveSince: MonotonicTime = .epoch
    /// Whether its own cell has come into view since it first connected.
    var hasArrived = false

    /// Why a request was made.
    struct Errand {
        /// The action and its instance; nil = the action concerns no existing instance.
        struct Kind: Hashable {
            let name: String
            let instance: InstanceID?

            init(_ name: String, _ instance: InstanceID? = nil) {
                self.name = name
                self.instance = instance
            }
        }

        let kind: Kind
        /// When the request was due: its latency is measured from here.
        let due: MonotonicTime
        let at: MonotonicTime
        /// The feature's own data about the request; nil = it needs none.
        var matter: (any Sendable)?
    }

    /// - Parameter keys: for the keys of its requests, which have to differ from those of an earlier run with the same
    ///   seed and server; nil = random ones.
    init(
        index: Int, name: String, token: String = "", area: Area, plan: CrowdPlan, random: SeededGenerator,
        keys: SeededGenerator? = nil, company: Company = Company()
    ) {
        self.index = index
        self.company = company
        shares = plan.shares(index)
        isGuest = plan.isGuest(index)
        let token = isGuest ? "" : token
        hasToken = !token.isEmpty
        self.plan = plan
        ways = random.branch(0)
        errands = random.branch(1)
        cuts = random.branch(2)
        walker = Walker(area: area, plan: plan, using: &ways)
        let profile = ClientProfile(
            name: token.isEmpty && !isGuest ? name : "", token: token, frontEnd: "bot", sharesPosition: shares,
            shareAccuracyMetres: shares ? 0 : nil)
        var keys = keys ?? SeededGenerator(seed: .random(in: .min ... .max))
        core = ClientCore(profile: profile, format: plan.format, presence: .raw, seed: keys.next())
    }

    /// A feature's state of this bot.
    subscript<Part: BotPart>(part: Part.Type) -> Part { parts.part(part) }

    var limits: WireLimits { core.welcome?.limits ?? WireLimits() }

    /// Sends its position, at a height that encodes the pose's number.
    func tell(height: Double) {
        told = walker.coordinate
        core.move(to: position(height: height))
    }

    /// The same, and asks for an answer. Nil = the core takes no request now.
    func locate(height: Double, now: MonotonicTime) -> RequestTicket? {
        told = walker.coordinate
        return try? core.locate(at: position(height: height), now: now)
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

    /// A random pause.
    func pause(upTo seconds: Double) -> Duration { .seconds(Double.random(in: 0..<seconds, using: &ways)) }

    /// A random time to the next cut, independent of all other choices.
    func cutPause(upTo seconds: Double) -> Duration { .seconds(Double.random(in: 0..<seconds, using: &cuts)) }

    /// The cells whose view is complete, each with the people named in its batches; none without a batch.
    var completeTracks: [(cell: CellID, track: CellTrack)] {
        core.view.topics.values.compactMap { topic in
            guard topic.isComplete, let cell = CellID(token: topic.cellToken) else { return nil }
            return (cell, tracks.first { $0.cell == cell }?.track ?? CellTrack())
        }
    }

    /// The topic of what it is shown in a cell; nil = the cell is not in view.
    func topic(in cell: CellID) -> TopicReplica? {
        guard !shown.isEmpty || isGuest else { return core.view.topics[cell.token] }
        return core.view.topics.values.first { $0.cellToken == cell.token && $0.name != cell.token }
    }

    /// Whether it follows any topic of a cell.
    func follows(_ cell: CellID) -> Bool {
        let token = cell.token
        return core.view.topics.values.contains { $0.cellToken == token }
    }

    /// A topic's name as the oracle knows it.
    func viewName(of topic: String) -> String {
        let name = TopicName(topic)
        // What a guest is shown of a cell is everyone's.
        if isGuest, name.isOfGuests { return String(name.home) }
        guard name.scope != nil, !shown.isEmpty, CellID(token: name.home) != nil else { return topic }
        return TopicName.view(of: name.home, shown: shown)
    }

    // MARK: Errands

    /// The random generator for the next errand, independent of the errands before.
    func nextErrand() -> SeededGenerator {
        errandNumber += 1
        return errands.branch(errandNumber)
    }

    /// Another person, mostly one of the same area, so that people who have to do with each other meet.
    func anotherPerson(using random: inout SeededGenerator) -> Int? {
        let distance = Int.random(in: 1...8, using: &random) * plan.areaCount
        let other = (index + distance) % plan.people
        return other == index ? nil : other
    }

    /// Whether a request of this name is under way.
    func isBusy(with name: String) -> Bool { pending.values.contains { $0.kind.name == name } }

    // MARK: Tidying up

    /// Number of things of this bot in the world, as far as it knows.
    var leftCount: Int { CrowdFeatures.all.reduce(pending.count) { $0 + $1.leftCount(of: self) } }

    /// Sends a request that removes one thing. False when there is none, or the request cannot be sent now.
    func tidy(now: MonotonicTime) -> Bool { CrowdFeatures.all.contains { $0.takeBack(self, now: now) } }

    func note(
        _ ticket: RequestTicket, _ kind: Errand.Kind, matter: (any Sendable)? = nil, due: MonotonicTime,
        now: MonotonicTime
    ) -> Errand.Kind {
        pending[ticket] = Errand(kind: kind, due: due, at: now, matter: matter)
        return kind
    }

    /// An instance in view that no feature reserves for itself.
    func anyInView(using random: inout SeededGenerator) -> WireInstance? {
        let names = core.view.topics.filter { topic in
            topic.value.instances.values.contains { !CrowdFeatures.isOwned($0) }
        }
        .keys.sorted()
        guard let name = names.randomElement(using: &random), let topic = core.view.topics[name] else { return nil }
        return chosen(from: topic.instances.values.lazy.filter { !CrowdFeatures.isOwned($0) }, using: &random)
    }

    /// Chooses the same one of the same instances, independent of a dictionary's order.
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
