import CairnClient
import CairnWire

/// Guests who look: the last people of the crowd have no account, walk about and see what is public (SES-14).
enum Looking: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// How many look without an account.
        var guestShare = 0.0
        /// Seconds between two selections of a guest; 0 = none.
        var lookEvery = 0.0
    }

    static let keys: [ScenarioKey] = [
        .number(
            "guestShare", \.guestShare, 0...0.99, unit: "share",
            "How many have no account and look: they see what is public, and nobody."),
        .interval("lookEvery", \.lookEvery, "Time between two selections of a guest."),
    ]

    static let activities = [
        Activity(
            name: "look", pace: { .seconds($0.guestShare > 0 ? $0.lookEvery : 0) }, isOfGuests: true,
            act: { bot, due, now in
                bot.look(due: due, now: now)
                return []
            })
    ]

    static let exchanges = [
        Exchange(
            name: "look", count: "looked",
            acknowledged: { _, _, result, _ in
                guard case .selected(let selected) = result else { return nil }
                return GuestDeed.looked(selected)
            })
    ]

    static var rule: any FeatureRule { GuestRule() }

    /// All guests come from one address.
    static func settings(_ plan: CrowdPlan) -> [String] {
        guard plan.guestShare > 0 else { return [] }
        return [
            "guests.look=true", "guests.viewsMax=\(plan.people)", "guests.viewsPerAddress=0",
            "guests.cellsPerMinutePerAddress=0", "guests.cellsPerMinute=1000000",
        ]
    }

    static func summary(_ plan: CrowdPlan) -> [String] {
        guard plan.guestShare > 0 else { return [] }
        return ["\((plan.guestShare * 100).plain) % look without an account, every \(plan.lookEvery.plain) s"]
    }
}

extension CrowdPlan {
    /// Share of the people that have no account and look.
    var guestShare: Double {
        get { self[Looking.Plan.self].guestShare }
        set { self[Looking.Plan.self].guestShare = newValue }
    }

    /// Time between two selections of a guest, seconds; 0 = none.
    var lookEvery: Double {
        get { self[Looking.Plan.self].lookEvery }
        set { self[Looking.Plan.self].lookEvery = newValue }
    }

    /// Whether person `index` is a guest: the last ones are.
    func isGuest(_ index: Int) -> Bool { guestShare > 0 && Double(index) >= Double(people) * (1 - guestShare) }
}

extension TopicName {
    /// The scope of guests' topics.
    static let guests: Substring = "v0000000000000"

    var isOfGuests: Bool { scope == Self.guests }
}
