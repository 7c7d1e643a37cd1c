public import CairnWire

/// The success of a change, stored in the change's own transaction so that a retry with the same key gets it again
/// (PLC-8, SYN-2).
///
/// (account, key) is unique, and only an expired row is replaced: the database enforces this, whatever the home
/// decided.
///
/// Every stored reply passes here, so its size is bounded here: a result has at most `resultBytesMax`, whatever a
/// person can make a feature answer. How many bytes an account may store in a day is counted by `ReplyBytes`.
public struct StoredReply: Sendable {
    /// Marks the type of a row's id; it has no values.
    public enum Tag {}

    let id: Identifier<Tag>
    let account: AccountID
    let key: String
    let digest: UInt64
    /// The kind of the change: its field in the envelope.
    let kind: Int64
    let result: [UInt8]
    let now: LastingTime
    /// Answers from before this time have expired.
    let oldest: LastingTime

    /// Most bytes of a stored result. A longer one is not stored, and a retry is refused with `tooLong`: its feature
    /// has to leave out what can be read again (`Command.shortened`).
    public static let resultBytesMax = 4_096

    /// What a row takes on the disk beside key and result: the seal, the columns and the entries of the indexes.
    static let rowBytes = 160

    /// Most bytes on the disk of one stored reply.
    static let bytesMax = rowBytes + ClientEnvelope.keyBytesMax + resultBytesMax

    /// The bytes on the disk of the stored reply to a request.
    static func bytes(of result: Request.Result, for request: Request) -> Int {
        rowBytes + request.key.utf8.count + stored(result, for: request).count
    }

    /// The stored form of a result; empty = it is too long to be stored.
    private static func stored(_ result: Request.Result, for request: Request) -> [UInt8] {
        var reply = WireReply()
        reply.result = type(of: request.command).shortened(result)
        let bytes = WireBody.encode(reply)
        return bytes.count <= resultBytesMax ? bytes : []
    }

    /// Whether nothing is stored of the result, because it is too long.
    var isTooLong: Bool { result.isEmpty }

    /// - Parameter lifetime: how long the answer to a key is kept.
    init(id: Identifier<Tag>, request: Request, result: Request.Result, now: LastingTime, lifetime: Duration) {
        self.id = id
        oldest = now - lifetime
        account = request.sender.account
        key = request.key
        digest = request.contentDigest
        kind = Int64(request.kind.field)
        self.now = now
        self.result = Self.stored(result, for: request)
    }

    /// Key, digest and result are sealed: a key may contain personal text, and a digest would let an attacker confirm
    /// guesses of the content.
    private static let seal = Seal("kept_answers")
    private static let keySeal = Seal("kept_answers.key")

