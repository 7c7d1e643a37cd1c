/// Latency with few people, where no pose should wait.
extension Bench {
    private static let people = 5
    /// Poses a second of each person: together they send one pose every half second, which is ten times the server's
    /// usual interval.
    private static let quietRate = 0.4

    func measureFew() async throws {
        try await measure(plan(Row(people: Self.people, cells: 1, rate: 10))) { Few($0, named: "5 people, 10/s") }
        try await measure(plan(Row(people: Self.people, cells: 1, rate: Self.quietRate))) {
            Few($0, named: "first pose after half a second of quiet")
        }
    }

    private struct Few: BenchFigures {
        let few: String
        let latency: Latency?
        let posesDelivered: UInt64
        let posesLost: UInt64
        let serverCPUMicrosecondsPerPose: Double?

        init(_ report: CrowdReport, named name: String) {
            few = name
            latency = report.latency
            posesDelivered = report.posesDelivered
            posesLost = report.posesLost
            serverCPUMicrosecondsPerPose = report.serverCPUMicrosecondsPerPose
        }

        var compared: [String: Double?] {
            ["p50_ms": latency?.p50, "p99_ms": latency?.p99, "server_cpu_us_per_pose": serverCPUMicrosecondsPerPose]
        }

        enum CodingKeys: String, CodingKey {
            case few
            case latency = "latency_ms"
            case posesDelivered = "poses_delivered"
            case posesLost = "poses_lost"
            case serverCPUMicrosecondsPerPose = "server_cpu_us_per_pose"
        }
    }
}
