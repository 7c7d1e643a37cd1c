import CairnClient
import CairnTime
import CairnWire

/// Placing, editing and removing instances.
enum Placing: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Seconds between two errands of a person; 0 = none.
        var every = 15.0
        /// Requests of one errand.
        var atOnce = 1
        /// Changes that each person keeps under way at any time, one after the other; 0 = paced by `every`.
        var inFlight = 0
        /// Share of the people that ask for more than the quotas allow.
        var greedyShare = 0.0
    }

    /// How many times more requests greedy bots send at once.
    static let greed = 4

    static let keys: [ScenarioKey] = [
        .interval(
            "placeEvery", \.placeEvery, "Time between two errands of a person: placing, editing or removing."),
        .integer("placesAtOnce", \.placesAtOnce, 1...100, unit: "requests", "Requests of one errand, all at once."),
        .integer(
            "placesInFlight", \.placesInFlight, 0...100, unit: "requests",
            "Placements that each person keeps under way instead, each answer followed by the next request. "
                + "0 = errands."),
        .number(
            "greedyShare", \.greedyShare, 0...1, unit: "share",
            "How many place and remove four times as much as others at once, whatever the quotas allow."),
    ]

    static let activities = [
        Activity(
            name: "place",
            pace: { $0.placesInFlight > 0 ? .inFlight($0.placesInFlight) : .seconds($0.placeEvery) },
            requestsAtOnce: \.placesAtOnce,
            act: { bot, due, now in
                guard bot.plan.placesInFlight == 0 else {
                    _ = bot.placeMore(now: now)
                    return []
                }
                return (0..<bot.plan.placesAtOnce * (bot.isGreedy ? greed : 1)).compactMap { _ in
                    bot.runErrand(due: due, now: now)?.removes.map { PlacementDeed.removing($0, at: now) }
                }
            })
    ]

    static let exchanges = [
        Exchange(
            name: Bot.Errand.Kind.place.name, count: "placed",
            acknowledged: { bot, errand, result, now in
                guard case .placed(let placed) = result else { return nil }
                bot.placing.hold(placed.instance)
                return PlacementDeed.placed(placed.instance, requestedAt: errand.at, at: now)
            },
            refused: { bot, _, refusal, now in
                let deeds = bot.judgeQuota(refusal, now: now)
                bot.placing.release()
                return deeds
            }),
        Exchange(
            name: Bot.Errand.Kind.edit.name, count: "edited",
            acknowledged: { bot, errand, result, now in
                guard case .edited(let edited) = result else { return nil }
                bot.placing.hold(edited.instance)
                return PlacementDeed.edited(edited.instance, requestedAt: errand.at, at: now)
            },
            refused: { bot, _, refusal, now in bot.judgeQuota(refusal, now: now) }),
        Exchange(
            name: Bot.Errand.Kind.removeName, count: "removed",
            acknowledged: { bot, errand, result, now in
                guard case .removed = result, let id = errand.kind.removes else { return nil }
                bot.placing.release()
                bot.placing.removalAnswered(id, again: false)
                return PlacementDeed.removed(id, at: now)
            },
            refused: { bot, errand, refusal, now in
                let deeds = bot.judgeQuota(refusal, now: now)
                guard let id = errand.kind.removes else { return deeds }
                bot.placing.removalAnswered(id, again: bot.isTidying && refusal.code != .notFound)
                // An instance that was not removed stays in place, so it must be seen again.
                return deeds + [PlacementDeed.removalRefused(id)]
            }),
    ]

    static var rule: any FeatureRule { PlacementRule() }

    static func settings(_ plan: CrowdPlan) -> [String] {
        if plan.placesInFlight > 0 {
            return [
                "placement.perMinute=1000000", "placement.perDay=1000000", "placement.areaQuota=1000000",
                "placement.changesPerMinute=1000000", "placement.changesPerDay=10000000",
                "cells.instancesMax=1000000",
            ]
        }
        guard plan.placeEvery > 0 else { return [] }
        let perMinute = max(10, Int((60 / plan.placeEvery).rounded(.up) + 2) * plan.placesAtOnce)
        return [
            "placement.perMinute=\(perMinute)", "placement.perDay=\(max(100, min(1_000_000, perMinute * 60)))",
            "placement.changesPerMinute=\(max(3_000, perMinute))", "placement.changesPerDay=10000000",
            "cells.instancesMax=\(max(2_000, plan.people * 50))",
        ]
    }

    static func summary(_ plan: CrowdPlan) -> [String] {
        var parts: [String] = []
        if plan.placesInFlight > 0 { parts.append("\(plan.placesInFlight) changes in flight") }
        if plan.placeEvery > 0, plan.placesInFlight == 0 { parts.append("place every \(plan.placeEvery.plain) s") }
        if plan.greedyShare > 0 { parts.append("\((plan.greedyShare * 100).plain) % greedy") }
        return parts
    }

    static func figures(_ report: CrowdReport) -> [String: Double] {
        let measured = Double(report.doneMeasured["placed"] ?? 0)
        return ["placed_measured": measured, "placements_per_second": measured / report.measuredSeconds]
    }

    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool {
        guard let instance = bot.placing.own.values.first else { return false }
        return bot.remove(instance, due: now, now: now) != nil
    }

    static func leftCount(of bot: Bot) -> Int { bot.placing.own.count }
}

extension CrowdPlan {
    private var placing: Placing.Plan {
        get { self[Placing.Plan.self] }
        set { self[Placing.Plan.self] = newValue }
    }

    /// Time between two errands of a person, seconds; 0 = none.
    var placeEvery: Double {
        get { placing.every }
        set { placing.every = newValue }
    }

    /// Requests of one errand.
    var placesAtOnce: Int {
        get { placing.atOnce }
        set { placing.atOnce = newValue }
    }

    /// Changes that each person keeps under way at any time; 0 = paced by `placeEvery`.
    var placesInFlight: Int {
        get { placing.inFlight }
        set { placing.inFlight = newValue }
    }

    /// Share of the people that ask for more than the quotas allow: the first ones.
    var greedyShare: Double {
        get { placing.greedyShare }
        set { placing.greedyShare = newValue }
    }
}

extension CrowdReport {
    /// Placements acknowledged a second, in the measured time.
    var placedPerSecond: Double { Placing.figures(self)["placements_per_second"] ?? 0 }
}
