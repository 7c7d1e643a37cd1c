extension ScenarioKey {
    /// What people leave.
    static let placing: [ScenarioKey] = [
        .interval(
            "placeEvery", \.placeEvery, "Time between two errands of a person: placing, editing or removing."),
        .integer("placesAtOnce", \.placesAtOnce, 1...100, unit: "requests", "Requests of one errand, all at once."),
        .integer(
            "placesInFlight", \.placesInFlight, 0...100, unit: "requests",
            "Placements that each person keeps under way instead, each answer followed by the next request. "
                + "0 = errands."),
    ]

    /// Those who care for no quota.
    static let greed: [ScenarioKey] = [
        .number(
            "greedyShare", \.greedyShare, 0...1, unit: "share",
            "How many place and remove four times as much as others at once, whatever the quotas allow.")
    ]
}

extension CrowdPlan {
    /// `key=value` for `cairn serve --set`.
    var placingSettings: [String] {
        if placesInFlight > 0 {
            return [
                "placement.perMinute=1000000", "placement.perDay=1000000", "placement.areaQuota=1000000",
                "placement.changesPerMinute=1000000", "placement.changesPerDay=10000000",
                "cells.instancesMax=1000000",
            ]
        }
        guard placeEvery > 0 else { return [] }
        let perMinute = max(10, Int((60 / placeEvery).rounded(.up) + 2) * placesAtOnce)
        return [
            "placement.perMinute=\(perMinute)", "placement.perDay=\(max(100, min(1_000_000, perMinute * 60)))",
            "placement.changesPerMinute=\(max(3_000, perMinute))", "placement.changesPerDay=10000000",
            "cells.instancesMax=\(max(2_000, people * 50))",
        ]
    }
}
