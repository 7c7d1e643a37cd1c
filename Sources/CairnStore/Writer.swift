internal import CairnCore
internal import Logging

/// The only writer of the database: takes the units that wait, commits them, reports the outcome, and repeats. Not
/// Sendable: it lives on the store's thread.
final class Writer {
    let path: String
    let options: Store.Options
    let intake: Intake
    /// Says what is written next; tests put theirs here.
    var order: any Order
    let logger: Logger
    /// Runs before each COMMIT; tests make the disk fail here.
    var beforeCommit: (() throws -> Void)?
    /// Bytes free on the disk, as far as the system says; tests make room here.
    lazy var freeSpace: () -> UInt64? = { [path] in DatabaseFile.freeSpace(around: path) }

    private var connection: Connection?
    /// The files that the store opened at its start.
    private var files: WatchedFiles
    private var isMoved = false
    private let keyring: Keyring?
    let masters: MasterKeys
    let indexAlarm: IndexAlarm
    /// Until then each unit has its own savepoint, so that one that meets a damaged page is refused alone.
    private var apartUntil: ContinuousClock.Instant?
    /// When a unit that met a damaged page was last in the log.
    private var damageToldAt: ContinuousClock.Instant?
    /// Taken and not decided: what an attempt did not save stays here.
    private var held: [Backlog.Entry] = []
    private var pause: RetryPause
    private var pausesUntil: ContinuousClock.Instant?
    /// What was free when the disk was full.
    private var freeWhenFull: UInt64?
    private var checkpoints: CheckpointRule
    /// Since when nothing has been to save.
    private var idleSince: ContinuousClock.Instant?

    init(
        connection: Connection, masters: MasterKeys, pageSize: Int, options: Store.Options, intake: Intake,
        logger: Logger
    ) {
        self.connection = connection
        files = WatchedFiles(options.path)
        self.masters = masters
        keyring = connection.keyring
        self.path = options.path
        self.options = options
        self.intake = intake
        order = SubmissionOrder(intake: intake)
        self.logger = logger
        indexAlarm = IndexAlarm(intake: intake, logger: logger)
        pause = RetryPause(first: options.retryFirst, longest: options.retryMax)
        checkpoints = CheckpointRule(
            pages: options.checkpointPages, walBytesMax: options.walBytesMax, pageSize: pageSize)
    }

    /// Commits one batch, or does one piece of housekeeping. Gives the time until it wants to run again; nil = when
    /// something is submitted.
    func step() -> Duration? {
        if let pause = pauseLeft { return pause }
        if held.isEmpty { held = order.next(changesMax: options.commitChangesMax) }
        guard !held.isEmpty else { return rest() }
        idleSince = nil
        saveHeld()
        if let pause = pauseLeft { return pause }
        _ = rebuildStep()
        _ = expireStep(within: .milliseconds(options.expiryMilliseconds))
        copyLog(idle: .zero)
        return .zero
    }

    /// Gives up cached pages of the database.
    func releaseMemory() { connection?.releaseMemory() }

    /// Whether everything submitted so far is decided.
    var isIdle: Bool { held.isEmpty && intake.figures.backlogChanges == 0 }

    /// How long the next attempt has to wait; nil = not at all. A full disk is looked at every second, and once there
    /// is room nothing is waited for (B3).
    private var pauseLeft: Duration? {
        guard let pausesUntil else { return nil }
        let left = pausesUntil - .now
        guard left > .zero else { return nil }
        if isMoved { return files.fault == nil ? nil : min(left, Self.lookInterval) }
        guard let freeWhenFull, let free = freeSpace() else { return left }
        return free >= freeWhenFull + UInt64(1 << 20) ? nil : min(left, .seconds(1))
    }

