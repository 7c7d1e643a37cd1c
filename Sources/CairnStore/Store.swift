public import CairnCore
public import Logging
internal import Foundation
internal import Synchronization

/// The persistence actor (DAT-1): runs `Statement`s and answers `Query`s, and is the only part that knows SQLite.
///
/// It has its own thread, so the disk never blocks the cooperative pool or a loop. All waiting units are saved in one
/// transaction, in the order of submission; the next transaction begins as soon as the one before is on disk (group
/// commit). One connection does all writes and all checkpoints; reads have their own threads and connections and see
/// committed data only.
public actor Store {
    nonisolated let options: Options
    private nonisolated let logger: Logger
    private nonisolated let thread: StoreThread
    private nonisolated let intake: Intake
    private nonisolated let readers: ReaderPool
    private nonisolated let keyring = Mutex<Keyring?>(nil)
    private nonisolated let damageRegister = Mutex(DamageRegister())
    private nonisolated let tallyFindings = Mutex<[TallyFinding]>([])
    private var writer: Writer?
    /// The check for copies of the database; nil before the start and after the end.
    private(set) var check: DatabaseCheck?
    var isBackingUp = false
    private var file: DatabaseFile?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens the database: creates it (directory 0700, file 0600), brings an older schema up to date after a copy, and
    /// refuses one that is newer, damaged, not writable or served by another process, leaving the file as it is.
    ///
    /// - Parameters:
    ///   - migrations: all steps of the schema, in order; a step keeps its name and text for ever.
    ///   - tables: the descriptions of the tables that the steps create. Old rows are converted by them.
    public static func open(
        _ options: Options, migrations: [Migration], tables: [StoredTable] = [], logger: Logger
    ) async throws(StoreError) -> Store {
        let store = Store(options, logger: logger)
        try await store.start(Schema(migrations), tables)
        return store
    }

    private init(_ options: Options, logger: Logger) {
        self.options = options
        self.logger = logger
        thread = StoreThread(name: "cairn-store")
        intake = Intake(changesMax: options.backlogMax)
        readers = ReaderPool(path: options.path, waitingMax: options.readsWaitingMax)
    }

    deinit {
        // Ends without `close()`: waiting units are lost, and none of them was acknowledged.
        intake.close()
        readers.stop()
        thread.stop()
    }

    // MARK: - Changes

    /// Sets the handler for the outcome of every batch. It runs on the store's thread, which waits for it. Set it
    /// before the first `submit`.
    public nonisolated func onCommit(_ handler: @escaping @Sendable (CommitOutcome) -> Void) {
        intake.setHandler(handler)
    }

    /// Queues the changes of one turn, from any thread; never blocks on the disk. The ticket is returned through
    /// `onCommit`.
    ///
    /// Check `acceptsChanges` before deciding anything: a decided unit is accepted even above the bound. After
    /// `close()` a unit is dropped and logged.
    public nonisolated func submit(_ unit: CommitUnit) {
        switch intake.submit(sealed(unit.statements), .ticket(unit.ticket)) {
        case .queued: break
        case .queuedForIdleWriter: thread.ring()
        case .closed: logger.error("store: commit: the store is closed; turn \(unit.ticket.turn) was dropped")
        }
    }

    /// Accepts units of a home again after one of its units was refused for good; until then its units are voided
    /// (`CommitOutcome.voided`). Call it when all of those have come back and the home is loaded again.
    public nonisolated func readmit(_ home: HomeAddress) { intake.readmit(home) }

    /// Saves statements and returns when they are on disk; same queue and order as `submit`.
    ///
    /// Throws `overloaded` at the bound of the backlog, `rejected` when the database refuses them for good.
    public nonisolated func commit(_ statements: [Statement]) async throws(StoreError) {
        guard acceptsChanges else { throw refusal }
        let result = await withCheckedContinuation { continuation in
            switch intake.submit(sealed(statements), .waiter { continuation.resume(returning: $0) }) {
            case .queued: break
            case .queuedForIdleWriter: thread.ring()
            case .closed: continuation.resume(returning: .failure(refusal))
            }
        }
        try result.get()
    }

    /// Queues statements without reporting their outcome. `close()` saves them if the disk permits.
    public nonisolated func leave(_ statements: [Statement]) {
        guard !statements.isEmpty else { return }
        if case .queuedForIdleWriter = intake.submit(sealed(statements), .waiter { _ in }) { thread.ring() }
    }

    /// False from the time when the backlog reaches its bound until it is below 90 % of it (DAT-4: refuse with
    /// `storage_unavailable`), and after `close()`. One atomic read.
    public nonisolated var acceptsChanges: Bool { intake.acceptsChanges }

    /// Deletes expired rows (DAT-10), a few at a time between two batches. A new expiry replaces one of the same kind
    /// that still waits.
    public nonisolated func expire(_ expiries: [Expiry]) {
        intake.expire(expiries)
        thread.ring()
    }

    /// Deletes expired set-aside databases, but never the newest.
    public func pruneSetAside() {
        SetAsideFiles(
            path: options.path, age: options.setAsideAge, countMax: options.setAsideMax
        ).prune(now: WallClock.now, logger: logger)
    }

    // MARK: - Reads

    /// Answers of all queries from one consistent snapshot, in their order.
    public nonisolated func read(_ queries: [Query]) async throws(StoreError) -> [[Row]] {
        let result = await withCheckedContinuation { continuation in
            readers.read(queries) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// The same for callers without a task. The handler runs on a reader's thread, which waits for it; a refusal
    /// (`overloaded`, `closed`) runs it on the caller's thread.
    public nonisolated func read(
        _ queries: [Query], then handler: @escaping @Sendable (Result<[[Row]], StoreError>) -> Void
    ) {
        readers.read(queries, then: handler)
    }

    // MARK: - Damage

    /// Notes damaged rows, from any thread. Each is logged once.
    public nonisolated func report(_ rows: [DamagedRow]) {
        guard !rows.isEmpty else { return }
        let lines = damageRegister.withLock { $0.note(rows, at: WallClock.now) }
        for line in lines { logger.error("store: damaged row: \(line)") }
        if intake.mend(rows) { thread.ring() }
    }

    /// A row that was damaged opens: by its second copy, or because it was sound when it was read again.
    private nonisolated func opens(_ row: DamagedRow, isReplaced: Bool) {
        damageRegister.withLock { $0.opens(row, isReplaced: isReplaced) }
        if isReplaced { noteMended([row.name]) }
    }

    private nonisolated func noteMended(_ names: [String]) {
        guard !names.isEmpty else { return }
        intake.note { $0.mendedRows += UInt64(names.count) }
        for name in names.prefix(DamageRegister.linesPerMinute) {
            logger.error("store: damaged row: \(name) was made right by its second copy: look for a fault of the disk")
        }
    }

    /// Tells what a start has mended, and what it could not mend.
    private func report(_ found: TallyStart, _ start: StoreStart.Result) {
        noteMended(found.mended)
        for table in found.reindexed {
            logger.error("store: indexes were built anew: \(table): look for a fault of the disk")
        }
        if let finding = found.copiesRemade {
            logger.error("store: second copies of rows were made anew: \(finding): look for a fault of the disk")
        }
        for error in found.copyFailures {
            logger.error("\(error) (damaged rows have no second copy until it works)")
        }
        for error in found.failures { logger.error("\(error) (the start goes on)") }
        let isRemade = start.areCopiesRemade || found.copiesRemade != nil
        intake.note { $0.copyFaults += UInt64(found.copyFailures.count + (isRemade ? 1 : 0)) }
        logger.info("store: \(found.count)")
        report(found.findings)
    }

    private func report(_ findings: [TallyFinding]) {
        tallyFindings.withLock { $0 = findings }
        for line in TallyFinding.lines(of: findings) { logger.error("store: \(line)") }
    }

    /// Rows of a table that somebody has deleted behind the server's back, by their keys; as found at the start, and
    /// for tables whose rows are known one by one.
    public nonisolated func missingRows(of table: StoredTable) -> [Int64] {
        tallyFindings.withLock { $0.first { $0.table == table.name.text }?.missing ?? [] }
    }

    /// The damaged rows that were found since the start.
    public nonisolated var damage: DamageReport { damageRegister.withLock { $0.report } }

    // MARK: - Statistics and end

    /// Frees the writer's cached pages of the database that are not in use. They are read again when needed.
    public func releaseMemory() { writer?.releaseMemory() }

    /// The figures at this moment.
    public nonisolated var figures: StoreFigures {
        var figures = intake.figures
        (figures.damagedRows, figures.damagedTables) = damageRegister.withLock { ($0.report.count, $0.report.tables) }
        readers.note(in: &figures)
        return figures
    }

    /// Saves all waiting units, empties the write-ahead log and closes. If the disk refuses, it gives up after
    /// `Options.closeMax`. Returns the number of statements that could not be saved; none of them was acknowledged.
    @discardableResult
    public func close() async -> Int {
        guard let writer else { return 0 }
        intake.close()
        let deadline = ContinuousClock.now + options.closeMax
        while !writer.isIdle {
            let now = ContinuousClock.now
            if now >= deadline { break }
            if let pause = writer.step() { thread.sleep(min(pause, deadline - now)) }
        }
        let unsaved = intake.figures.backlogChanges
        readers.close()
        writer.finish()
        self.writer = nil
        check = nil
        file = nil
        if unsaved > 0 { logger.error("store: close \(options.path): \(unsaved) changes could not be saved") }
        return unsaved
    }

    // MARK: - Inside

    /// 16 bytes derived from this world's key for the name of a seal. They are the same as long as the world exists.
    public nonisolated func secret(for seal: Seal) throws(StoreError) -> [UInt8] {
        let made = try? keyring.withLock { $0 }?.clear(.fingerprint("", seal))
        guard case .blob(let bytes)? = made else {
            throw StoreError(
                .closed, operation: "make the secret \(seal.name.text)", cause: "the store is not open",
                remedy: "report this as a bug")
        }
        return bytes
    }

    /// Seals on the submitting thread, because on the single writing thread sealing would cost a quarter of the
    /// throughput. A value that cannot be sealed here fails again on the writing thread, which refuses it.
    private nonisolated func sealed(_ statements: [Statement]) -> [Statement] {
        guard let keyring = keyring.withLock({ $0 }) else { return statements }
        var last: Keyring.LastFingerprint?
        return statements.map { statement in
            var arguments = statement.arguments
            for index in arguments.indices where arguments[index].needsKey {
                guard let clear = try? keyring.clear(arguments[index], &last) else { return statement }
                arguments[index] = clear
            }
            return Statement(statement.sql, arguments: arguments, changing: statement.rows)
        }
    }

    private nonisolated var indexAlarm: IndexAlarm { IndexAlarm(intake: intake, logger: logger) }

    private nonisolated var refusal: StoreError {
        if intake.isClosed {
            return StoreError(.closed, operation: "commit", cause: "the store is closed", remedy: "restart the server")
        }
        if intake.figures.isFileMoved {
            return StoreError(
                .moved, operation: "commit", cause: "the database's file was removed or replaced",
                remedy: "put it back, or stop the server and restore a backup (cairn restore)")
        }
        return StoreError(
            .overloaded, operation: "commit", cause: "\(options.backlogMax) changes wait for the disk",
            remedy: "check the disk; the server goes on by itself")
    }

    private func start(_ schema: Schema, _ tables: [StoredTable]) throws(StoreError) {
        let file = try DatabaseFile.claim(options.path)
        let start = try StoreStart(options: options, schema: schema, tables: tables, logger: logger).run(file)
        let masters = start.masters
        intake.note { $0.restored = start.restored }
        let connection = try Connection(
            path: options.path, role: .writer(options.synchronous, cacheBytes: options.cacheBytes))
        var before: TallyDifference?
        if case .older(let missing) = try schema.examine(connection) {
            if let keyring = try connection.unlock(with: masters) {
                connection.keyring = keyring
                before = try connection.tallyDifference(of: tables, keyring)
            }
            let copy = "\(options.path).before-\(missing[0])"
            try connection.copy(to: copy)
            logger.notice("store: schema: \(missing.count) steps to do; the database as it was is kept as \(copy)")
        }
        try schema.apply(to: connection)
        let keyring = try connection.unlockOrMake(with: masters, now: WallClock.now)
        connection.keyring = keyring
        report(try connection.convert(tables, with: masters, logger: logger) ?? [])
        report(try connection.beginTally(of: tables, with: masters, before: before), start)
        self.keyring.withLock { $0 = keyring }
        writer = Writer(
            connection: connection, masters: masters, filings: tables.compactMap(\.filingOfNewRows),
            pageSize: try connection.setting("page_size") ?? 4_096, options: options, intake: intake, logger: logger)
        let keptTwice = tables.filter(\.isKeptTwice)
        writer?.mendsByCopies(of: keptTwice) { [weak self] in self?.opens($0, isReplaced: $1) }
        intake.keepTwice(Set(keptTwice.map(\.name.text)))
        noteNewestBackup()
        self.file = consume file
        check = DatabaseCheck(options, masters: masters, schema: schema, tables: tables)
        let alarm = indexAlarm
        readers.start(threads: max(options.readers, 1), keyring: keyring) { [thread] indexes, error in
            if alarm.raise(indexes, error) { thread.ring() }
        }
        thread.setWork { [weak self] in self?.assumeIsolated { $0.writer?.step() } ?? nil }
    }

    /// Notes the newest backup in the folder, which an earlier process has made.
    private func noteNewestBackup() {
        guard let newest = options.backups?.newest(now: WallClock.now) else { return }
        let bytes = try? FileManager.default.attributesOfItem(atPath: newest.path)[.size] as? Int
        intake.note { figures in
            figures.lastBackupAt = newest.takenAt
            figures.lastBackupBytes = bytes ?? 0
        }
    }

    func note(_ result: Result<BackupReport, StoreError>) {
        switch result {
        case .success(let report):
            if report.isSound {
                logger.notice("store: backup \(report.path): \(report.bytes) bytes, verified, in \(report.took)")
            } else {
                logger.error("store: backup \(report.path) is unsound: \(report.faults); sound ones stay")
                mend(report)
            }
            renewCopies(report)
            intake.note { figures in
                figures.backups += 1
                figures.lastBackupUnsound = !report.isSound
                if report.isSound {
                    figures.lastBackupAt = report.takenAt
                    figures.lastBackupBytes = report.bytes
                }
                figures.lastBackupMicroseconds = Int64(report.took / .microseconds(1))
                figures.lastBackupFailed = false
            }
        case .failure(let error):
            logger.error("\(error) (the backup failed)")
            intake.note { figures in
                figures.backupFailures += 1
                figures.lastBackupFailed = true
            }
        }
    }

    /// Mends the rows that have second copies, and rebuilds the indexes in which a backup has found faults. Such an
    /// index may not make any query fail, but rows that it lacks are missing in views.
    private func mend(_ report: BackupReport) {
        if intake.mend(report.damaged) { thread.ring() }
        let error = StoreError(
            .damaged, operation: "back up to \(report.path)", cause: report.faults, remedy: "run cairn verify")
        if indexAlarm.raise(report.damagedIndexes, error) { thread.ring() }
    }

    /// Has the second copies made anew that a backup has found to differ from sound rows, and those of no table
    /// deleted.
    private func renewCopies(_ report: BackupReport) {
        guard !report.copyFaults.isEmpty else { return }
        intake.note { $0.copyFaults += 1 }
        logger.error(
            """
            store: backup \(report.path): \(report.copyFaults.text); \(report.copyFaults.remedyAfterBackup); look for \
            a fault of the disk
            """)
        if intake.renew(report.renewableCopies) { thread.ring() }
    }

    /// Lends the writer to the test kit.
    func withWriter<Result: Sendable>(_ body: @Sendable (Writer) throws -> Result) rethrows -> Result? {
        guard let writer else { return nil }
        return try body(writer)
    }
}