    public static let migrations = [
        Migration(
            "sealed-answers-1",
            """
            CREATE TABLE kept_answers (
                account INTEGER NOT NULL, key BLOB NOT NULL, at INTEGER NOT NULL, sealed BLOB NOT NULL,
                PRIMARY KEY (account, key)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX kept_answers_at ON kept_answers (at)"),
        // The first table was ordered by key, so each new answer changed a different page. This one is ordered by time,
        // and only the small index on the key has random positions (decision 0003).
        Migration(
            "sealed-answers-2",
            """
            CREATE TABLE answers_by_time (
                account INTEGER NOT NULL, key BLOB NOT NULL, at INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "INSERT INTO answers_by_time SELECT account, key, at, sealed FROM kept_answers ORDER BY at",
            "DROP TABLE kept_answers",
            "ALTER TABLE answers_by_time RENAME TO kept_answers",
            "CREATE INDEX kept_answers_key ON kept_answers (account, key)",
            "CREATE INDEX kept_answers_at ON kept_answers (at)"),
        // The server now chooses the rows' ids, which SQLite chose before, and each key has one row (decision 0018). Of
        // two rows with one key the later one stays, because the other has expired. The statement uses no index, which
        // could be damaged.
        Migration(
            "sealed-answers-3",
            """
            CREATE TABLE answers_by_id (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL, key BLOB NOT NULL, at INTEGER NOT NULL,
                sealed BLOB NOT NULL
            ) STRICT
            """,
            """
            INSERT INTO answers_by_id (id, account, key, at, sealed)
            SELECT rowid, account, key, at, sealed FROM kept_answers
            WHERE rowid IN (SELECT max(rowid) FROM kept_answers NOT INDEXED GROUP BY account, key) ORDER BY rowid
            """,
            "DROP TABLE kept_answers",
            "ALTER TABLE answers_by_id RENAME TO kept_answers",
            "CREATE UNIQUE INDEX kept_answers_key ON kept_answers (account, key)",
            "CREATE INDEX kept_answers_at ON kept_answers (at)"),
        // New rows are in an index of their own (`Filing`). The kind says which quota the change has used; 0 in rows
        // from before (decision 0035).
        Migration(
            "sealed-answers-4",
            "ALTER TABLE kept_answers ADD COLUMN kind INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE kept_answers ADD COLUMN filed INTEGER NOT NULL DEFAULT 1",
            "DROP INDEX kept_answers_key",
            "CREATE UNIQUE INDEX kept_answers_key ON kept_answers (account, key) WHERE filed = 1",
            "CREATE UNIQUE INDEX kept_answers_key_new ON kept_answers (account, key) WHERE filed = 0"),
    ]

    /// An answer is sealed for its account and bound to its time; the sealed value has the key in it. The kind is
    /// neither sealed nor bound: who can write the file can change the use of a quota by it, and nothing else.
    public static let table = StoredTable(
        "kept_answers", of: .account, columns: ["id", "account", "key", "at", "sealed", "kind", "filed"], key: [0],
        opening: [Opening(4, seal, row: 1, bound: [3])],
        conversion: StoredTable.Conversion(opening: Opening(4, seal, row: 1)) { row throws(ColumnFault) in
            let account = try row.integer(1)
            return [
                Statement(
                    "UPDATE kept_answers SET sealed = ? WHERE id = ?",
                    .sealed(try row.opened(4).values, seal, row: account, bound: [.integer(try row.integer(3))]),
                    .integer(try row.integer(0)), changing: 1)
            ]
        },
        filing: Filing("kept_answers_key_new"), erasure: [.rows(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in ["at": .time(try row.lastingTime(3))] }
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), row.blob(2), row.lastingTime(3))
        _ = try (row.integer(5), row.integer(6, in: 0...1))
        let key = try row.within(4) { sealed throws(ColumnFault) in
            _ = try (sealed.integer(1), Self.result(in: sealed))
            return try sealed.text(0)
        }
        return [StoredTable.Derived(2, .fingerprint(key, keySeal))]
    }

