import Histogram

/// Percentiles of a latency, milliseconds.
struct Latency: Codable, Sendable {
    let p50: Double
    let p99: Double
    let p999: Double
    let max: Double
    let count: UInt64

    init(_ microseconds: Histogram<UInt32>) {
        func at(_ percentile: Double) -> Double {
            Double((microseconds.valueAtPercentile(percentile) + 5) / 10) / 100
        }
        count = microseconds.totalCount
        p50 = count == 0 ? 0 : at(50)
        p99 = count == 0 ? 0 : at(99)
        p999 = count == 0 ? 0 : at(99.9)
        max = count == 0 ? 0 : Double(microseconds.max) / 1_000
    }
}

/// What came of a run.
struct CrowdReport: Codable, Sendable {
    /// What was done, as far as figures can say it.
    struct Plan: Codable, Sendable {
        let scenario: String
        let people: Int
        let cells: Int
        let crosses: Bool
        let rate: Double
        let warmUpSeconds: Double
        let seconds: Double
        let placeEvery: Double
        let reactEvery: Double
        let shares: Bool
        let format: String
        let seed: UInt64
        let url: String

        enum CodingKeys: String, CodingKey {
            case scenario, people, cells, crosses, rate, seconds, shares, format, seed, url
            case warmUpSeconds = "warm_up_seconds"
            case placeEvery = "place_every"
            case reactEvery = "react_every"
        }
    }

    let plan: Plan
    let seed: UInt64
    var rulesBroken = 0
    var broken: [String: Int] = [:]
    var brokenExamples: [String: [String]] = [:]
    /// Poses of other people that came in the measured time, over all receivers.
    var posesDelivered: UInt64 = 0
    var posesConflated: UInt64 = 0
    var posesLost: UInt64 = 0
    /// Left out for slow readers.
    var posesThinned: UInt64 = 0
    /// Connections that the crowd cut, and those of them that were taken up as the same session.
    var cuts = 0
    var resumed = 0
    var posesDeliveredPerSecond: Double = 0
    /// Nil when the server's process is not known.
    var serverCPUMicrosecondsPerPose: Double?
    var serverCores: Double?
    var serverResidentBytes: UInt64?
    /// Everything that the server sent (frame headers included) over the poses in it.
    var bytesPerPose: Double = 0
    var latency: Latency?
    var acks: Latency?
    /// How late the generator itself sent its poses.
    var generatorDelay: Latency?
    var generatorCores: Double = 0
    /// The crowd itself had too little of the machine: its figures say nothing about the server.
    var isStarved = false
    var connectSeconds: Double = 0
    var messagesReceived: UInt64 = 0
    var bytesReceived: UInt64 = 0
    var placed = 0
    var edited = 0
    var removed = 0
    var reacted = 0
    /// Topics that went out of view: what walking over borders does.
    var unfollowed = 0
    /// Refusals by code.
    var refusals: [String: Int] = [:]
    /// Why the run could not be carried out; then nothing else counts.
    var failure: String?

    init(plan: CrowdPlan, url: String) {
        self.plan = plan.facts(url: url)
        seed = plan.seed
    }

    var isGood: Bool { failure == nil && rulesBroken == 0 }

    enum CodingKeys: String, CodingKey {
        case plan, seed, broken, refusals, placed, edited, removed, reacted, unfollowed, cuts, resumed, failure
        case rulesBroken = "rules_broken"
        case brokenExamples = "broken_examples"
        case posesDelivered = "poses_delivered"
        case posesConflated = "poses_conflated"
        case posesThinned = "poses_thinned"
        case posesLost = "poses_lost"
        case posesDeliveredPerSecond = "poses_delivered_per_second"
        case serverCPUMicrosecondsPerPose = "server_cpu_us_per_pose"
        case serverCores = "server_cores"
        case serverResidentBytes = "server_resident_bytes"
        case bytesPerPose = "bytes_per_pose"
        case latency = "latency_ms"
        case acks = "acks_ms"
        case generatorDelay = "generator_delay_ms"
        case isStarved = "generator_starved"
        case generatorCores = "generator_cores"
        case connectSeconds = "connect_seconds"
        case messagesReceived = "messages_received"
        case bytesReceived = "bytes_received"
    }
}

/// One second of a run.
struct SecondFigures: Codable, Sendable {
    let second: Int
    let phase: String
    let connected: Int
    let posesSent: UInt64
    let posesDelivered: UInt64
    let posesLost: UInt64
    let latency: Latency
    let acksP99: Double
    let serverCores: Double?
    let rulesBroken: Int

    enum CodingKeys: String, CodingKey {
        case second, phase, connected
        case posesSent = "poses_sent"
        case posesDelivered = "poses_delivered"
        case posesLost = "poses_lost"
        case latency = "latency_ms"
        case acksP99 = "acks_p99_ms"
        case serverCores = "server_cores"
        case rulesBroken = "rules_broken"
    }
}

extension CrowdPlan {
    func facts(url: String) -> CrowdReport.Plan {
        CrowdReport.Plan(
            scenario: scenario, people: people, cells: cells, crosses: crosses, rate: rate,
            warmUpSeconds: warmUpSeconds, seconds: seconds, placeEvery: placeEvery, reactEvery: reactEvery,
            shares: shares, format: "\(format)", seed: seed, url: url)
    }
}
