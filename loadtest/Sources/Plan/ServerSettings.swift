/// How a throw-away server is started.
struct ServerPlan: Codable, Sendable {
    /// `key=value` for `cairn serve --set`.
    let settings: [String]
    /// Number of loops; nil = the server's default.
    let loops: Int?
    /// Processors to which server and crowd are pinned; nil = not pinned.
    let serverProcessor: Int?
    let crowdProcessor: Int?

    enum CodingKeys: String, CodingKey {
        case settings, loops
        case serverProcessor = "server_processor"
        case crowdProcessor = "crowd_processor"
    }

    /// A line each, for people.
    var lines: [(name: String, value: String)] {
        func processor(_ number: Int?) -> String { number.map { "processor \($0)" } ?? "any processor" }
        let loops = loops.map { "\($0)" } ?? "its own number of"
        return [
            ("server", "throw-away, on \(processor(serverProcessor)), \(loops) loops"),
            ("crowd", "on \(processor(crowdProcessor))"),
        ] + settings.map { ("--set", $0) }
    }
}

/// Settings of a throw-away server by which only the plan, and no quota, limits the crowd.
extension CrowdPlan {
    /// `key=value` for `cairn serve --set`.
    func serverSettings(loops: Int?) -> [String] {
        let activities = CrowdFeatures.activities
        let requests = (activities.map { $0.requestsAtOnce(self) }.max() ?? 1) + Int(rate.rounded(.up))
        // The rate of a closed loop is the server's.
        let isClosed = activities.contains { if case .inFlight = $0.pace(self) { true } else { false } }
        var settings = [
            "listen.connectionsMax=\(people + 200)",
            "connections.positionsPerSecond=\(max(10, Int((rate * 2).rounded(.up))))",
            "connections.messagesPerSecond=\(isClosed ? 100_000 : max(50, requests * 4 + 20))",
            "connections.messagesBurst=\(isClosed ? 1_000_000 : max(100, requests * 8 + 40))",
            "cells.level=\(cellLevel)",
        ]
        settings += CrowdFeatures.all.flatMap { $0.settings(self) }
        if let loops { settings.append("listen.loops=\(loops)") }
        return settings
    }
}
