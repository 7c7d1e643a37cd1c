/// Latency with few people, where no pose should wait.
extension Bench {
    private static let people = 5
    /// Poses a second of each person: together they send one pose every half second, which is ten times the server's
    /// usual interval.
    private static let quietRate = 0.4

    func measureFew() async throws {
        let lively = try await measure(plan(Row(people: Self.people, cells: 1, rate: 10)))
        try tell(Few(lively, named: "5 people, 10/s"), from: lively)
        let quiet = try await measure(plan(Row(people: Self.people, cells: 1, rate: Self.quietRate)))
        try tell(Few(quiet, named: "first pose after half a second of quiet"), from: quiet)
    }

    private struct Few: Encodable {
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

        enum CodingKeys: String, CodingKey {
            case few
            case latency = "latency_ms"
            case posesDelivered = "poses_delivered"
            case posesLost = "poses_lost"
            case serverCPUMicrosecondsPerPose = "server_cpu_us_per_pose"
        }
    }
}
