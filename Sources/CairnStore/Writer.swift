internal import CairnCore
internal import Logging

/// The only writer of the database: takes waiting units, commits them, reports the outcome, and repeats. Not Sendable:
/// it lives on the store's thread.
final class Writer {
    let path: String
    let options: Store.Options
    let intake: Intake
    /// Decides which units are written next; tests replace it.
    var order: any Order
    let logger: Logger
    /// Runs before each COMMIT; tests make the disk fail here.
    var beforeCommit: (() throws -> Void)?
    /// Free bytes on the disk, if the system reports them; tests replace it.
    lazy var freeSpace: () -> UInt64? = { [path] in DatabaseFile.freeSpace(around: path) }

    private var connection: Connection?
    /// The files that the store opened at its start.
    private var files: WatchedFiles
    private var isMoved = false
    private let keyring: Keyring?
    /// Of the present connection, or of the last one.
    private var counter: TallyCounter?
    let masters: MasterKeys
    let indexAlarm: IndexAlarm
    /// Tables that are kept twice, and who is told of a row that was damaged and opens.
    var keptTwice: [StoredTable] = []
    var tellOpens: (DamagedRow, _ isReplaced: Bool) -> Void = { _, _ in }
    /// The table whose second copies are being made anew; nil = none is.
    var copySweep: CopySweep?
    /// Until this time each unit has its own savepoint, so that only a unit that meets a damaged page is refused.
    private var apartUntil: ContinuousClock.Instant?
    /// When a unit that met a damaged page was last logged.
    private var damageToldAt: ContinuousClock.Instant?
    /// Units that are taken and not decided: those that an attempt did not save stay here.
    private var held: [Backlog.Entry] = []
    private var pause: RetryPause
    private var pausesUntil: ContinuousClock.Instant?
    /// Free bytes at the time when the disk was full.
    private var freeWhenFull: UInt64?
    private var checkpoints: CheckpointRule
    private var gathering: GatherRule?
    private var filing: FilingRule
    /// For each table with `Filing` the statement that files its new rows.
    private let filings: [Statement]
    /// Since when the writer has had no unit to save.
    private var idleSince: ContinuousClock.Instant?

    init(
        connection: Connection, masters: MasterKeys, filings: [Statement], pageSize: Int, options: Store.Options,
        intake: Intake, logger: Logger
    ) {
        self.connection = connection
        files = WatchedFiles(options.path)
        self.masters = masters
        keyring = connection.keyring
        counter = connection.tally
        self.path = options.path
        self.options = options
        self.intake = intake
        order = SubmissionOrder(intake: intake)
        self.logger = logger
        indexAlarm = IndexAlarm(intake: intake, logger: logger)
        pause = RetryPause(first: options.retryFirst, longest: options.retryMax)
        self.filings = filings
        filing = FilingRule(tables: filings.count, unitsMax: options.filingUnitsMax)
        checkpoints = CheckpointRule(
            pages: options.checkpointPages, walBytesMax: options.walBytesMax, pageSize: pageSize)
    }

    /// Commits one batch, or does one step of housekeeping. Returns the time until the next step; nil = at the next
    /// submission.
    func step() -> Duration? {
        if let pause = pauseLeft { return pause }
        if held.isEmpty {
            if let wait = gatheringLeft { return wait }
            held = order.next(changesMax: options.commitChangesMax)
        }
        guard !held.isEmpty else { return rest() }
        idleSince = nil
        saveHeld()
        if let pause = pauseLeft { return pause }
        _ = mendStep()
        _ = renewStep()
        _ = rebuildStep()
        _ = expireStep(within: .milliseconds(options.expiryMilliseconds))
        // Filing and copying delay the next units, so a transaction runs between them.
        if !fileNewRows(idle: .zero) { copyLog(idle: .zero) }
        return .zero
    }

    /// Frees cached pages of the database.
    func releaseMemory() { connection?.releaseMemory() }

    /// Whether everything submitted so far is decided.
    var isIdle: Bool { held.isEmpty && intake.figures.backlogChanges == 0 }

