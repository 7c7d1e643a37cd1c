public import CairnCore
public import CairnWire

extension Feedback {
    /// Text, version of the app, and the three ratings of the survey.
    fileprivate static let seal = Seal("feedback")

    public static let migrations = [
        Migration(
            "feedback-1",
            """
            CREATE TABLE feedback (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL, at INTEGER NOT NULL, category TEXT NOT NULL,
                rating INTEGER, handled INTEGER, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX feedback_account ON feedback (account, at)")
    ]

    static func insertion(
        of body: WireSendFeedback, as id: FeedbackID, by account: AccountID, at now: Int64
    ) -> Statement {
        func integer(_ isThere: Bool, _ value: UInt32) -> SQLValue { isThere ? .integer(Int64(value)) : .null }
        let row = Int64(bitPattern: id.rawValue)
        return Statement(
            "INSERT INTO feedback (id, account, at, category, rating, sealed) VALUES (?, ?, ?, ?, ?, ?)",
            .integer(row), .integer(Int64(bitPattern: account.rawValue)), .integer(now), .text(body.category),
            integer(body.hasRating, body.rating),
            .sealed(
                [
                    .text(body.text), .text(body.appVersion), integer(body.hasIntuitive, body.intuitive),
                    integer(body.hasSatisfying, body.satisfying), integer(body.hasUndistracting, body.undistracting),
                ], seal, row: row))
    }

    /// When somebody's entries were made, oldest first.
    static func times(of account: AccountID, after limit: Int64) -> Query {
        Query(
            "SELECT at FROM feedback WHERE account = ? AND at > ? ORDER BY at",
            .integer(Int64(bitPattern: account.rawValue)), .integer(limit))
    }
}

extension FeedbackEntry {
    /// Entries that the filter lets through, newest first; `init(_:)` reads their rows.
    public static func query(_ filter: Filter) -> Query {
        Query(
            """
            SELECT id, at, category, rating, handled, sealed FROM feedback
            WHERE id < ? AND (? = '' OR category = ?) AND (? = 0 OR rating = ?)
                AND (? = 'all' OR (handled IS NULL) = (? = 'open'))
            ORDER BY id DESC LIMIT ?
            """,
            .integer(filter.before.map { Int64(bitPattern: $0.rawValue) } ?? .max), .text(filter.category),
            .text(filter.category), .integer(filter.rating), .integer(filter.rating), .text(filter.state),
            .text(filter.state), .integer(Int64(filter.top)), opening: Opening(5, Feedback.seal, row: 0))
    }

    /// How many entries are open.
    public static let openCount = Query("SELECT count(*) FROM feedback WHERE handled IS NULL")

    /// Whether there is such an entry: one row, or none.
    public static func existence(of id: FeedbackID) -> Query {
        Query("SELECT id FROM feedback WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Marks an entry as handled; one that was already keeps its time.
    public static func handling(_ id: FeedbackID, at now: Int64) -> Statement {
        Statement(
            "UPDATE feedback SET handled = coalesce(handled, ?) WHERE id = ?", .integer(now),
            .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Makes an entry an open one again.
    public static func reopening(_ id: FeedbackID) -> Statement {
        Statement("UPDATE feedback SET handled = NULL WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Reads a row of `query(_:)`.
    public init(_ row: Row) {
        let sealed = row.opened(5)
        self.init(
            id: FeedbackID(rawValue: UInt64(bitPattern: row.integer(0))), at: row.integer(1), category: row.text(2),
            text: sealed.text(0), appVersion: sealed.text(1), rating: row.values[3].integerIfAny,
            intuitive: sealed.values[2].integerIfAny, satisfying: sealed.values[3].integerIfAny,
            undistracting: sealed.values[4].integerIfAny, handledAt: row.values[4].integerIfAny)
    }
}

extension SQLValue {
    fileprivate var integerIfAny: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }
}
