public import CairnCore

/// The store's figures for statistics.
public struct StoreFigures: Hashable, Sendable {
    /// Statements that are not on disk yet.
    public var backlogChanges = 0
    /// Age of the oldest waiting statement; 0 = none.
    public var oldestUnsavedMilliseconds: Int64 = 0
    /// Transactions on disk since the start.
    public var commits: UInt64 = 0
    /// Statements on disk since the start.
    public var changes: UInt64 = 0
    /// Statements in the last transaction.
    public var batchLast = 0
    /// Statements in the largest transaction.
    public var batchMax = 0
    /// Durations of transactions, from BEGIN to the end of COMMIT.
    public var commitMicroseconds = LogHistogram()
    /// Attempts to write that failed and are repeated.
    public var failures: UInt64 = 0
    /// Units that the database refused for good.
    public var unitsDropped: UInt64 = 0
    /// Units that were voided because an earlier unit of their home was refused for good.
    public var unitsVoided: UInt64 = 0
    /// True from a failed attempt until one succeeds.
    public var isFailing = false
    /// True while the database's file is not the one that was opened: nothing is acknowledged then.
    public var isFileMoved = false
    /// The last failure, in an operator's words; empty = none since the start.
    public var lastError = ""
    /// Damaged rows that were found since the start and are skipped (`Store.damage`).
    public var damagedRows: UInt64 = 0
    /// The same by table; tables without damaged rows are left out.
    public var damagedTables: [String: UInt64] = [:]
    /// Damaged rows that are right again by their second copies, since the start and at it.
    public var mendedRows: UInt64 = 0
    /// Times that second copies could not be used, or were damaged and made anew, since the start and at it.
    public var copyFaults: UInt64 = 0
    /// Damaged indexes that are not rebuilt yet; queries read their tables in place of them.
    public var damagedIndexes: [String] = []
    /// Indexes that were damaged since the start and have been rebuilt.
    public var rebuiltIndexes: [String] = []
    /// Expired rows that were deleted.
    public var rowsExpired: UInt64 = 0
    /// Copies of the write-ahead log into the database.
    public var checkpoints: UInt64 = 0
    public var checkpointMicroseconds = LogHistogram()
    /// Pages in the write-ahead log after the last commit.
    public var walPages = 0
    /// Bytes of the writer's cache of the database, at most `Options.cacheBytes`. It fills as the world grows.
    public var cacheBytes = 0
    /// Number of answered reads, and of waiting reads.
    public var reads: UInt64 = 0
    public var readsWaiting = 0
    /// Reads refused at the bound of the queue.
    public var readsRefused: UInt64 = 0
    /// When the newest backup was begun, whichever process made it, in milliseconds since 1970; 0 = there is none.
    public var lastBackupAt = WallTime.epoch
    public var lastBackupBytes = 0
    /// How long it took; 0 = another process made it.
    public var lastBackupMicroseconds: Int64 = 0
    public var backups: UInt64 = 0
    public var backupFailures: UInt64 = 0
    /// True when rows were damaged in the last backup of this process: it does not count as one.
    public var lastBackupUnsound = false
    /// True from a failed backup until one succeeds.
    public var lastBackupFailed = false
    /// Set when the database was damaged at the start and was replaced by a backup: the period whose changes are lost
    /// (DAT-6).
    public var restored: RestoreReport?

    public init() {}
}

/// Counts of durations in buckets of powers of two: bucket n counts 2^(n-1) ..< 2^n microseconds, bucket 0 durations
/// below one microsecond, the last bucket all longer ones.
public struct LogHistogram: Hashable, Sendable {
    public static let bucketCount = 28

    public private(set) var buckets = [UInt64](repeating: 0, count: Self.bucketCount)
    public private(set) var count: UInt64 = 0
    /// Sum of all values, in microseconds.
    public private(set) var sum: UInt64 = 0
    public private(set) var max: UInt64 = 0

    public init() {}

    /// Counts one duration.
    public mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let value = UInt64(clamping: seconds) &* 1_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000_000)
        buckets[Swift.min(UInt64.bitWidth - value.leadingZeroBitCount, Self.bucketCount - 1)] += 1
        count += 1
        sum &+= value
        max = Swift.max(max, value)
    }

    /// The upper end, in microseconds, of the bucket that holds this share of all values; 0 if there are none.
    public func quantile(_ share: Double) -> UInt64 {
        let wanted = UInt64((Double(count) * share).rounded(.up))
        var seen: UInt64 = 0
        for (bucket, number) in buckets.enumerated() where number > 0 {
            seen += number
            if seen >= wanted { return Swift.min(1 << UInt64(bucket), max) }
        }
        return max
    }
}
