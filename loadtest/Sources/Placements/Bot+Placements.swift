import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation

extension Bot.Errand.Kind {
    static let place = Self("place")
    static let edit = Self("edit")
    static let removeName = "remove"

    static func remove(_ id: InstanceID) -> Self { Self(removeName, id) }

    /// The removed instance, if the errand is a removal.
    var removes: InstanceID? { name == Self.removeName ? instance : nil }
}

/// The instances that a bot has placed.
final class Possessions: BotPart {
    /// Instances without a requested removal, as last acknowledged.
    fileprivate(set) var own: [InstanceID: WireInstance] = [:]
    /// Instances whose removal is not answered yet.
    private var leaving: [InstanceID: WireInstance] = [:]
    /// Times of requests to place an instance, to stay within the quotas.
    fileprivate var askedAt: [MonotonicTime] = []
    /// Number of instances that may exist: requested, and neither refused nor known to be removed.
    fileprivate var mayHold = 0

    func hold(_ instance: WireInstance) {
        if let id = InstanceID(instance.id) { own[id] = instance }
    }

    /// A placement was removed or refused.
    func release() { mayHold -= 1 }

    fileprivate func leave(_ instance: WireInstance, _ id: InstanceID) {
        own[id] = nil
        leaving[id] = instance
    }

    /// A removal is answered.
    /// - Parameter again: it was refused while the crowd tidies up, and the instance may still be there: the bot
    ///   sends the removal again.
    func removalAnswered(_ id: InstanceID, again: Bool) {
        if let instance = leaving.removeValue(forKey: id), again { own[id] = instance }
    }
}

/// Placing, editing and removing instances.
extension Bot {
    /// Quotas above this count as no quota: no times are kept for them.
    private static let quotaMax = 100_000
    /// Longest assumed time between a request and its decision.
    private static let delayMax: Duration = .seconds(60)
    private static let minute: Duration = .seconds(60)
    private static let day: Duration = .seconds(86_400)

    var placing: Possessions { self[Possessions.self] }

    /// Whether the bot requests more than the quotas allow.
    var isGreedy: Bool { Double(index) < Double(plan.people) * plan.greedyShare }

    /// Places an instance near by, or edits or removes one, which keeps the quotas free.
    func runErrand(due: MonotonicTime, now: MonotonicTime) -> Errand.Kind? {
        var random = nextErrand()
        let dice = Double.random(in: 0..<1, using: &random)
        if isGreedy {
            // Removes instances, too: otherwise the bot would exhaust the quota of the area and never that of the
            // period.
            if dice < 0.4, let instance = chosen(from: placing.own.values, using: &random) {
                return remove(instance, due: due, now: now)
            }
            return place(due: due, now: now, using: &random)
        }
        if dice < 0.2, let instance = chosen(from: ownNearBy(), using: &random) {
            return edit(instance, due: due, now: now, using: &random)
        }
        if placing.own.count >= Int(limits.areaQuota) * 3 / 4 || dice < 0.3,
            let instance = chosen(from: placing.own.values, using: &random)
        {
            return remove(instance, due: due, now: now)
        }
        return place(due: due, now: now, using: &random)
    }

    /// Places an instance if the quotas allow it.
    func placeMore(now: MonotonicTime) -> Errand.Kind? {
        var random = nextErrand()
        return place(due: now, now: now, using: &random)
    }

    private func place(due: MonotonicTime, now: MonotonicTime, using random: inout SeededGenerator) -> Errand.Kind? {
        guard isGreedy || isWithinQuota(now: now), let object = limits.presets.randomElement(using: &random) else {
            return nil
        }
        let place = walker.coordinate(eastward: offset(&random), northward: offset(&random))
        let pose = pose(at: place, using: &random)
        let realms = CrowdFeatures.audience(of: self, using: &random)
        guard
            let ticket = try? core.place(
                object, pose: pose, inscription: inscription(of: pose), realms: realms, now: now)
        else { return nil }
        if limits.placementsPerMinute < Self.quotaMax { placing.askedAt.append(now) }
        placing.mayHold += 1
        return note(ticket, .place, due: due, now: now)
    }

    /// Text and data for one instance in eight, because most instances have none. Chosen by the pose, so that the
    /// random choices of a scenario do not change.
    private func inscription(of pose: WirePose) -> Inscription {
        let dice = pose.geopose.position.lat.bitPattern
        guard dice.isMultiple(of: 8) else { return Inscription() }
        return Inscription(text: "left by \(index) \u{1F33F}", data: withUnsafeBytes(of: dice) { Array($0) })
    }

    private func isWithinQuota(now: MonotonicTime) -> Bool {
        guard limits.placementsPerMinute < Self.quotaMax else { return true }
        placing.askedAt.removeAll { now - $0 > Self.day }
        // A little more than a minute, because the server may have decided the first of them late.
        let lastMinute = placing.askedAt.count { now - $0 < Self.minute + .seconds(5) }
        return lastMinute < Int(limits.placementsPerMinute) && placing.askedAt.count < Int(limits.placementsPerDay)
    }

    /// Reports a refusal for a quota that cannot have been used up.
    func judgeQuota(_ refusal: Refusal, now: MonotonicTime) -> [any Deed] {
        isCertainlyWithinQuota(refusal.code, now: now) ? [PlacementDeed.refusedWithinQuota(refusal.code)] : []
    }

    /// Whether a quota cannot have been used up, whenever the server decided the requests.
    /// - Parameter code: of the refusal; codes other than those of quotas give false.
    func isCertainlyWithinQuota(_ code: Refusal.Code, now: MonotonicTime) -> Bool {
        switch code {
        case .quotaArea: return placing.mayHold <= Int(limits.areaQuota)
        case .quotaPeriod:
            let lately = placing.askedAt.count { now - $0 < Self.minute + Self.delayMax }
            return lately <= Int(limits.placementsPerMinute) && placing.askedAt.count <= Int(limits.placementsPerDay)
        default: return false
        }
    }

    private func edit(
        _ instance: WireInstance, due: MonotonicTime, now: MonotonicTime, using random: inout SeededGenerator
    ) -> Errand.Kind? {
        let place = walker.coordinate(eastward: offset(&random) * 3, northward: offset(&random) * 3)
        let pose = pose(at: place, using: &random)
        guard let id = InstanceID(instance.id), let ticket = try? core.edit(instance, to: pose, now: now) else {
            return nil
        }
        // The version is unknown until the edit is answered.
        placing.own[id] = nil
        return note(ticket, .edit, due: due, now: now)
    }

    func remove(_ instance: WireInstance, due: MonotonicTime, now: MonotonicTime) -> Errand.Kind? {
        guard let id = InstanceID(instance.id), let ticket = try? core.remove(instance, now: now) else { return nil }
        placing.leave(instance, id)
        return note(ticket, .remove(id), due: due, now: now)
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
        return placing.own.values.filter { instance in
            guard let place = instance.pose.geoPose?.coordinate else { return false }
            return place.distanceMetres(to: here) < limits.reach / 2
        }
    }
}
