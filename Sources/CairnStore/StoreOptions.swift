extension Store {
    /// The options of a store. Every bound has a name, a unit and a reason.
    public struct Options: Sendable {
        /// When a commit counts as done.
        public enum Synchronous: String, Hashable, Sendable {
            /// When the disk has confirmed it (DAT-2).
            case full
            /// When the operating system has it: a power cut may lose the last moments, a crash loses nothing.
            case normal
        }

        /// The database file. Its directory is created; `-wal`, `-shm` and `.lock` stand beside it.
        public var path: String
        /// The source of the keys that seal users' content (DAT-7).
        public var keys: KeySource
        /// The folder of automatic backups, in which a sound one is searched when the database is damaged; nil = none.
        public var backups: BackupFolder?
        /// The folder of files outside the database that rows name; nil = rows name none.
        public var files: String?
        public var synchronous = Synchronous.full
        /// Most statements in one transaction: bounds how long the first waits for the last.
        public var commitChangesMax = 5_000
        /// A transaction takes no further unit after this time. It is an upper bound: no transaction waits for it.
        public var commitMilliseconds = 50
        /// Unsaved statements at which `acceptsChanges` becomes false; true again below 90 % (DAT-4).
        public var backlogMax = 100_000
        /// The pause after the first failed attempt. Each further pause is twice as long (PLC-8).
        public var retryFirst = Duration.milliseconds(100)
        /// The longest pause between two attempts.
        public var retryMax = Duration.seconds(30)
        /// Threads and connections that answer reads.
        public var readers = 2
        /// Bytes of the writer's cache of the database. It fills as the database grows and stays full.
        public var cacheBytes = 64 << 20
        /// Reads that may wait; at the bound further ones are refused as `overloaded`.
        public var readsWaitingMax = 10_000
        /// Most units of which the rows are not filed in the large indexes yet (`Filing`), but for one transaction.
        public var filingUnitsMax = 4_096
        /// Pages in the write-ahead log at which it is copied into the database between two batches.
        public var checkpointPages = 1_024
        /// Size of the write-ahead log at which it is emptied, waiting for reads that still need it (S3).
        public var walBytesMax = 64 << 20
        /// Rows that one step of an expiry deletes between two batches.
        public var expiryRowsMax = 500
        /// While changes arrive, such a step ends after this time, but not before it has deleted its first few rows.
        public var expiryMilliseconds = 5
        /// `close()` stops trying to save refused units after this time.
        public var closeMax = Duration.seconds(10)
        /// How long a set-aside database is kept, and how many are kept. The newest is always kept.
        public var setAsideAge = Duration.seconds(30 * 86_400)
        public var setAsideMax = 4
        /// Creates a new world even if the key has opened a world here before and the database is missing.
        public var isNewWorld = false
        /// Examine the whole file at start and not only its header (about 0.5 s for 100 MB).
        public var checksAtStart = true

        public init(path: String, keys: KeySource = .memory(.throwAway())) {
            self.path = path
            self.keys = keys
        }
    }
}
