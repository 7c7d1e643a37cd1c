internal import CairnServer
internal import CairnStore
internal import CairnTime

/// An inquiry to all shards that is not answered yet.
final class Inquiry<Part: Sendable>: OpenInquiry {
    let deadline: MonotonicTime
    private var parts: [Part?]
    private let then: (StatsRoom, [Part?]) -> Void

    init(shardCount: Int, deadline: MonotonicTime, then: @escaping (StatsRoom, [Part?]) -> Void) {
        self.deadline = deadline
        self.then = then
        parts = Array(repeating: nil, count: shardCount)
    }

    /// - Returns: whether all have answered.
    func add(_ part: Part, of shard: Int) -> Bool {
        parts[shard] = part
        return parts.allSatisfy { $0 != nil }
    }

    func finish(_ room: StatsRoom) {
        then(room, parts)
    }
}

/// An inquiry of any type.
protocol OpenInquiry: AnyObject {
    /// When it ends without the missing answers.
    var deadline: MonotonicTime { get }
    /// Continues with the answers so far.
    func finish(_ room: StatsRoom)
}

/// How the room asks all shards.
extension StatsRoom {
    /// A loop that does not answer for this long is left out.
    private static let patience: Duration = .seconds(1)

    /// Runs work on every shard and continues with the results; nil for a shard that did not answer in time.
    func ask<Part: Sendable>(
        _ work: @escaping @Sendable (isolated Shard) -> Part, then: @escaping (StatsRoom, [Part?]) -> Void
    ) {
        inquiryNumber += 1
        let number = inquiryNumber
        inquiries[number] = Inquiry(shardCount: shards.count, deadline: now + Self.patience, then: then)
        let service = service
        for shard in shards {
            shard.post { shard in
                let (part, index) = (work(shard), shard.index)
                service?.post { $0.answered(number, part, by: index) }
            }
        }
    }

    private func answered<Part: Sendable>(_ number: UInt64, _ part: Part, by shard: Int) {
        guard let inquiry = inquiries[number] as? Inquiry<Part>, inquiry.add(part, of: shard) else { return }
        inquiries[number] = nil
        inquiry.finish(self)
    }

    /// Ends the inquiries whose time is over.
    func finishLateInquiries() {
        let time = now
        for (number, inquiry) in inquiries where inquiry.deadline <= time {
            inquiries[number] = nil
            inquiry.finish(self)
        }
    }

    /// Asks every shard for its figures with rows, adds them to the table, and continues with `then`. A second call
    /// meanwhile waits for the same answers. A shard that does not answer keeps its last figures.
    func hear(_ then: @escaping (StatsRoom) -> Void) {
        hearers.append(then)
        guard hearers.count == 1 else { return }
        ask({ $0.report(withRows: true) }, then: { $0.heard($1) })
    }

    private func heard(_ reports: [ShardReport?]) {
        for (shard, report) in reports.enumerated() {
            if let rows = report?.rows { lastRows[shard] = rows }
        }
        figures = ServerFigures(context, access, shards: zip(reports, context.reports.all).map { $0 ?? $1 })
        table.hear(lastRows)
        let waiting = hearers
        hearers = []
        for then in waiting { then(self) }
    }
}
