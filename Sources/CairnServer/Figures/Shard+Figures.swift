internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Foundation

/// The shard's report. Everything is counted where it happens, on the shard's own thread, in plain integers; once a
/// second they are published for other threads (`ShardReports`).
extension Shard {
    /// Computes rates and load, and publishes the report. Called about once a second.
    func publishFigures() {
        let time = now
        let seconds = measurement.at.map { Double(time.microseconds(since: $0)) / 1e6 }
        lookAtCells(seconds: seconds)
        if let seconds { loop.measureFanOuts(seconds: seconds) }
        measurement.tick(
            now: time, jobs: loop.jobsWaiting,
            presenceWaitMicroseconds: UInt64(max(0, presence.longest.microseconds)))
        context.reports.publish(report(withRows: false), of: index)
    }

    /// The figures at this moment.
    package func report(withRows: Bool) -> ShardReport {
        var report = ShardReport()
        report.at = now
        report.loop = loop.counters
        report.load = measurement.load
        report.load.overload = overload.level.rawValue
        report.behind = loop.behind
        report.shard = figures
        report.cells = homes.counts[.cell] ?? 0
        report.accounts = homes.counts[.account] ?? 0
        report.occupancy = occupancy.values.reduce(0, +) + peopleInSpaces
        report.peopleInSpaces = peopleInSpaces
        report.spaces = homes.counts[.space] ?? 0
        countSessions(in: &report)
        lookAtCells(seconds: nil)
        report.held = measurement.held
        report.done = measurement.done
        if withRows { report.rows = ShardRows(cells: Array(measurement.rows.values), shares: shares()) }
        return report
    }

    // MARK: Cells

    /// A cell's row shows something new. Cells that nothing happens to cost nothing.
    func touched(_ cell: Cell) {
        measurement.touched.append(cell)
    }

    private func lookAtCells(seconds: Double?) {
        let due = measurement.touched
        measurement.touched.removeAll(keepingCapacity: true)
        for cell in due where homes.cell(cell.id) === cell {
            let look = cell.assumeIsolated { $0.look(seconds: seconds) }
            measurement.add(look)
            if look.staysTouched { measurement.touched.append(cell) }
        }
    }

    /// A cell goes to sleep or is replaced: what it did stays in the sums, what it held goes.
    func retire(_ cell: Cell) {
        measurement.add(cell.assumeIsolated { $0.look(seconds: nil) })
        measurement.forget(cell.id)
    }

    private func countSessions(in report: inout ShardReport) {
        for case let session? in sessions {
            if session.isLooking {
                report.looking += 1
            } else if session.tracker.cell != nil || session.boards.space != nil {
                report.people += 1
            }
            switch session.stage {
            case .awaitingHello, .signingIn: report.arriving += 1
            case .guest, .dismissed(nil): report.guests += 1
            case .welcoming, .user, .dismissed: report.users += 1
            }
            if let frontEnd = session.frontEnd {
                let isNamed = context.configuration.stats.frontEnds.contains(frontEnd.name)
                let name = isNamed ? frontEnd.name : FrontEnd.other
                report.connectionsByFrontEnd[name, default: 0] += 1
            }
        }
        for cut in detached.values where cut.state.isPresent {
            if cut.state.tracker.cell != nil || cut.state.boards.space != nil { report.people += 1 }
        }
        report.detached = detached.count
        report.unplaced = unplaced.count
    }

    /// The figures of cells that come from this loop's connections.
    private func shares() -> [CellShare] {
        var shares: [CellID: CellShare] = [:]
        for (cell, people) in occupancy { shares[cell] = CellShare(cell: cell, people: people) }
        for (key, rate) in loop.fanOutRates() {
            guard case .cell(let cell)? = Topic(key)?.home else { continue }
            shares[cell, default: CellShare(cell: cell)].bytesPerSecond += rate
        }
        for (key, bytes) in loop.waitingEventBytes() {
            guard case .cell(let cell)? = Topic(key)?.home else { continue }
            shares[cell, default: CellShare(cell: cell)].queuedBytes += bytes
        }
        return Array(shares.values)
    }

    /// A request has its answer, which leaves with this turn.
    func answered(_ field: UInt32, since receivedAt: MonotonicTime, isRefused: Bool) {
        figures.requestTimes[field, default: RequestFigures()].record(
            microseconds: now.microseconds(since: receivedAt), isRefused: isRefused)
    }
}

/// The state of a shard's reports.
struct ShardMeasurement {
    /// When the last second was measured.
    private(set) var at: MonotonicTime?
    private(set) var load = LoopLoad()
    /// Cells to look at.
    var touched: [Cell] = []
    /// Every cell's row at the last look.
    private(set) var rows: [CellID: CellRow] = [:]
    /// The counts of cells since the start, including cells that sleep by now.
    private(set) var done = CellSums()
    private(set) var held = CellHoldings()

    /// The loop's tick of the second.
    mutating func tick(now: MonotonicTime, jobs: Int, presenceWaitMicroseconds presenceWait: UInt64) {
        let busy = Self.threadMicroseconds()
        if let at {
            let elapsed = now.microseconds(since: at)
            load.busy = min(1, Double(busy - load.busyMicroseconds) / Double(max(1, elapsed)))
            load.delayMicroseconds = elapsed > 1_000_000 ? elapsed - 1_000_000 : 0
            load.delayMaxMicroseconds = max(load.delayMaxMicroseconds, load.delayMicroseconds)
        }
        load.busyMicroseconds = busy
        load.jobs = jobs
        load.presenceWaitMicroseconds = presenceWait
        at = now
    }

    mutating func add(_ look: CellLook) {
        done.add(look.counts)
        held.replace(rows.updateValue(look.row, forKey: look.row.cell), with: look.row)
    }

    mutating func forget(_ cell: CellID) {
        held.replace(rows.removeValue(forKey: cell), with: nil)
    }

    /// Processor time of the calling thread.
    static func threadMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

/// The present contents of the cells, added up.
struct CellHoldings: Sendable {
    private(set) var instances = 0
    private(set) var subscriptions = 0
    /// Turns whose changes are not on disk yet.
    private(set) var unsaved = 0
    /// Pieces of work that wait for cells to wake.
    private(set) var waiting = 0

    mutating func replace(_ old: CellRow?, with new: CellRow?) {
        instances += (new?.instances ?? 0) - (old?.instances ?? 0)
        subscriptions += (new?.subscribers ?? 0) - (old?.subscribers ?? 0)
        unsaved += (new?.unsaved ?? 0) - (old?.unsaved ?? 0)
        waiting += (new?.waiting ?? 0) - (old?.waiting ?? 0)
    }
}
