internal import CairnCore
internal import CairnGeo
internal import CairnWebSocket
internal import CairnWire
internal import Foundation

/// What a shard says about itself. Everything is counted where it happens, on the shard's own thread, in plain numbers;
/// once a second they are put where others may look.
extension Shard {
    /// Works out rates and load, and puts the figures on the board. Called about once a second.
    func publishFigures() {
        let time = now
        let seconds = Double(time - measurement.at) / 1_000_000
        if measurement.at > 0 && seconds > 0 {
            for cell in cells.values { cell.assumeIsolated { $0.measure(seconds: seconds) } }
            loop.measureFanOuts(seconds: seconds)
        }
        measurement.tick(now: time, letters: loop.lettersWaiting)
        world.board.publish(report(withRows: false), of: index)
    }

    /// The figures at this moment.
    func report(withRows: Bool) -> ShardReport {
        var report = ShardReport()
        report.at = now
        report.loop = loop.counters
        report.load = measurement.load
        report.shard = figures
        report.cells = cells.count
        report.accounts = accounts.count
        report.occupancy = occupancy.values.reduce(0, +)
        countSessions(in: &report)
        countCells(in: &report, withRows: withRows)
        if withRows { report.rows?.shares = shares() }
        return report
    }

    private func countSessions(in report: inout ShardReport) {
        for case let session? in sessions {
            if session.tracker.cell != nil { report.people += 1 }
            switch session.stage {
            case .awaitingHello, .signingIn: report.arriving += 1
            case .guest: report.guests += 1
            case .user: report.users += 1
            }
            if !session.frontEnd.isEmpty { report.connectionsByFrontEnd[session.frontEnd, default: 0] += 1 }
            if loop.isBehind(session.participant.connection) == true { report.behind += 1 }
        }
        for session in detached.values where session.tracker.cell != nil && !session.isMissed { report.people += 1 }
        report.detached = detached.count
    }

    private func countCells(in report: inout ShardReport, withRows: Bool) {
        var sums = measurement.retired
        var rows: [CellRow] = []
        if withRows { rows.reserveCapacity(cells.count) }
        for cell in cells.values {
            let (row, figures) = cell.assumeIsolated { ($0.row, $0.figures) }
            report.instances += row.instances
            report.subscriptions += row.subscribers
            report.unsaved += row.unsaved
            report.waiting += row.waiting
            sums.add(figures)
            if withRows { rows.append(row) }
        }
        report.events = sums.events
        report.turns = sums.turns
        report.presenceBatches = sums.batches
        report.posesThinned = sums.thinned
        report.resumedTopics = sums.resumed
        if withRows { report.rows = ShardRows(cells: rows) }
    }

    /// What this loop's connections add to cells.
    private func shares() -> [CellShare] {
        var shares: [CellID: CellShare] = [:]
        for (cell, people) in occupancy { shares[cell] = CellShare(cell: cell, people: people) }
        for (key, rate) in loop.fanOutRates() {
            guard let cell = CellID(key) else { continue }
            shares[cell, default: CellShare(cell: cell)].bytesPerSecond = rate
        }
        for (key, bytes) in loop.waitingEventBytes() {
            guard let cell = CellID(key) else { continue }
            shares[cell, default: CellShare(cell: cell)].queuedBytes = bytes
        }
        return Array(shares.values)
    }

    /// A request has its answer, which leaves with this turn.
    func answered(_ request: Request, _ answer: Answer) {
        if case .refusal = answer {
            answered(request.kind.field, since: request.receivedAt, isRefused: true)
        } else {
            answered(request.kind.field, since: request.receivedAt, isRefused: false)
        }
    }

    func answered(_ field: UInt32, since receivedAt: UInt64, isRefused: Bool) {
        figures.requestTimes[field, default: RequestFigures()].record(
            microseconds: now - min(now, receivedAt), isRefused: isRefused)
    }

    /// A cell goes to sleep or is replaced: what it did stays in the sums.
    func retire(_ cell: Cell) {
        measurement.retired.add(cell.assumeIsolated { $0.figures })
    }
}

/// What a shard keeps in order to say how it is.
struct ShardMeasurement: Sendable {
    /// When the last second was measured, monotonic microseconds.
    private(set) var at: UInt64 = 0
    private(set) var load = LoopLoad()
    /// What the cells that sleep by now have done.
    var retired = CellSums()

    /// The loop's tick of the second.
    mutating func tick(now: UInt64, letters: Int) {
        let busy = Self.threadMicroseconds()
        if at > 0 {
            let elapsed = now - at
            load.busy = min(1, Double(busy - load.busyMicroseconds) / Double(max(1, elapsed)))
            load.delayMicroseconds = elapsed > 1_000_000 ? elapsed - 1_000_000 : 0
            load.delayMaxMicroseconds = max(load.delayMaxMicroseconds, load.delayMicroseconds)
        }
        load.busyMicroseconds = busy
        load.letters = letters
        at = now
    }

    /// Processor time of the calling thread.
    private static func threadMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

/// Sums of what cells have done.
struct CellSums: Sendable {
    private(set) var turns: UInt64 = 0
    private(set) var events: UInt64 = 0
    private(set) var batches: UInt64 = 0
    private(set) var thinned: UInt64 = 0
    private(set) var resumed: UInt64 = 0

    mutating func add(_ figures: CellFigures) {
        turns += figures.turns
        events += figures.events
        batches += figures.batches
        thinned += figures.thinned
        resumed += figures.resumed
    }
}
