internal import CSQLite
internal import CairnCore
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// A connection to the database. Not Sendable: it belongs to the thread that opened it.
///
/// GRDB serialises its connections over a dispatch queue. No other code uses this queue, so `sync` runs at once on the
/// calling thread, without a hop.
final class Connection {
    /// The rights of a connection.
    enum Role {
        /// Writes, and makes all checkpoints (S1).
        /// - Parameter cacheBytes: size of the cache of database pages.
        case writer(Store.Options.Synchronous, cacheBytes: Int = 64 << 20)
        /// Reads only, and never makes a checkpoint.
        case reader
        /// Reads only, and reads tables without indexes: for queries that a damaged index cannot answer.
        case readerOfTables
        /// Writes a copy that is not in use yet, without journal and syncs: its writer flushes it.
        case copy
    }

    private let queue: DatabaseQueue
    private let wal: WriteAheadLog?
    /// Cache of prepared statements.
    let prepared = PreparedStatements()
    /// Seals and opens; nil until the database's keys have been unwrapped.
    var keyring: Keyring?
    /// Counts the rows that this connection changes; nil = it does not count.
    var tally: TallyCounter?

    init(path: String, role: Role, keyring: Keyring? = nil) throws(StoreError) {
        self.keyring = keyring
        var configuration = Configuration()
        configuration.label = "cairn"
        configuration.foreignKeysEnabled = true
        configuration.acceptsDoubleQuotedStringLiterals = false
        switch role {
        case .writer(let synchronous, let cacheBytes):
            let wal = WriteAheadLog()
            self.wal = wal
            // The writer's thread does not wait for a lock: the batch is tried again after a pause.
            configuration.busyMode = .immediateError
            configuration.prepareDatabase { db in
                try Self.harden(db)
                try Self.prepareWriter(db, synchronous: synchronous, cacheBytes: cacheBytes)
                wal.observe(db)
            }
        case .reader, .readerOfTables:
            wal = nil
            configuration.readonly = true
            // Only opening and recovering delay a reader.
            configuration.busyMode = .timeout(1)
            configuration.prepareDatabase { db in
                try Self.harden(db)
                if case .readerOfTables = role {
                    try db.execute(sql: "PRAGMA temp_store = MEMORY")
                    try Self.hideIndexes(db)
                }
                try db.execute(sql: "PRAGMA query_only = 1; PRAGMA wal_autocheckpoint = 0")
            }
        case .copy:
            wal = nil
            configuration.prepareDatabase { db in
                try Self.harden(db)
                try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1024")
            }
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreError(error, operation: "open \(path)")
        }
    }

    deinit { prepared.removeAll() }

    /// Pages in the write-ahead log after the last commit of this connection.
    var walPages: Int { wal?.pages ?? 0 }

    /// Bytes of database pages in the cache.
    var cacheBytes: Int {
        queue.inDatabase { db in
            var (bytes, most): (CInt, CInt) = (0, 0)
            sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0)
            return Int(bytes)
        }
    }

    /// Frees cached database pages that are not in use.
    func releaseMemory() {
        queue.inDatabase { db in _ = sqlite3_db_release_memory(db.sqliteConnection) }
    }

    /// Notes that the write-ahead log was emptied.
    func walEmptied() { wal?.pages = 0 }

    /// Lends the queue, for GRDB functions that require one.
    func lendQueue<Result>(_ operation: String, _ body: (DatabaseQueue) throws -> Result) throws(StoreError) -> Result {
        do {
            return try body(queue)
        } catch {
            throw StoreError(error, operation: operation)
        }
    }

    /// Lends the database to the closure.
    func lend<Result>(_ operation: String, _ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, operation: operation)
        }
    }

    /// Answers of all queries from one consistent snapshot.
    func read(_ queries: [Query]) throws(StoreError) -> [[CairnCore.Row]] {
        var answers: [[CairnCore.Row]] = []
        try read(CollectionOfOne(queries)) { answers = $0 }
        return answers
    }

    /// Answers several reads in order, all from one consistent snapshot. Each answer is handed over as soon as it is
    /// there; if this throws, as many were as came before the read that failed.
    func read(
        _ reads: some Sequence<[Query]>, then answered: ([[CairnCore.Row]]) -> Void
    ) throws(StoreError) {
        try lend("read") { db in
            // Prepared like everything else: to parse the two statements costs as much as to answer a small read.
            try db.run("BEGIN DEFERRED TRANSACTION", [], keyring: nil, among: prepared)
            do {
                for queries in reads {
                    answered(try queries.map { try db.answer($0, keyring: keyring, among: prepared) })
                }
                try db.run("COMMIT TRANSACTION", [], keyring: nil, among: prepared)
            } catch {
                // SQLite may have ended the transaction itself.
                if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK TRANSACTION") }
                throw error
            }
        }
    }

    /// Closes now and not when the last reference is released. A failure is harmless.
    func close() {
        prepared.removeAll()
        try? queue.close()
    }

    /// S7. The SQL function `load_extension` is off by default, this turns the C function off as well.
    private static func harden(_ db: Database) throws {
        sqlite3_enable_load_extension(db.sqliteConnection, 0)
        // No release makes a trigger. One that somebody puts into the file of a running server would delete rows in the
        // server's name; temporary ones, which are in no file, still work.
        cairn_sqlite_disable_triggers(db.sqliteConnection)
        try db.execute(sql: "PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1")
    }

    private static func prepareWriter(
        _ db: Database, synchronous: Store.Options.Synchronous, cacheBytes: Int
    ) throws {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "no write-ahead log is possible here")
        }
        try db.execute(
            sql: """
                PRAGMA synchronous = \(synchronous == .full ? "FULL" : "NORMAL");
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA cache_size = -\(cacheBytes >> 10);
                PRAGMA temp_store = MEMORY
                """)
    }
}

/// Counts the pages in the write-ahead log, so that checkpoints can wait until the acknowledgements have left.
private final class WriteAheadLog: @unchecked Sendable {
    // Confined to the connection's thread: SQLite calls the hook inside COMMIT. GRDB asks for a Sendable closure
    // because it cannot know that this queue is used by one thread.
    var pages = 0

    func observe(_ db: Database) {
        // The log outlives the hook: both live as long as the `Connection`.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                // The reference is still valid: GRDB closes the connection before it releases the closure that captured
                // it.
                Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, context)
    }
}
