internal import Synchronization

/// What every shard last said about itself: written once a second by each, read by whoever wants figures. Nobody asks a
/// shard for this, so looking costs the crowd nothing.
final class ShardReports: Sendable {
    private let reports: Mutex<[ShardReport]>

    init(shardCount: Int) {
        reports = Mutex(Array(repeating: ShardReport(), count: shardCount))
    }

    func publish(_ report: ShardReport, of shard: Int) {
        reports.withLock { $0[shard] = report }
    }

    var all: [ShardReport] { reports.withLock { $0 } }
}
