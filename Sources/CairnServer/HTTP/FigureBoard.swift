internal import CairnWebSocket
internal import Synchronization

/// What every shard last said about itself: written once a second by each, read by whoever wants figures. Nobody asks a
/// shard, so looking costs the crowd nothing.
final class FigureBoard: Sendable {
    private let reports: Mutex<[ShardReport]>

    init(shardCount: Int) {
        reports = Mutex(Array(repeating: ShardReport(), count: shardCount))
    }

    func publish(_ report: ShardReport, of shard: Int) {
        reports.withLock { $0[shard] = report }
    }

    var all: [ShardReport] { reports.withLock { $0 } }
}

/// One shard's figures at one moment.
struct ShardReport: Sendable {
    var loop = LoopCounters()
    var shard = ShardFigures()
    var cells = 0
    var accounts = 0
    /// Connections with a position; equal to the sum of the occupancies (STA-3).
    var people = 0
    var instances = 0
    var events: UInt64 = 0
    var presenceBatches: UInt64 = 0
    var connectionsByFrontEnd: [String: Int] = [:]
}

extension Shard {
    /// Puts this shard's figures where others may look.
    func publishFigures() {
        var report = ShardReport()
        report.loop = loop.counters
        report.shard = figures
        report.cells = cells.count
        report.accounts = accounts.count
        report.people = occupancy.values.reduce(0, +)
        for cell in cells.values {
            let (instances, cellFigures) = cell.assumeIsolated { ($0.instances, $0.figures) }
            report.instances += instances
            report.events += cellFigures.events
            report.presenceBatches += cellFigures.batches
        }
        for case let session? in sessions where !session.frontEnd.isEmpty {
            report.connectionsByFrontEnd[session.frontEnd, default: 0] += 1
        }
        world.board.publish(report, of: index)
    }
}
