extension ScenarioKey {
    /// What people say of what others leave.
    static let reacting: [ScenarioKey] = [
        .interval("reactEvery", \.reactEvery, "Time between two reactions of a person.")
    ]
}

extension CrowdPlan {
    /// `key=value` for `cairn serve --set`. Reactions and votes share a limit.
    var reactingSettings: [String] {
        let perMinute = [reactEvery, voteEvery].filter { $0 > 0 }.reduce(0) { $0 + 60 / $1 }
        return perMinute > 24 ? ["reactions.perMinute=\(Int(perMinute.rounded(.up)) + 10)"] : []
    }
}