    /// - Parameter before: the time of the oldest answer that is still kept.
    public static func expiries(before: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "at", isBelow: before.milliseconds)]
    }

    /// The id of its row.
    private var rowID: SQLValue { .integer(Int64(bitPattern: id.rawValue)) }

    /// Takes it back.
    public var deletion: Statement { Statement("DELETE FROM kept_answers WHERE id = ?", rowID) }

    /// Takes it back unless the query finds a row.
    private func deletion(unless query: Query) -> Statement {
        Statement(
            "DELETE FROM kept_answers WHERE id = ? AND NOT EXISTS (" + query.sql + ")",
            arguments: [rowID] + query.arguments)
    }

    /// If the key has an unexpired answer, the statement changes no row and its unit is refused. An expired one gives
    /// way with its id, by which this one can be taken back.
    public var insertion: Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            """
            INSERT INTO kept_answers (id, account, key, at, sealed, kind, filed) SELECT ?1, ?2, ?3, ?4, ?5, ?7, 0
            WHERE NOT EXISTS (SELECT 1 FROM kept_answers WHERE account = ?2 AND key = ?3 AND filed = 1 AND at >= ?6)
            ON CONFLICT (account, key) WHERE filed = 0
            DO UPDATE SET id = excluded.id, at = excluded.at, sealed = excluded.sealed, kind = excluded.kind
            WHERE kept_answers.at < ?6
            """,
            rowID, .integer(row), .fingerprint(key, Self.keySeal), .time(now),
            .sealed(
                [.text(key), .integer(Int64(bitPattern: digest)), .blob(result)], Self.seal, row: row,
                bound: [.time(now)]), .time(oldest), .integer(kind), changing: 1)
    }

    /// Query for the newest id below a bound: one row of one integer, 0 = none.
    public static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM kept_answers WHERE id < ?", bound)
    }

    /// Query for whether an account has stored replies: one row, or none.
    public static func any(of account: AccountID) -> Query {
        anyOfAccount.about(.integer(Int64(bitPattern: account.rawValue)))
    }

    private static let anyOfAccount = table.query("WHERE " + table.condition(on: 1) + " LIMIT 1")

    /// Query for the bytes that an account's stored replies have taken on the disk after a time, hour by hour: at most
    /// 25 rows for a day. `ReplyBytes` reads them. Of the sealed column only the length is read.
    public static func bytes(of account: AccountID, after time: LastingTime) -> Query {
        Query(
            bytesOfHours, .integer(Int64(bitPattern: account.rawValue)), .integer(Int64(rowBytes)), .time(time))
    }

    private static let bytesOfHours: StaticText =
        "SELECT sum(length(sealed) + ?2), max(at) FROM kept_answers WHERE " + table.condition(on: 1)
        + " AND at > ?3 GROUP BY at / 3600000 ORDER BY 2"

    /// Query for one row: the number of an account's answers on disk, and `now`.
    public static func count(of account: AccountID, at now: LastingTime) -> Query {
        Query(countOfAccount, .integer(Int64(bitPattern: account.rawValue)), .time(now))
    }

    private static let countOfAccount: StaticText =
        "SELECT count(*), ?2 FROM kept_answers WHERE " + table.condition(on: 1)

    /// Query for an account's answers to changes of some kinds after a time, oldest first; `times` reads the rows.
    public static func answers(to kinds: [MessageKind], of account: AccountID, after time: LastingTime) -> Query {
        let fields = kinds.map { "\($0.field)" }.joined(separator: ",")
        return Query(
            ofKinds, .integer(Int64(bitPattern: account.rawValue)), .text("[\(fields)]"), .time(time))
    }

    /// Without the sealed column, which need not be opened for this.
    private static let ofKinds: StaticText =
        "SELECT id, account, key, at FROM kept_answers WHERE " + table.condition(on: 1)
        + " AND kind IN (SELECT value FROM json_each(?2)) AND at > ?3 ORDER BY at"

    /// The times of the answers, by the rows of a query for one kind; damaged rows are noted and left out.
    public static func times(in rows: [Row], _ damage: inout [DamagedRow]) -> [LastingTime] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try row.lastingTime(3) }
    }

    /// Query for how many answers to changes of some kinds an account has had after a time, hour by hour: at most 25
    /// rows for a day, however many the answers. `timesOfHours` reads them.
    public static func hours(of kinds: [MessageKind], by account: AccountID, after time: LastingTime) -> Query {
        let fields = kinds.map { "\($0.field)" }.joined(separator: ",")
        return Query(
            ofHours, .integer(Int64(bitPattern: account.rawValue)), .text("[\(fields)]"), .time(time))
    }

    private static let ofHours: StaticText =
        "SELECT count(*), max(at) FROM kept_answers WHERE " + table.condition(on: 1)
        + " AND kind IN (SELECT value FROM json_each(?2)) AND at > ?3 GROUP BY at / 3600000 ORDER BY 2"

    /// The times of the answers that `hours` has counted: each at the last one of its hour. The rows are computed and
    /// not stored, so none is damaged.
    public static func timesOfHours(in rows: [Row], _ damage: inout [DamagedRow]) -> [LastingTime] {
        rows.flatMap { row -> [LastingTime] in
            guard let count = try? row.integer(0), let last = try? row.lastingTime(1) else { return [] }
            return Array(repeating: last, count: Int(min(max(count, 0), hourMax)))
        }
    }

    /// Bounds the array: larger counts count as this one, which no setting of a day's changes reaches.
    private static let hourMax: Int64 = 10_000_000

    /// The answer to one key. It may have expired.
    public static func answer(to key: String, of account: AccountID) -> Query {
        ofKey.about(.integer(Int64(bitPattern: account.rawValue)), .fingerprint(key, keySeal))
    }

    /// An expired answer may stand beside the newer one until that is filed.
    private static let ofKey = table.query(
        "WHERE " + table.condition(on: 1) + " AND key = ?2 ORDER BY at DESC LIMIT 1")

    /// Whether the rows of `answer(to:of:)` have an answer that has not expired. One that is damaged counts: the
    /// account says that it is lost.
    public static func isAnswered(by rows: [Row], in turn: Turn) -> Bool {
        let oldest = turn.lasting - turn.settings.keyLifetime
        return rows.contains { row in
            guard let at = try? row.lastingTime(3) else { return true }
            return at >= oldest
        }
    }

    /// What a row of `answer(to:of:)` holds for a request: the digest of the request, the result (nil = it was too long
    /// to be stored), and the time of storing.
    /// - Throws: the fault of the row, also when it was stored for another key. The key column can be overwritten by an
    ///   attacker who can write the file; the key in the sealed value cannot.
    static func kept(
        for request: Request, in row: Row
    ) throws(DamagedRow) -> (digest: UInt64, result: Request.Result?, at: LastingTime) {
        try table.read(row) { row throws(ColumnFault) in
            let (key, digest, result) = try row.within(4) { sealed throws(ColumnFault) in
                (try sealed.text(0), UInt64(bitPattern: try sealed.integer(1)), try Self.result(in: sealed))
            }
            guard key == request.key else { throw ColumnFault(2, .disagrees) }
            // The parts that were left out are in the request, if its content is the same.
            let isSame = digest == request.contentDigest
            return (digest, isSame ? result.map(request.command.completed) : result, try row.lastingTime(3))
        }
    }

    private static func result(in sealed: Row) throws(ColumnFault) -> Request.Result? {
        let bytes = try sealed.blob(2)
        guard !bytes.isEmpty else { return nil }
        guard let result = (try? WireBody.decode(WireReply.self, from: bytes))?.result else {
            throw ColumnFault(2, .unreadable)
        }
        return result
    }

    /// The answer that a row of `answer(to:of:)` holds for a request whose content is the same as the first time.
    public static func answer(for request: Request, in row: Row) throws(DamagedRow) -> Answer {
        try kept(for: request, in: row).result.map(Answer.success) ?? .refusal(tooLong)
    }

    /// The refusal for a damaged row. The change was decided, so it is not repeated under its key.
    public static let lost = Refusal(
        .answerLost, "the first answer is damaged; the change was made, as far as can be known", component: "account")

    /// The refusal of a retry whose first answer was too long to be stored. No feature of this server answers a change
    /// so; a feature to come that forgets `Command.shortened` fills no disk by it.
    static let tooLong = Refusal(
        .answerLost, "the first answer was too long to be kept; the change was made", component: "account")

    /// The refusal of a retry that was on its way while the first attempt was answered: the next one gets that answer.
    public static let answeredMeanwhile = Refusal(
        .tryAgain, "the first attempt has been answered meanwhile", component: "account",
        retryAfter: .milliseconds(50))

    /// The refusal while the store cannot be read.
    public static let unreadable = Refusal(
        .tryAgain, "the first answer cannot be read now", component: "account", retryAfter: .seconds(1))
}

extension StoredReply {
    /// Stores it behind the statements of its change, and takes it back where these have changed nothing. One that is
    /// too long to be stored is counted.
    /// - Parameter change: finds a row if the change was made; with `?` for each argument.
    public func effects(ifMade change: Query) -> [Effect] {
        [.write(insertion), .write(deletion(unless: change))] + (isTooLong ? [.note(.replyTooLong)] : [])
    }
}

extension Turn {
    /// The stored reply of a change that is answered by a later turn, when the store has said whether it has made it
    /// (`Effect.confirm`). This turn stores the reply behind the change (`StoredReply.effects(ifMade:)`): a crash
    /// between the turns leaves no change that a retry makes twice (SYN-2).
    public func reply(to request: Request, _ result: Request.Result) -> StoredReply {
        StoredReply(
            id: newIdentifier(), request: request, result: result, now: lasting, lifetime: settings.keyLifetime)
    }
}
