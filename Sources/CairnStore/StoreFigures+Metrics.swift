public import CairnCore

extension MetricSection {
    public static let store = MetricSection("store", heading: "Disk (`store`)")
    public static let queues = MetricSection("queues", heading: "Queues (`queues`)")
}

/// The metrics of the store.
extension StoreFigures {
    fileprivate typealias Row = Metric<StoreFigures>

    public static let metrics: [Metric<StoreFigures>] = queues + state + damage + writing + backing

    private static let queues: [Row] = [
        Row("backlogChanges", in: .queues, unit: "changes", "changes that wait for the disk; bound: storage.backlogMax")
        {
            .level($0.backlogChanges)
        }
        .inHistory.family(.gauge, "cairn.store.backlog_changes"),
        Row("oldestUnsavedMilliseconds", in: .queues, unit: "milliseconds", "age of the oldest change not on disk yet")
        {
            .level(Int($0.oldestUnsavedMilliseconds))
        }
        .family(.gauge, "cairn.store.oldest_unsaved"),
        Row("readsWaiting", in: .queues, unit: "reads", "reads that wait for a reader of the database") {
            .level($0.readsWaiting)
        }
        .family(.gauge, "cairn.store.reads_waiting"),
    ]

    private static let state: [Row] = [
        Row(
            "fileMoved", in: .store,
            "true while the database's file is not where it was opened: nothing is acknowledged"
        ) { .flag($0.isFileMoved) }
        .alarm(
            .bad, "The database's file is gone, and nothing is acknowledged",
            remedy: "Put the file back, or restart with a backup (cairn restore)"
        )
        .family(.gauge, "cairn.store.file_moved"),
        Row("failing", in: .store, "true from a failed write until one succeeds") { .flag($0.isFailing) }
            .alarm(
                .bad, "Writing fails; it is tried again",
                remedy: "Look for a full or broken disk; the log has the error"
            )
            .family(.gauge, "cairn.store.failing"),
        Row(
            "changesDropped", in: .store, unit: "units",
            "units that the database refused for good; anything but 0 is a fault"
        ) { .count($0.unitsDropped) }
        .alarm(.bad, "The database refused changes", remedy: "Report it with the log: it is a fault of the server")
        .family(.counter, "cairn.store.refused"),
    ]

    /// Figures that `cairn check` also reports.
    public static let damage: [Metric<StoreFigures>] = [
        Row("damagedRows", in: .store, unit: "rows", "damaged rows met since the start and set aside") {
            .count($0.damagedRows)
        }
        .alarm(.bad, "Damaged rows are set aside", remedy: "cairn verify names them")
        .family(.gauge, "cairn.store.damaged_rows"),
        Row("damagedTables", in: .store, unit: "rows", "damaged rows by table; a table without any is not in it") {
            .counts($0.damagedTables)
        }
        .family(.gauge, "cairn.store.damaged_table_rows", by: "table"),
        Row(
            "mendedRows", in: .store, unit: "rows",
            "damaged rows of accounts that were made right by their second copies: a sign of a failing disk"
        ) { .count($0.mendedRows) }
        .alarm(.warn, "Rows of accounts were damaged and are right again", remedy: "look for a broken disk")
        .family(.counter, "cairn.store.mended_rows"),
        Row(
            "copyFaults", in: .store, unit: "faults",
            "times that second copies of rows could not be used, or were damaged and made anew"
        ) { .count($0.copyFaults) }
        .alarm(.warn, "Second copies of rows were damaged or could not be used", remedy: "the log says which")
        .family(.counter, "cairn.store.copy_faults"),
        Row(
            "damagedIndexes", in: .store, unit: "indexes",
            "indexes found damaged and not built anew yet; their tables are read instead"
        ) { .names($0.damagedIndexes) }
        .alarm(.bad, "Indexes are damaged; their tables are read instead", remedy: "cairn verify names them")
        .family(.gauge, "cairn.store.damaged_indexes"),
        Row(
            "rebuiltIndexes", in: .store, unit: "indexes",
            "indexes found damaged since the start and built anew: a sign of a failing disk"
        ) { .names($0.rebuiltIndexes) }
        .alarm(.warn, "Indexes were damaged and are built anew", remedy: "cairn verify; look for a broken disk")
        .family(.gauge, "cairn.store.rebuilt_indexes"),
    ]

