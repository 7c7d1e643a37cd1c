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

/// Percentiles of a latency, from the least to the greatest.
enum LatencyCurve {
    struct Point: Codable, Hashable, Sendable {
        let percentile: Double
        let milliseconds: Double
    }

    private static let percentiles: [Double] = [
        0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 99.999, 100,
    ]

    static func points(of microseconds: Histogram<UInt32>) -> [Point] {
        guard microseconds.totalCount > 0 else { return [] }
        return percentiles.map {
            Point(percentile: $0, milliseconds: Double(microseconds.valueAtPercentile($0)) / 1_000)
        }
    }
}

/// The results of a run: figures, and counts of features' requests, which are beside them in the JSON.
@dynamicMemberLookup
struct CrowdReport: Encodable, Sendable {
    private var figures: RunFigures
    /// How often each request was acknowledged, by `Exchange.count`.
    var done = Dictionary(uniqueKeysWithValues: CrowdFeatures.exchanges.map { ($0.count, 0) })
    /// The same in the measured time.
    var doneMeasured: [String: Int] = [:]
    /// Length of the measured time.
    let measuredSeconds: Double

    init(plan: CrowdPlan, url: String) {
        measuredSeconds = plan.seconds
        figures = RunFigures(plan: plan, url: url)
    }

    subscript<Value>(dynamicMember figure: WritableKeyPath<RunFigures, Value>) -> Value {
        get { figures[keyPath: figure] }
        set { figures[keyPath: figure] = newValue }
    }

    subscript<Value>(dynamicMember figure: KeyPath<RunFigures, Value>) -> Value { figures[keyPath: figure] }

    /// The report without the rows of each second, which are printed during the run.
    var withoutTimeline: CrowdReport {
        var report = self
        report.timeline = []
        return report
    }

    /// The counts of features' requests as text; counts of 0 are left out.
    var doneText: String {
        CrowdFeatures.exchanges.compactMap { exchange in
            done[exchange.count].flatMap { $0 > 0 ? "\($0) \(exchange.count)" : nil }
        }.joined(separator: ", ")
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        try figures.encode(to: encoder)
        var container = encoder.container(keyedBy: Name.self)
        for (name, count) in done { try container.encode(count, forKey: Name(stringValue: name)) }
        for feature in CrowdFeatures.all {
            for (name, figure) in feature.figures(self) {
                try container.encode(figure, forKey: Name(stringValue: name))
            }
        }
    }
}

/// The figures of a run.
struct RunFigures: Encodable, Sendable {
    /// Every key of the plan, the scenario's name and the server's address, to repeat the run.
    let plan: [String: PlanValue]
    let seed: UInt64
    /// How the throw-away server was started; nil for an existing server.
    var server: ServerPlan?
    /// Time and machine.
    var made = Circumstances()
    var rulesBroken = 0
    var broken: [String: Int] = [:]
    var brokenExamples: [String: [String]] = [:]
    /// Poses of other people that were due in the measured time and arrived, over all receivers that judge poses.
    var posesDelivered: UInt64 = 0
    /// Those that arrived before the measured time ended: its CPU time was spent on them.
    var posesInTime: UInt64 = 0
    var posesConflated: UInt64 = 0
    var posesLost: UInt64 = 0
    /// Poses left out for slow readers and in crowds.
    var posesThinned: UInt64 = 0
    /// Connections that the crowd cut, and those of them that resumed their session.
    var cuts = 0
    var resumed = 0
    /// Items of sub-realms that people received; each is judged by who was in the sub-realm.
    var scopedItems: UInt64 = 0
    var posesDeliveredPerSecond: Double = 0
    /// Acknowledged changes of every kind.
    var acksPerSecond: Double = 0
    /// Nil when the server's process is unknown. Where not all people judge poses, the others got as many.
    var serverCPUMicrosecondsPerPose: Double?
    var serverCores: Double?
    /// CPU time of the threads of the server's loops and of its store, in cores; nil when its process is unknown.
    var serverLoopsCores: Double?
    var serverStoreCores: Double?
    /// Bytes a second that the server wrote to a disk.
    var serverWrittenBytesPerSecond: Double?
    var serverResidentBytes: UInt64?
    /// Before the first connection.
    var serverResidentBytesBefore: UInt64?
    /// Everything that the server sent (frame headers included) over the poses in it.
    var bytesPerPose: Double = 0
    /// Bytes sent to each person a second, on average.
    var bytesPerPersonSecond: Double = 0
    var latency: Latency?
    var acks: Latency?
    /// Time from the first attempt to reconnect after a cut to the welcome.
    var returns: Latency?
    var latencyCurve: [LatencyCurve.Point] = []
    var acksCurve: [LatencyCurve.Point] = []
    /// A row a second.
    var timeline: [SecondFigures] = []
    /// How late the generator itself sent its poses.
    var generatorDelay: Latency?
    var generatorCores: Double = 0
    /// Whether the crowd itself had too little processor time: then its figures say nothing about the server.
    var isStarved = false
    /// Time until all had a welcome, and until all had their own cell in view.
    var connectSeconds: Double = 0
    var joinSeconds: Double = 0
    /// Nil when joins were not measured.
    var joins: JoinFigures?
    /// Nil when the kinds of requests and broadcasts were not measured.
    var quality: QualityFigures?
    /// WebSocket messages of the whole run, and the bytes of those received.
    var messagesSent: UInt64 = 0
    var messagesReceived: UInt64 = 0
    var bytesReceived: UInt64 = 0
    /// Topics that went out of view because people walked over borders.
    var unfollowed = 0
    /// Times that the server has asked a bot to send its poses at other moments.
    var shifts = 0
    /// Changes that stay in an existing world; nil for a throw-away one.
    var leftBehind: Int?
    /// Refusals by code.
    var refusals: [String: Int] = [:]
    /// Why the run could not be carried out; then all other figures are void.
    var failure: String?