    /// Tries to save what is held, and tells who waits for it, or sets the pause before the next attempt.
    private func saveHeld() {
        let start = ContinuousClock.now
        do {
            // A failure that needs no transaction: nothing is begun on files that are gone.
            try look()
            let connection = try openConnection()
            if let keyring, keyring.isWorn { try connection.renewKey(of: keyring, with: masters, now: WallClock.now) }
            let saved = try connection.save(
                held, barred: intake.barred, within: .milliseconds(options.commitMilliseconds), apart: isApart,
                beforeCommit: { [beforeCommit] in
                    try beforeCommit?()
                    // Whatever was acknowledged before is on the disk under its name; the batch whose COMMIT runs while
                    // somebody removes the file is at risk, and no other.
                    try self.look()
                })
            decided(saved, took: .now - start, walPages: connection.walPages)
        } catch {
            // Tried again at once, with each unit apart.
            if error.kind == .damaged, !isApart { metDamage(error) } else { failed(error) }
        }
    }

    private var isApart: Bool { apartUntil.map { .now < $0 } ?? false }

    /// How long units are saved apart after a damaged page was met: a unit that meets it again costs the others an
    /// attempt each time.
    private static let apartTime = Duration.seconds(60)

    /// A statement met a damaged page. If it is an index's, the index is built anew. The next attempt begins with
    /// another connection (S4) and refuses only units that meet such a page again: all others are saved.
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

    /// Nothing of what is held is on disk (S4: the transaction is rolled back already). It stays and is tried again.
    private func failed(_ error: StoreError) {
        let wait = pause.next()
        pausesUntil = .now + wait
        // After a failed write or sync the connection's pages cannot be trusted (S4), and one that was opened while the
        // disk took no writes never will write.
        if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
        if error.kind == .moved, !isMoved { noteMoved(error) }
        freeWhenFull = error.kind == .full ? freeSpace() : nil
        // What is copied into the database leaves its room in the log to the next attempt.
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
        // SQLite would make an empty database where there is none.
        try look()
        let opened = try Connection(
            path: path, role: .writer(options.synchronous, cacheBytes: options.cacheBytes), keyring: keyring)
        files.noteNewLog()
        connection = opened
        return opened
    }

    /// Closes the connection; the next attempt opens a new one.
    func closeConnection() {
        connection?.close()
        connection = nil
    }

    /// Empties the write-ahead log and closes, for good. What is still held was never acknowledged.
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
        try body(openConnection())
    }

    // MARK: - Between two batches

    /// Nothing is to be saved. Gives the time until something else is to do; nil = when something is submitted.
    private func rest() -> Duration? {
        if rebuildStep() || expireStep(within: nil) { return .zero }
        let now = ContinuousClock.now
        let since = idleSince ?? now
        idleSince = since
        copyLog(idle: now - since)
        lookWhileIdle()
        return connection.flatMap { checkpoints.recheck(pages: $0.walPages) } ?? Self.lookInterval
    }

    /// How long it takes a server without changes to notice that its files are gone.
    private static let lookInterval = Duration.seconds(1)

    /// Throws when the database is no longer where it was. Nothing is acknowledged from then on, until it is back.
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

    /// - Parameter fault: nil = everything is where it was.
    private func noteMoved(_ fault: StoreError?) {
        isMoved = fault != nil
        intake.setMoved(isMoved)
        guard let fault else { return }
        intake.note { $0.lastError = fault.description }
        logger.critical("\(fault) (nothing is acknowledged until then)")
    }

    private func copyLog(idle: Duration) {
        guard let connection, let step = checkpoints.due(pages: connection.walPages, idle: idle) else { return }
        checkpoint(connection, step)
    }

    /// Deletes some rows, for no longer than so. Gives whether more are to be deleted at once.
    private func expireStep(within time: Duration?) -> Bool {
        guard let expiry = intake.nextExpiry else { return false }
        do {
            let step = try openConnection().expire(expiry, rowsMax: options.expiryRowsMax, within: time)
            intake.expired(expiry, rows: step.rows, isFinished: step.isFinished)
        } catch {
            mendIndexes(after: error)
            // It is asked for again at the next round; until then what is over only takes up room.
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
            // The log keeps everything; only its length suffers. A disk that fails will fail the next commit too.
            checkpoints.done(pages: connection.walPages)
            logger.error("\(error)")
            if error.kind == .io { closeConnection() }
        }
    }
}
