extension Store {
    /// How a store works. Every bound has a name, a unit and a reason.
    public struct Options: Sendable {
        /// When a commit counts as kept.
        public enum Synchronous: String, Hashable, Sendable {
            /// When the disk says so (DAT-2).
            case full
            /// When the system has it: a power cut, not a crash, may cost the last moments.
            case normal
        }

        /// The database file. Its directory is created; `-wal`, `-shm` and `.lock` stand beside it.
        public var path: String
        /// Where the keys come from that seal what users wrote (DAT-7).
        public var keys: KeySource
        /// Where automatic backups go, and where a sound one is looked for when the database is damaged; nil = nowhere.
        public var backups: BackupFolder?
        public var synchronous = Synchronous.full
        /// Most statements in one transaction: bounds how long the first waits for the last.
        public var commitChangesMax = 5_000
        /// A transaction takes no further unit after this time. An upper bound only: nothing ever waits for it.
        public var commitMilliseconds = 50
        /// Unsaved statements at which `acceptsChanges` becomes false; true again below 90 % (DAT-4).
        public var backlogMax = 100_000
        /// The pause after the first failed attempt; every further one is twice as long (PLC-8).
        public var retryFirst = Duration.milliseconds(100)
        /// The longest pause between two attempts.
        public var retryMax = Duration.seconds(30)
        /// Threads and connections that answer reads.
        public var readers = 2
        /// Bytes of the database that the writer keeps in memory. It fills as the database grows and then stays.
        public var cacheBytes = 64 << 20
        /// Reads that may wait; at the bound further ones are refused as `overloaded`.
        public var readsWaitingMax = 10_000
        /// Pages in the write-ahead log at which it is copied into the database between two batches.
        public var checkpointPages = 1_024
        /// Size of the write-ahead log at which it is emptied, waiting for reads that still need it (S3).
        public var walBytesMax = 64 << 20
        /// Rows that one step of an expiry deletes between two batches.
        public var expiryRowsMax = 500
        /// While changes come, such a step ends after this time, though not before its first handful of rows.
        public var expiryMilliseconds = 5
        /// `close()` gives up saving what the disk refuses after this time.
        public var closeMax = Duration.seconds(10)
        /// How long a database that was set aside is kept, and how many at most; the newest always is.
        public var setAsideAge = Duration.seconds(30 * 86_400)
        public var setAsideMax = 4
        /// A new world is meant where the key is there already and no database: nothing is lost.
        public var isNewWorld = false
        /// Examine the whole file at start, not its header only (about 0.5 s for 100 MB).
        public var checksAtStart = true

        public init(path: String, keys: KeySource = .memory(.throwAway())) {
            self.path = path
            self.keys = keys
        }
    }
}
