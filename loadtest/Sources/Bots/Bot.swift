import CairnClient
import CairnGeo
import CairnWire
import Foundation

/// One of the crowd: a client core without a socket of its own, legs, and what it knows of the others.
/// Confined to the loop's thread.
final class Bot {
    let index: Int
    var core: ClientCore
    var walker: Walker
    var random: SeededGenerator
    /// Requests under way, with what they were and when they were made.
    var pending: [RequestTicket: Errand] = [:]
    /// What this bot has placed and not asked to remove, as last acknowledged.
    var own: [InstanceID: WireInstance] = [:]
    /// When it asked for its placements, to stay within the quotas.
    var placedAt: [UInt64] = []
    var tracks: [(cell: CellID, track: CellTrack)] = []
    /// When a wake-up of the core is set, so that it is set once.
    var wakeSetFor: UInt64?

    /// Why a request was made.
    struct Errand {
        enum Kind {
            case place
            case edit
            case remove(InstanceID)
            case react(InstanceID)
        }

        let kind: Kind
        let at: UInt64
    }

    init(index: Int, name: String, area: Area, plan: CrowdPlan, random: SeededGenerator) {
        self.index = index
        self.random = random
        walker = Walker(area: area, speed: plan.speed, using: &self.random)
        let profile = ClientProfile(
            name: name, frontEnd: "bot", sharesPosition: plan.shares, shareAccuracyMetres: plan.shares ? 0 : nil)
        // Keys have to differ from those of an earlier run with the same seed and server.
        core = ClientCore(profile: profile, format: plan.format, presence: .raw, seed: .random(in: .min ... .max))
    }

    var limits: WireLimits { core.welcome?.limits ?? WireLimits() }

    /// Where the bot is, as it says.
    func position(height: Double) -> WirePosition {
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

    // MARK: Errands

    /// Places something near by, or tidies up: edits and removals keep the quotas free.
    func runErrand(now: UInt64) -> Errand.Kind? {
        let dice = Double.random(in: 0..<1, using: &random)
        if dice < 0.2, let instance = ownNearBy() { return edit(instance, now: now) }
        if own.count >= Int(limits.areaQuota) * 3 / 4 || dice < 0.3,
            let instance = own.values.randomElement(using: &random)
        {
            return remove(instance, now: now)
        }
        return place(now: now)
    }

    private func place(now: UInt64) -> Errand.Kind? {
        placedAt.removeAll { now - $0 > 86_400_000_000 }
        let lastMinute = placedAt.count { now - $0 < 65_000_000 }
        guard lastMinute < Int(limits.placementsPerMinute), placedAt.count < Int(limits.placementsPerDay),
            let object = limits.presets.randomElement(using: &random)
        else { return nil }
        let pose = pose(at: walker.coordinate(eastward: offset(), northward: offset()))
        guard let ticket = try? core.place(object, pose: pose, now: now) else { return nil }
        placedAt.append(now)
        return note(ticket, .place, now: now)
    }

    private func edit(_ instance: WireInstance, now: UInt64) -> Errand.Kind? {
        let pose = pose(at: walker.coordinate(eastward: offset() * 3, northward: offset() * 3))
        guard let id = InstanceID(instance.id), let ticket = try? core.edit(instance, to: pose, now: now) else {
            return nil
        }
        // Until it is answered nobody knows its version.
        own[id] = nil
        return note(ticket, .edit, now: now)
    }

    private func remove(_ instance: WireInstance, now: UInt64) -> Errand.Kind? {
        guard let id = InstanceID(instance.id), let ticket = try? core.remove(instance, now: now) else { return nil }
        own[id] = nil
        return note(ticket, .remove(id), now: now)
    }

    func react(now: UInt64) {
        guard let reaction = limits.reactions.randomElement(using: &random), let instance = anyInView(),
            let id = InstanceID(instance.id)
        else { return }
        let withdraws = Double.random(in: 0..<1, using: &random) < 0.1
        guard let ticket = try? core.react(to: instance, with: withdraws ? "" : reaction, now: now) else { return }
        _ = note(ticket, .react(id), now: now)
    }

    private func note(_ ticket: RequestTicket, _ kind: Errand.Kind, now: UInt64) -> Errand.Kind {
        pending[ticket] = Errand(kind: kind, at: now)
        return kind
    }

    private func offset() -> Double { .random(in: -5...5, using: &random) }

    private func pose(at place: Coordinate) -> WirePose {
        var anchor = WireAnchor()
        anchor.provider = "crowd"
        anchor.data = .init((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        let pose = GeoPose(
            coordinate: place, heightMetres: .random(in: 40...42, using: &random),
            orientation: .yaw(compassHeadingDegrees: .random(in: 0..<360, using: &random)))
        return WirePose(pose, scale: .random(in: 0.5...2, using: &random), anchor: anchor)
    }

    private func ownNearBy() -> WireInstance? {
        let here = walker.coordinate
        return own.values.filter { instance in
            guard let place = instance.pose.geoPose?.coordinate else { return false }
            return place.distanceMetres(to: here) < limits.reach / 2
        }
        .randomElement(using: &random)
    }

    private func anyInView() -> WireInstance? {
        guard let topic = core.view.topics.values.filter({ !$0.instances.isEmpty }).randomElement(using: &random) else {
            return nil
        }
        return topic.instances.values.randomElement(using: &random)
    }
}