    /// How long the next attempt has to wait; nil = it need not wait. A full disk is checked every second, and the
    /// attempt follows as soon as there is room (B3).
    private var pauseLeft: Duration? {
        guard let pausesUntil else { return nil }
        let left = pausesUntil - .now
        guard left > .zero else { return nil }
        if isMoved { return files.fault == nil ? nil : min(left, Self.lookInterval) }
        guard let freeWhenFull, let free = freeSpace() else { return left }
        return free >= freeWhenFull + UInt64(1 << 20) ? nil : min(left, .seconds(1))
    }

    /// How long the writer waits for more units; nil = enough have come, or it has waited long enough.
    private var gatheringLeft: Duration? {
        guard let gathering else { return nil }
        let left = gathering.until - .now
        if left > .zero, !intake.isClosed, !intake.hasGathered(gathering.units) { return left }
        self.gathering = nil
        return nil
    }

    /// Tries to save the held units and reports the outcome, or sets the pause before the next attempt.
    private func saveHeld() {
        let start = ContinuousClock.now
        do {
            // Throws before a transaction begins if the files are gone.
            try look()
            let connection = try openConnection()
            if let keyring, keyring.isWorn { try connection.renewKey(of: keyring, with: masters, now: WallClock.now) }
            let saved = try connection.save(
                held, barred: intake.barred, within: .milliseconds(options.commitMilliseconds), apart: isApart,
                beforeCommit: { [beforeCommit] in
                    try beforeCommit?()
                    // With this check all batches acknowledged so far are in the database's file. Only the batch whose
                    // COMMIT runs while the file is removed is at risk.
                    try self.look()
                })
            decided(saved, took: .now - start, walPages: connection.walPages)
        } catch {
            // A damaged page: the units are tried again at once, each in its own savepoint.
            if error.kind == .damaged, !isApart { metDamage(error) } else { failed(error) }
        }
    }

    private var isApart: Bool { apartUntil.map { .now < $0 } ?? false }

    /// How long each unit has its own savepoint after a damaged page was found. Without savepoints, each further unit
    /// that meets the page would cost the others an attempt.
    private static let apartTime = Duration.seconds(60)

    /// A statement met a damaged page. If the page belongs to an index, the index is rebuilt. The next attempt uses a
    /// new connection (S4) and refuses only units that meet such a page again; all others are saved.
    private func metDamage(_ error: StoreError) {
        apartUntil = .now + Self.apartTime
        intake.note { figures in
            figures.failures += 1
            figures.lastError = error.description
        }
        mendIndexes(after: error)
        closeConnection()
    }

    private func decided(_ saved: SavedBatch, took: Duration, walPages: Int) {
        gathering = GatherRule(after: saved.count, at: .now)
        filing.saved(units: saved.count)
        checkpoints.saved(units: saved.count)
        let decided = held.prefix(saved.count)
        held.removeFirst(saved.count)
        let changes = decided.reduce(0) { $0 + $1.statements.count }
        // A caller that awaits a unit handles `overtaken` itself, so this is no fault.
        let faults = saved.refused.filter { $1.kind != .overtaken || !decided[$0].isAwaited }
        if let first = faults.min(by: { $0.key < $1.key }) { report(first.value, count: faults.count) }
        let lost = saved.voided.union(saved.refused.keys)
        let written = changes - lost.reduce(0) { $0 + decided[$1].statements.count }
        let barring = saved.refused.keys.compactMap { decided[$0].home }
        let handler = intake.decided(changes: changes, barring: barring, rest: held.first?.since) { figures in
            figures.commits += 1
            figures.changes += UInt64(written)
            figures.batchLast = written
            figures.batchMax = max(figures.batchMax, written)
            figures.commitMicroseconds.record(took)
            figures.unitsDropped += UInt64(faults.count)
            figures.unitsVoided += UInt64(saved.voided.count)
            figures.isFailing = false
            figures.walPages = walPages
        }
        if isMoved { noteMoved(nil) }
        if pausesUntil != nil {
            logger.notice("store: commit \(path): changes are being saved again")
            pausesUntil = nil
            freeWhenFull = nil
            pause.reset()
        }
        tell(decided, saved, handler)
    }

