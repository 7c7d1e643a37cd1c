/// The cost of connections: while they are made, and while they are idle.
extension Bench {
    /// Joins at a time unless the command line says otherwise.
    private static let usualJoinsInFlight = 500

    /// People who stand still and see at most a hundred others.
    private func standing(_ people: Int) -> CrowdPlan {
        var plan = plan(Row(people: people, cells: min(1_000, max(1, people / 100)), rate: 1))
        plan.movingShare = 0
        return plan
    }

    func measureJoins(_ people: Int) async throws {
        var plan = standing(people)
        plan.measuresJoins = true
        plan.handshakesMax = inFlight ?? Self.usualJoinsInFlight
        plan.seconds = 1
        plan.warmUpSeconds = 0
        try await measure(plan) { Joins(joins: people, inFlight: plan.handshakesMax, figures: $0.joins) }
    }

    func measureIdle(_ people: Int) async throws {
        try await measure(standing(people)) { Idle($0, people: people) }
    }

    private struct Joins: BenchFigures {
        let joins: Int
        /// Joins under way at a time, at most.
        let inFlight: Int
        /// Nil when not all have joined.
        let figures: JoinFigures?

        enum CodingKeys: String, CodingKey {
            case joins
            case inFlight = "in_flight"
        }

        func encode(to encoder: any Encoder) throws {
            try figures?.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(joins, forKey: .joins)
            try container.encode(inFlight, forKey: .inFlight)
        }

        var compared: [String: Double?] {
            [
                "joins_per_second": figures?.perSecond, "p50_ms": figures?.times.p50, "p99_ms": figures?.times.p99,
                "messages_per_join": figures?.messagesEach, "bytes_per_join": figures?.bytesEach,
                "server_cpu_us_per_join": figures?.serverCPUMicrosecondsEach,
            ]
        }
    }

    /// Idle connections.
    private struct Idle: BenchFigures {
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

        var compared: [String: Double?] {
            ["resident_bytes_per_connection": residentBytesPerConnection, "server_cpu_percent": serverCPUPercent]
        }

        enum CodingKeys: String, CodingKey {
            case idle
            case residentBytesPerConnection = "resident_bytes_per_connection"
            case serverCPUPercent = "server_cpu_percent"
        }
    }
}