    init(plan: CrowdPlan, url: String) {
        self.plan = plan.facts(url: url)
        seed = plan.seed
    }

    var isGood: Bool { failure == nil && rulesBroken == 0 }

    enum CodingKeys: String, CodingKey {
        case joins, quality, plan, seed, server, made, broken, refusals, unfollowed, shifts, cuts, resumed
        case failure, timeline
        case leftBehind = "left_behind"
        case scopedItems = "scoped_items"
        case rulesBroken = "rules_broken"
        case brokenExamples = "broken_examples"
        case posesDelivered = "poses_delivered"
        case posesInTime = "poses_in_time"
        case posesConflated = "poses_conflated"
        case posesThinned = "poses_thinned"
        case posesLost = "poses_lost"
        case posesDeliveredPerSecond = "poses_delivered_per_second"
        case acksPerSecond = "acks_per_second"
        case bytesPerPersonSecond = "bytes_per_person_second"
        case returns = "returns_ms"
        case latencyCurve = "latency_curve"
        case acksCurve = "acks_curve"
        case joinSeconds = "join_seconds"
        case serverResidentBytesBefore = "server_resident_bytes_before"
        case serverCPUMicrosecondsPerPose = "server_cpu_us_per_pose"
        case serverCores = "server_cores"
        case serverLoopsCores = "server_loops_cores"
        case serverStoreCores = "server_store_cores"
        case serverWrittenBytesPerSecond = "server_written_bytes_per_second"
        case serverResidentBytes = "server_resident_bytes"
        case bytesPerPose = "bytes_per_pose"
        case latency = "latency_ms"
        case acks = "acks_ms"
        case generatorDelay = "generator_delay_ms"
        case isStarved = "generator_starved"
        case generatorCores = "generator_cores"
        case connectSeconds = "connect_seconds"
        case messagesSent = "messages_sent"
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
    /// Acknowledgements in this second.
    let acks: UInt64
    let acksP99: Double
    let serverCores: Double?
    let serverResidentBytes: UInt64?
    let rulesBroken: Int

    enum CodingKeys: String, CodingKey {
        case second, phase, connected, acks
        case posesSent = "poses_sent"
        case posesDelivered = "poses_delivered"
        case posesLost = "poses_lost"
        case latency = "latency_ms"
        case acksP99 = "acks_p99_ms"
        case serverCores = "server_cores"
        case serverResidentBytes = "server_resident_bytes"
        case rulesBroken = "rules_broken"
    }
}

extension CrowdPlan {
    /// The effective plan, key by key.
    func facts(url: String) -> [String: PlanValue] {
        var facts: [String: PlanValue] = ["scenario": .text(scenario), "url": .text(url)]
        for key in ScenarioKey.all { facts[key.name] = key.read(self) }
        facts["cells"] = .integer(Int64(cellCount))
        return facts
    }
}