    private func tell(
        _ decided: ArraySlice<Backlog.Entry>, _ saved: SavedBatch, _ handler: (@Sendable (CommitOutcome) -> Void)?
    ) {
        var committed: [CommitTicket] = []
        var failed: [CommitTicket] = []
        var voided: [CommitTicket] = []
        committed.reserveCapacity(decided.count)
        for (index, entry) in decided.enumerated() {
            switch (entry.completion, saved.refused[index]) {
            case (.ticket(let ticket), nil) where saved.voided.contains(index): voided.append(ticket)
            case (.ticket(let ticket), nil): committed.append(ticket)
            case (.ticket(let ticket), _): failed.append(ticket)
            case (.waiter(let resume), nil): resume(.success(()))
            case (.waiter(let resume), let error?): resume(.failure(error))
            }
        }
        guard !committed.isEmpty || !failed.isEmpty || !voided.isEmpty else { return }
        handler?(CommitOutcome(committed: committed, failed: failed, voided: voided))
    }

    /// One line for a batch, however many units were refused: a bug must not fill the log as well (B33).
    private func report(_ error: StoreError, count: Int) {
        if error.kind == .damaged {
            if let damageToldAt, .now - damageToldAt < Self.apartTime { return }
            damageToldAt = .now
        }
        logger.error("\(error) (the first of \(count) turns that were dropped)")
    }

    /// None of the held units is on disk (S4: the transaction is rolled back already). They stay held and are tried
    /// again.
    private func failed(_ error: StoreError) {
        let wait = pause.next()
        pausesUntil = .now + wait
        // After a failed write or sync the connection's pages cannot be trusted (S4), and a connection that was opened
        // while the disk refused writes will never write.
        if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
        if error.kind == .moved, !isMoved { noteMoved(error) }
        freeWhenFull = error.kind == .full ? freeSpace() : nil
        // A checkpoint frees room in the log for the next attempt.
        if error.kind == .full { _ = try? connection?.checkpoint(.copy) }
        intake.note { figures in
            figures.failures += 1
            figures.isFailing = true
            figures.lastError = error.description
        }
        logger.error("\(error) (\(held.count) turns are kept, next attempt in \(wait))")
    }

    func openConnection() throws(StoreError) -> Connection {
        if let connection { return connection }
        // If the file were missing, SQLite would create an empty database.
        try look()
        let opened = try Connection(
            path: path, role: .writer(options.synchronous, cacheBytes: options.cacheBytes), keyring: keyring)
        if let counter { try opened.resumeTally(of: counter) }
        counter = opened.tally
        files.noteNewLog()
        connection = opened
        return opened
    }

    /// Closes the connection; the next attempt opens a new one.
    func closeConnection() {
        connection?.close()
        connection = nil
    }

    /// Empties the write-ahead log and closes for good. Units that are still held were never acknowledged.
    func finish() {
        if let connection { _ = try? connection.checkpoint(.empty) }
        closeConnection()
        let error = StoreError(
            .closed, operation: "commit", cause: "the disk refused until the server ended", remedy: "check the disk")
        repeat {
            for case .waiter(let resume) in held.map(\.completion) { resume(.failure(error)) }
            held = order.next(changesMax: options.commitChangesMax)
        } while !held.isEmpty
    }

