import CairnClient
import CairnGeo
import CairnTime
import Histogram

/// Joins: how long each takes, and what the server spends on all of them.
///
/// A join lasts from the beginning of the connection until all of these have come: the answer to hello, by which the
/// account is on disk; the answer to the position; and the snapshots of all cells that the view touches.
struct JoinMeter {
    /// A join that is not complete.
    private struct Join {
        let began: MonotonicTime
        /// The request with the position; nil = not sent yet, or answered.
        var request: RequestTicket?
        var isPlaced = false
        /// Cells of the view without a complete snapshot.
        var missing: Set<CellID> = []
    }

    private var underWay: [Int: Join] = [:]
    private var times = Histogram<UInt32>(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)
    private let server: Int32?
    private let startedAt: MonotonicTime
    private let serverSecondsBefore: Double?

    /// - Parameter server: its process; nil = it is unknown, and so is what the joins cost.
    init(server: Int32?, now: MonotonicTime) {
        self.server = server
        startedAt = now
        serverSecondsBefore = server.flatMap(ProcessUsage.cpuSeconds)
    }

    mutating func begin(_ bot: Int, now: MonotonicTime) { underWay[bot] = Join(began: now) }

    /// A person has sent the position and waits for its answer and for the snapshots of `view`.
    mutating func asked(_ bot: Int, _ request: RequestTicket, view: some Sequence<CellID>) {
        underWay[bot]?.request = request
        underWay[bot]?.missing = Set(view)
    }

    /// - Returns: whether the answer was that to the position.
    mutating func answered(_ bot: Int, _ request: RequestTicket) -> Bool {
        guard underWay[bot]?.request == request else { return false }
        underWay[bot]?.request = nil
        underWay[bot]?.isPlaced = true
        return true
    }

    /// The snapshot of a cell is complete.
    mutating func saw(_ cell: CellID, by bot: Int) { underWay[bot]?.missing.remove(cell) }

    /// Ends a join if nothing of it is missing.
    /// - Returns: whether it has ended now.
    mutating func end(_ bot: Int, now: MonotonicTime) -> Bool {
        guard let join = underWay[bot], join.isPlaced, join.missing.isEmpty else { return false }
        underWay[bot] = nil
        times.record(now.microseconds(since: join.began))
        return true
    }

    /// The figures when all have joined.
    /// - Parameters:
    ///   - messages: WebSocket messages that the server has sent until now.
    ///   - bytes: their bytes, frame heads included.
    func figures(messages: UInt64, bytes: UInt64, now: MonotonicTime) -> JoinFigures {
        let joins = Double(times.totalCount)
        let spent = server.flatMap(ProcessUsage.cpuSeconds).flatMap { after in
            serverSecondsBefore.map { (after - $0) * 1e6 / joins }
        }
        return JoinFigures(
            perSecond: joins / max(Double(now.microseconds(since: startedAt)) / 1e6, 1e-6), times: Latency(times),
            messagesEach: Double(messages) / joins, bytesEach: Double(bytes) / joins, serverCPUMicrosecondsEach: spent)
    }
}

/// The durations and costs of joins.
struct JoinFigures: Codable, Sendable {
    let perSecond: Double
    let times: Latency
    /// WebSocket messages that the server sent, to newcomers and to those who were there, over the joins.
    let messagesEach: Double
    let bytesEach: Double
    /// User and system time of the server's process; nil when the process is unknown.
    let serverCPUMicrosecondsEach: Double?

    enum CodingKeys: String, CodingKey {
        case perSecond = "joins_per_second"
        case times = "join_ms"
        case messagesEach = "messages_per_join"
        case bytesEach = "bytes_per_join"
        case serverCPUMicrosecondsEach = "server_cpu_us_per_join"
    }
}
