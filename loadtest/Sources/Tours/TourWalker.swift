import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation

/// A person who walks tours, one after the other: the way, the receiver's error, and the client. Confined to the loop's
/// thread.
final class TourWalker {
    enum Stage {
        /// Not on a run, and about to begin one.
        case outside
        case starting(RequestTicket, at: MonotonicTime, least: UInt32)
        case walking
        case leaving(RequestTicket)
    }

    /// A pause on the way.
    enum Pause {
        case none, lasting
        case asking(RequestTicket)
        case ending(RequestTicket)
    }

    /// What a walker asks about groups.
    enum GroupDeed {
        case open, share, leave
        case follow(String, code: String)
        /// Sets this stop as the target for all.
        case target(String)
    }

    let index: Int
    let plan: CrowdPlan
    let name: String
    var core: ClientCore
    var stage = Stage.outside
    /// The tour that is walked now or next.
    private(set) var tour = 0
    private(set) var place = Metres.zero
    /// What was walked since the run began.
    private(set) var metres = 0.0
    /// Since when the walker has stood at the target.
    var standsSince: MonotonicTime?
    /// Since when the walker has really been within the arrival distance of it.
    var nearSince: MonotonicTime?
    /// Whether the receiver jumps on this leg, before half of it is done.
    private(set) var isToJump = false
    /// The jump that is under way.
    var jump: Jump?
    var pause = Pause.none
    var groupRequest: (ticket: RequestTicket, deed: GroupDeed, group: String?)?
    /// Since when the walker has been in a group and has had a connection.
    var knownSince: MonotonicTime?
    /// The stops that the walker knows of, by their ids.
    private var stops: [String] = []
    var wakeSetFor: MonotonicTime?
    private var error = Metres.zero
    private var random: SeededGenerator
    /// For the keys of requests, which have to differ from those of an earlier run with the same seed and server.
    private var keys: SeededGenerator

    /// A jump: one position at the target, between two that are answered, so that its length in time is known.
    enum Jump {
        /// Told the position before it at this time; the answer will start it.
        case before(RequestTicket, since: MonotonicTime)
        /// Since when it may have begun for the server, and how far it goes; the answer to the position after it ends
        /// it.
        case after(RequestTicket, since: MonotonicTime, metres: Double)
    }

    init(index: Int, name: String, plan: CrowdPlan, keys: SeededGenerator) {
        (self.index, self.name, self.plan, self.keys) = (index, name, plan, keys)
        random = SeededGenerator(seed: plan.seed).branch(UInt64(index)).branch(11)
        core = Self.device(name, plan, seed: self.keys.next())
        tour = index % max(1, plan.tours)
    }

    /// Another device of the same person, which knows nothing.
    func takeAnotherDevice() { core = Self.device(name, plan, seed: keys.next()) }

    private static func device(_ name: String, _ plan: CrowdPlan, seed: UInt64) -> ClientCore {
        let profile = ClientProfile(name: name, frontEnd: "bot", sharesPosition: true, shareAccuracyMetres: 0)
        return ClientCore(profile: profile, format: plan.format, presence: .raw, seed: seed)
    }

    /// Goes to the start of the next tour.
    func goToStart() {
        tour = Int.random(in: 0..<plan.tours, using: &random)
        (place, metres) = (.zero, 0)
    }

    /// A leg begins: whether the receiver will jump on it is left to chance.
    func beginLeg() {
        (standsSince, nearSince) = (nil, nil)
        isToJump = Double.random(in: 0..<1, using: &random) < plan.jumpShare
    }

    /// Whether a request has no answer, which another device would not get.
    var isWaiting: Bool {
        switch pause {
        case .asking, .ending: true
        case .none, .lasting: groupRequest != nil
        }
    }

    func note(_ run: WireRun) {
        stops = (run.hasTarget ? [run.target.id] : []) + (run.hasLast ? [run.last.id] : [])
    }

    /// A stop to which a guide leads; empty = each goes to their own.
    func someStop() -> String { (stops + [""]).randomElement(using: &random) ?? "" }

    func isLucky(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    /// Walks towards a stop for so many seconds of the walker's own time.
    /// - Returns: whether the walker is there.
    func walk(to stop: Metres, ownSeconds: Double) -> Bool {
        let (way, step) = (stop - place, Touring.walkingMetresPerSecond * ownSeconds)
        wander(ownSeconds)
        guard way.length > step else {
            metres += way.length
            place = stop
            return true
        }
        place += way * (step / way.length)
        metres += step
        return false
    }

    /// Whether half of the way is done, where a jump is furthest from both ends.
    func isHalfway(to stop: Metres, from last: Metres) -> Bool {
        let way = (stop - last).length
        return abs((stop - place).length - way / 2) < way / 4
    }

    func jumped() { isToJump = false }

    /// The receiver's error: first-order Gauss-Markov, 5.7 m an axis, 20 s (as in `TrackTests`).
    private func wander(_ seconds: Double) {
        let keeps = exp(-seconds / 20)
        let spread = 5.7 * (1 - keeps * keeps).squareRoot()
        error = error * keeps + spread * Metres(normal(), normal())
    }

    private func normal() -> Double {
        let (one, two) = (Double.random(in: 1e-12..<1, using: &random), Double.random(in: 0..<1, using: &random))
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
    }

    /// A random pause of up to twice this many seconds.
    func pause(around seconds: Double) -> Duration { .seconds(Double.random(in: 0..<2 * seconds, using: &random)) }

    /// A position as the receiver reports it.
    /// - Parameter shift: how far off it is besides its error.
    func fix(_ plane: LocalPlane, shift: Metres = .zero) -> WirePosition {
        let told = place + error + shift
        let coordinate = plane.coordinate(east: told.x, north: told.y)
        var position = WirePosition()
        (position.lat, position.lon, position.accuracy) = (coordinate.latitude, coordinate.longitude, 8)
        return position
    }
}