    /// Lends the connection to the test kit and to services that must write or check at a time of their choice.
    func lend<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try openConnection()
        defer {
            do throws(StoreError) {
                try connection.catchUpWithTally()
            } catch {
                logger.error("\(error) (the next start and cairn verify say that tables are not as they were written)")
            }
        }
        return try body(connection)
    }

    // MARK: - Between two batches

    /// Does housekeeping while there is no unit to save. Returns the time until the next step; nil = at the next
    /// submission.
    private func rest() -> Duration? {
        if mendStep() || renewStep() || rebuildStep() || expireStep(within: nil) { return .zero }
        let now = ContinuousClock.now
        let since = idleSince ?? now
        idleSince = since
        if !fileNewRows(idle: now - since) { copyLog(idle: now - since) }
        lookWhileIdle()
        if now - since >= Self.restTime { giveBackPages() }
        if let pause = filing.recheck { return pause }
        return connection.flatMap { checkpoints.recheck(pages: $0.walPages) } ?? Self.lookInterval
    }

    /// After this time without a unit the writer gives back its cached pages.
    private static let restTime = Duration.seconds(2)
    /// Up to this size, in bytes, an idle writer keeps its cache.
    private static let cacheBytesKept = 128 << 10

    private func giveBackPages() {
        guard let connection, connection.cacheBytes > Self.cacheBytesKept else { return }
        connection.releaseMemory()
        let cacheBytes = connection.cacheBytes
        intake.note { $0.cacheBytes = cacheBytes }
    }

    /// How long an idle server takes to notice that its files are gone.
    private static let lookInterval = Duration.seconds(1)

    /// Throws when the database's files are not in place. No change is acknowledged until they are back.
    private func look() throws(StoreError) {
        if let fault = files.fault { throw fault }
    }

    private func lookWhileIdle() {
        let fault = files.fault
        guard (fault != nil) != isMoved else { return }
        noteMoved(fault)
        intake.note { $0.isFailing = fault != nil }
        if fault == nil { logger.notice("store: \(path) is back") }
    }

    /// - Parameter fault: nil = all files are in place.
    private func noteMoved(_ fault: StoreError?) {
        isMoved = fault != nil
        intake.setMoved(isMoved)
        guard let fault else { return }
        intake.note { $0.lastError = fault.description }
        logger.critical("\(fault) (nothing is acknowledged until then)")
    }

    /// Moves a table's new rows from their small indexes to the large ones, if it is time. A failure changes nothing
    /// but where rows are indexed; the next time comes after as many changes.
    /// - Returns: whether it was time.
    private func fileNewRows(idle: Duration) -> Bool {
        guard let table = filing.due(idle: idle) else { return false }
        filing.filed(table: table)
        do {
            try openConnection().file(filings[table])
        } catch {
            mendIndexes(after: error)
            logger.error("\(error) (the rows stay in the indexes of new ones)")
            if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
        }
        return true
    }

    private func copyLog(idle: Duration) {
        guard let connection, let step = checkpoints.due(pages: connection.walPages, idle: idle) else { return }
        checkpoint(connection, step)
    }

    /// Deletes some expired rows, for at most this time. Returns whether another step should follow at once.
    private func expireStep(within time: Duration?) -> Bool {
        guard let expiry = intake.nextExpiry else { return false }
        do {
            let step = try openConnection().expire(expiry, rowsMax: options.expiryRowsMax, within: time)
            intake.expired(expiry, rows: step.rows, isFinished: step.isFinished)
        } catch {
            mendIndexes(after: error)
            // The next round asks for the expiry again. Until then expired rows only take up room.
            logger.error("\(error) (the next round tries again)")
            intake.expired(expiry, rows: 0, isFinished: true)
        }
        return intake.nextExpiry != nil
    }

    private func checkpoint(_ connection: Connection, _ step: CheckpointRule.Step) {
        let start = ContinuousClock.now
        do {
            let pages = try connection.checkpoint(step)
            checkpoints.done(pages: pages)
            let (took, walPages, cacheBytes) = (.now - start, connection.walPages, connection.cacheBytes)
            intake.note { figures in
                figures.checkpoints += 1
                figures.checkpointMicroseconds.record(took)
                figures.walPages = walPages
                figures.cacheBytes = cacheBytes
            }
        } catch {
            // A failed checkpoint loses nothing; the log only stays longer. If the disk fails, the next commit reports
            // it.
            checkpoints.done(pages: connection.walPages)
            logger.error("\(error)")
            if error.kind == .io { closeConnection() }
        }
    }
}
