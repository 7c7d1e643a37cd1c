import CairnTime
import Foundation
import Histogram

/// The verdict on QOS-3: a row for each kind of request and of broadcast.
struct QualityFigures: Codable, Sendable {
    /// The name of poses among the broadcasts.
    static let poseKind = "pose"

    enum Verdict: String, Codable, Sendable {
        case kept, broken
        /// Fewer than `Quality.countMin`.
        case tooFew = "too few"
    }

    struct Row: Codable, Sendable {
        let kind: String
        let count: UInt64
        /// How many of the answers were refusals.
        let refused: Int
        /// Milliseconds.
        let p50: Double
        let p95: Double
        let p99: Double
        let max: Double
        /// Share over the limit.
        let lateShare: Double
        /// Receivers of a broadcast, on average; 0 for requests and poses.
        let receivers: Double
        let verdict: Verdict

        enum CodingKeys: String, CodingKey {
            case kind, count, refused, receivers, verdict
            case p50 = "p50_ms"
            case p95 = "p95_ms"
            case p99 = "p99_ms"
            case max = "max_ms"
            case lateShare = "late_share"
        }

        init(_ kind: String, _ measured: KindTimes) {
            let times = measured.times
            func at(_ percentile: Double) -> Double {
                times.totalCount == 0 ? 0 : Double(times.valueAtPercentile(percentile) / 10) / 100
            }
            self.kind = kind
            count = times.totalCount
            refused = measured.refused
            (p50, p95, p99) = (at(50), at(95), at(99))
            max = times.totalCount == 0 ? 0 : Double(times.max / 10) / 100
            let each = Double(Swift.max(1, times.totalCount))
            lateShare = Double(measured.late) / each
            receivers = (Double(measured.receivers) / each).rounded()
            verdict =
                count < Quality.countMin ? .tooFew : lateShare > Quality.lateShareMax ? .broken : .kept
        }
    }

    /// Milliseconds.
    let requestLimit: Double
    let broadcastLimit: Double
    let requests: [Row]
    let broadcasts: [Row]
    /// Acknowledged changes, by kind, whose event nobody received, because nobody followed.
    let unmatched: [String: Int]
    /// Topics whose events were dropped for a receiver. Each breaks the verdict, because when the receiver had the
    /// change is unknown.
    let resyncs: Int

    enum CodingKeys: String, CodingKey {
        case requests, broadcasts, unmatched, resyncs
        case requestLimit = "request_limit_ms"
        case broadcastLimit = "broadcast_limit_ms"
    }

    init(requests: [Row], broadcasts: [Row], unmatched: [String: Int], resyncs: Int) {
        requestLimit = Double(Quality.requestLimit.microseconds) / 1_000
        broadcastLimit = Double(Quality.broadcastLimit.microseconds) / 1_000
        self.requests = requests
        self.broadcasts = broadcasts
        self.unmatched = unmatched
        self.resyncs = resyncs
    }

    var isKept: Bool { resyncs == 0 && !(requests + broadcasts).contains { $0.verdict == .broken } }

    /// The table for people, a line each.
    var lines: [String] {
        func line(_ cells: [String]) -> String {
            (cells.first ?? "").padding(toLength: 22, withPad: " ", startingAt: 0)
                + cells.dropFirst().map { String(repeating: " ", count: Swift.max(1, 10 - $0.count)) + $0 }.joined()
        }
        func part(_ title: String, _ rows: [Row], limit: Double) -> [String] {
            let head = ["\(title), \(limit.plain) ms", "count", "refused", "receivers", "p50", "p95", "p99", "max"]
            return [line(head + ["late %", "verdict"])]
                + rows.map { row in
                    line(
                        [row.kind, "\(row.count)", "\(row.refused)", row.receivers.plain]
                            + [row.p50, row.p95, row.p99, row.max].map { Printing.rounded($0, 1) }
                            + [Printing.rounded(row.lateShare * 100, 1), row.verdict.rawValue])
                }
        }
        return part("Requests", requests, limit: requestLimit) + [""]
            + part("Broadcasts", broadcasts, limit: broadcastLimit)
            + (resyncs > 0 ? ["", "\(resyncs) times events were dropped for a receiver"] : [])
    }
}
