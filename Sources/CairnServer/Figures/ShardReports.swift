internal import Synchronization

/// The newest report of every shard: each shard writes its own once a second, operators' code reads them. A reader
/// sends no shard a question, so reading costs the shards nothing.
package final class ShardReports: Sendable {
    private let reports: Mutex<[ShardReport]>

    init(shardCount: Int) {
        reports = Mutex(Array(repeating: ShardReport(), count: shardCount))
    }

    func publish(_ report: ShardReport, of shard: Int) {
        reports.withLock { $0[shard] = report }
    }

    package var all: [ShardReport] { reports.withLock { $0 } }
}