    private static let writing: [Row] = [
        Row("failures", in: .store, unit: "writes", "writes that failed and were tried again") { .count($0.failures) }
            .family(.counter, "cairn.store.failures"),
        Row("commits", in: .store, unit: "transactions", "transactions on disk") { .count($0.commits) }
            .rate("commits").family(.counter, "cairn.store.commits"),
        Row("changes", in: .store, unit: "changes", "changes on disk") { .count($0.changes) }
            .rate("changes").family(.counter, "cairn.store.changes"),
        Row("batchLast", in: .store, unit: "changes", "changes in the last transaction") { .level($0.batchLast) }
            .family(.gauge, "cairn.store.batch_changes"),
        Row("batchMax", in: .store, unit: "changes", "changes in the largest transaction") { .level($0.batchMax) },
        Row("commitP50Microseconds", in: .store, unit: "microseconds", "half of all transactions took about this long")
        {
            .count($0.commitMicroseconds.quantile(0.5))
        },
        Row(
            "commitP99Microseconds", in: .store, unit: "microseconds",
            "99 of 100 transactions took at most about this long"
        ) { .count($0.commitMicroseconds.quantile(0.99)) },
        Row("commitMaxMicroseconds", in: .store, unit: "microseconds", "how long the longest transaction took") {
            .count($0.commitMicroseconds.max)
        },
        Row(unit: "seconds", "from BEGIN of a transaction to the disk's answer") {
            .histogram(MetricHistogram($0.commitMicroseconds))
        }
        .family(.histogram, "cairn.store.commit.duration"),
        Row("walPages", in: .store, unit: "pages", "pages in the write-ahead log") { .level($0.walPages) }
            .family(.gauge, "cairn.store.wal_pages"),
        Row(unit: "seconds", "how long copying the write-ahead log into the database took") {
            .histogram(MetricHistogram($0.checkpointMicroseconds))
        }
        .family(.histogram, "cairn.store.checkpoint.duration"),
        Row(
            "cacheBytes", in: .store, unit: "bytes",
            "of the database in the writer's memory; it fills up to storage.cacheMegabytes"
        ) { .level($0.cacheBytes) }
        .family(.gauge, "cairn.store.cache"),
        Row(unit: "units", "units not written because they depended on a refused one") { .count($0.unitsVoided) }
            .family(.counter, "cairn.store.voided"),
        Row(unit: "rows", "rows deleted because their time was over") { .count($0.rowsExpired) }
            .family(.counter, "cairn.store.rows_expired"),
        Row(unit: "reads", "reads answered") { .count($0.reads) }.family(.counter, "cairn.store.reads"),
        Row(unit: "reads", "reads refused because too many waited") { .count($0.readsRefused) }
            .family(.counter, "cairn.store.reads_refused"),
    ]

    private static let backing: [Row] = [
        Row("backupUnsound", in: .store, "true when rows are damaged in the last backup of this process") {
            .flag($0.lastBackupUnsound)
        }
        .alarm(.bad, "Rows are damaged in the last backup", remedy: "cairn verify names them; sound backups stay")
        .family(.gauge, "cairn.backup.unsound"),
        Row("backupFailing", in: .store, "true from a failed backup until one succeeds") { .flag($0.lastBackupFailed) }
            .alarm(.bad, "The last backup failed", remedy: "Look at room and rights of backup.directory; see the log")
            .family(.gauge, "cairn.backup.failing"),
        Row("backups", in: .store, unit: "backups", "backups made") { .count($0.backups) }
            .family(.counter, "cairn.backups"),
        Row(unit: "backups", "backups that failed") { .count($0.backupFailures) }
            .family(.counter, "cairn.backup.failures"),
        Row(
            "lastBackup", in: .store,
            "start, size and duration of the newest backup; null = none since the start"
        ) { figures in
            guard figures.lastBackupAt > .epoch else { return .nothing }
            return .members([
                ("at", .level(Int(figures.lastBackupAt.milliseconds))), ("bytes", .level(figures.lastBackupBytes)),
                ("microseconds", .level(Int(figures.lastBackupMicroseconds))),
            ])
        },
        Row(unit: "milliseconds", "when the newest backup was begun, since 1970; 0 = there is none") {
            .level(Int($0.lastBackupAt.milliseconds))
        }
        .family(.gauge, "cairn.backup.last"),
        Row(unit: "bytes", "size of the newest backup") { .level($0.lastBackupBytes) }
            .family(.gauge, "cairn.backup.last_size"),
    ]
}

extension MetricHistogram {
    /// Converts buckets of powers of two microseconds.
    init(_ histogram: LogHistogram) {
        // 64 microseconds to 8 seconds.
        let powers = 6...23
        var counts: [UInt64] = []
        var seen: UInt64 = histogram.buckets[..<powers.lowerBound].reduce(0, +)
        for power in powers {
            seen += histogram.buckets[power]
            counts.append(seen)
        }
        self.init(
            bounds: powers.map { Double(1 << $0) / 1e6 }, counts: counts, count: histogram.count,
            sumSeconds: Double(histogram.sum) / 1e6)
    }
}
