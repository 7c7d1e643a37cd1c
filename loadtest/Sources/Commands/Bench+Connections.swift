import Foundation

/// The cost of connections: while they are made, and while they are idle.
extension Bench {
    /// People who stand still and see at most a hundred others.
    private func standing(_ people: Int) -> CrowdPlan {
        var plan = plan(Row(people: people, cells: min(1_000, max(1, people / 100)), rate: 1))
        plan.movingShare = 0
        return plan
    }

    func measureJoins(_ people: Int) async throws {
        var plan = standing(people)
        plan.seconds = 1
        plan.warmUpSeconds = 0
        let report = try await measure(plan)
        try tell(Joins(report, people: people), from: report)
    }

    func measureIdle(_ people: Int) async throws {
        let report = try await measure(standing(people))
        try tell(Idle(report, people: people), from: report)
    }

    /// Joining: hello, position and snapshot of each bot.
    private struct Joins: Encodable {
        let joins: Int
        /// Time until all had a welcome, and until all had their own cell in view.
        let welcomeSeconds: Double
        let seconds: Double
        let joinsPerSecond: Double

        init(_ report: CrowdReport, people: Int) {
            joins = people
            welcomeSeconds = report.connectSeconds
            seconds = report.joinSeconds
            joinsPerSecond = Double(people) / max(report.joinSeconds, 0.001)
        }

        enum CodingKeys: String, CodingKey {
            case joins, seconds
            case welcomeSeconds = "welcome_seconds"
            case joinsPerSecond = "joins_per_second"
        }
    }

    /// Idle connections.
    private struct Idle: Encodable {
        let idle: Int
        /// Growth of resident memory by the connections, including accounts and sessions; nil when it is unknown.
        let residentBytesPerConnection: Double?
        let serverCPUPercent: Double?

        init(_ report: CrowdReport, people: Int) {
            idle = people
            if let after = report.serverResidentBytes, let before = report.serverResidentBytesBefore {
                residentBytesPerConnection = (Double(after) - Double(before)) / Double(people)
            } else {
                residentBytesPerConnection = nil
            }
            serverCPUPercent = report.serverCores.map { $0 * 100 }
        }

        enum CodingKeys: String, CodingKey {
            case idle
            case residentBytesPerConnection = "resident_bytes_per_connection"
            case serverCPUPercent = "server_cpu_percent"
        }
    }
}
