public import CairnWire

/// The first answer to a change, kept with the change itself so that the same key gives it again (PLC-8, SYN-2).
public struct KeptAnswer: Sendable {
    let account: AccountID
    let key: String
    let digest: UInt64
    let result: [UInt8]
    let now: Int64

    init(request: Request, result: Request.Result, now: Int64) {
        account = request.sender.account
        key = request.key
        digest = request.contentDigest
        self.now = now
        var reply = WireReply()
        reply.result = result
        self.result = WireBody.encode(reply)
    }

    public static let migrations = [
        Migration(
            "kept-answers-1",
            """
            CREATE TABLE kept_answers (
                account INTEGER NOT NULL, key TEXT NOT NULL, digest INTEGER NOT NULL,
                at INTEGER NOT NULL, result BLOB NOT NULL, PRIMARY KEY (account, key)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX kept_answers_at ON kept_answers (at)")
    ]

    /// Milliseconds since 1970 of the oldest answer that is still kept.
    public static func expiries(before: Int64) -> [Statement] {
        [Statement("DELETE FROM kept_answers WHERE at < ?", .integer(before))]
    }

    var insertion: Statement {
        Statement(
            // The account's home lets a key through again only when it has expired, perhaps before its row has gone.
            """
            INSERT INTO kept_answers (account, key, digest, at, result) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (account, key) DO UPDATE
            SET digest = excluded.digest, at = excluded.at, result = excluded.result
            """,
            .integer(Int64(bitPattern: account.rawValue)), .text(key), .integer(Int64(bitPattern: digest)),
            .integer(now), .blob(result))
    }

    /// Key, digest and time of an account's answers, oldest first.
    public static func keys(of account: AccountID, since: Int64) -> Query {
        Query(
            "SELECT key, digest, at FROM kept_answers WHERE account = ? AND at >= ? ORDER BY at",
            .integer(Int64(bitPattern: account.rawValue)), .integer(since))
    }

    /// The answer to one key.
    public static func answer(to key: String, of account: AccountID) -> Query {
        Query(
            "SELECT result FROM kept_answers WHERE account = ? AND key = ?",
            .integer(Int64(bitPattern: account.rawValue)), .text(key))
    }

    /// The success that a row of `answer(to:of:)` holds.
    public static func result(from row: Row) -> Request.Result? {
        (try? WireBody.decode(WireReply.self, from: row.blob(0)))?.result
    }
}
