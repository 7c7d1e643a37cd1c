extension ScenarioKey {
    /// What people do with posts.
    static let square: [ScenarioKey] = [
        .interval("postEvery", \.postEvery, "Time between two posts of a person."),
        .interval("voteEvery", \.voteEvery, "Time between two votes of a person."),
        .integer(
            "postSeconds", \.postSeconds, 1...86_400, unit: "seconds",
            "How long posts live; the server's posts.lifeSeconds."),
    ]
}

extension CrowdPlan {
    /// `key=value` for `cairn serve --set`.
    var postSettings: [String] {
        guard postEvery > 0 else { return [] }
        let perMinute = Int((60 / postEvery).rounded(.up)) + 2
        return [
            "posts.perMinute=\(perMinute)", "posts.perDay=\(perMinute * 60)", "posts.lifeSeconds=\(postSeconds)",
            "posts.perCellMax=100000",
        ]
    }

    /// For people.
    var postSummary: [String] {
        var parts: [String] = []
        if postEvery > 0 { parts.append("post every \(postEvery.plain) s for \(postSeconds) s") }
        if voteEvery > 0 { parts.append("vote every \(voteEvery.plain) s") }
        return parts
    }
}

extension CrowdReport {
    /// For people; nil where nobody did anything of the kind.
    var squareSummary: String? { posted + voted > 0 ? "\(posted) posts, \(voted) votes" : nil }
}
