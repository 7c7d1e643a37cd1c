import CairnClient
import CairnTime
import CairnWire

/// Tours: people walk them, each in a space of their own (TRT-5 to TRT-13), while their makers publish new versions.
/// With tours in the plan `TourCrowd` carries it out, because nobody is in a public view.
enum Touring: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Number of tours; 0 = no person walks one.
        var tours = 0
        /// How many times as fast as people walkers are.
        var pace = 1.0
        var stops = 4
        var legMetres = 300.0
        /// Seconds between two changes of device of a walker; 0 = none.
        var changeEvery = 0.0
        /// Seconds between two new versions of any tour; 0 = none.
        var publishEvery = 0.0
        /// Share of the legs on which a walker's receiver jumps to the next stop and back.
        var jumpShare = 0.0
        /// Seconds between two pauses of a walker; 0 = none.
        var pauseEvery = 0.0
        /// Seconds between two actions of a walker on groups; 0 = none.
        var groupEvery = 0.0
        /// People who stand at the start and must learn nothing of the walkers.
        var bystanders = 5
    }

    static let keys: [ScenarioKey] = [
        .integer(
            "tours", \.tours, 0...1_000, unit: "tours",
            "Tours that people walk, in place of everything else that a crowd does. 0 = none."),
        .number("pace", \.pace, 1...1_000, unit: "times", "How many times as fast as people the walkers of tours are."),
        .integer("stops", \.stops, 1...50, unit: "stops", "Stops of a tour."),
        .number("legMetres", \.legMetres, 60...5_000, unit: "metres", "Way from one stop to the next."),
        .interval("changeEvery", \.changeEvery, "Time between two changes of device of a walker."),
        .interval("publishEvery", \.publishEvery, "Time between two new versions of any of the tours."),
        .number(
            "jumpShare", \.jumpShare, 0...1, unit: "share",
            "On how many legs the walker's receiver is at the next stop for one position."),
        .interval("pauseEvery", \.pauseEvery, "Time between two pauses of a walker, of 2.5 s each."),
        .interval(
            "groupEvery", \.groupEvery,
            "Time between two actions of a walker on groups: opening one, following one, leading it to a stop, showing "
                + "the own place or not, leaving."),
        .integer(
            "bystanders", \.bystanders, 0...1_000, unit: "people",
            "People beside the walkers who stand at the start: nothing of a walk may reach them."),
    ]
    static let activities: [Activity] = []
    static let exchanges: [Exchange] = []
    static var rule: any FeatureRule { NoRule() }

    /// `TourRule` judges walks, and gets them from `TourCrowd`.
    private struct NoRule: FeatureRule {
        mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {}
    }

    /// Every configured time is divided by the pace, every speed multiplied by it.
    static func settings(_ plan: CrowdPlan) -> [String] {
        guard plan.tours > 0 else { return [] }
        return [
            "tours.jumpMetresPerSecond=\(min(10_000, Self.jumpMetresPerSecond * plan.pace))",
            "tours.settleSeconds=\(max(0.05, Self.settleSeconds / plan.pace))",
            "tours.idleHours=\(max(0.001, Self.idleHours / plan.pace))",
            "tours.createdPerHour=100000", "tours.editsPerMinute=1000000", "tours.codesPerHour=1000000",
            "tours.runChangesPerMinute=1000000",
            // A new version moves the stops away from the route.
            "tours.offRouteMetres=1000",
        ]
    }

    static func summary(_ plan: CrowdPlan) -> [String] {
        plan.tours > 0 ? ["\(plan.tours) tours at \(plan.pace.plain) times walking pace"] : []
    }

    /// The server's defaults, which the pace changes.
    static let jumpMetresPerSecond = 15.0
    static let settleSeconds = 10.0
    private static let idleHours = 12.0
    static let arrivalMetres = 15.0
    static let walkingMetresPerSecond = 1.4
}

extension CrowdPlan {
    var touring: Touring.Plan {
        get { self[Touring.Plan.self] }
        set { self[Touring.Plan.self] = newValue }
    }

    var tours: Int {
        get { touring.tours }
        set { touring.tours = newValue }
    }

    var pace: Double {
        get { touring.pace }
        set { touring.pace = newValue }
    }

    var stops: Int {
        get { touring.stops }
        set { touring.stops = newValue }
    }

    var legMetres: Double {
        get { touring.legMetres }
        set { touring.legMetres = newValue }
    }

    var changeEvery: Double {
        get { touring.changeEvery }
        set { touring.changeEvery = newValue }
    }

    var publishEvery: Double {
        get { touring.publishEvery }
        set { touring.publishEvery = newValue }
    }

    var jumpShare: Double {
        get { touring.jumpShare }
        set { touring.jumpShare = newValue }
    }

    var pauseEvery: Double {
        get { touring.pauseEvery }
        set { touring.pauseEvery = newValue }
    }

    var groupEvery: Double {
        get { touring.groupEvery }
        set { touring.groupEvery = newValue }
    }

    var bystanders: Int {
        get { touring.bystanders }
        set { touring.bystanders = newValue }
    }

    /// Number of walkers and bystanders.
    var peopleOnTours: Int { people + bystanders }
}
