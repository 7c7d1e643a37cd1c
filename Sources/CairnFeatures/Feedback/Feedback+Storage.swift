public import CairnCore
public import CairnWire

extension Feedback {
    /// Seals the text, the app's version and the three ratings of the survey.
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
            "CREATE INDEX feedback_account ON feedback (account, at)"),
        // Finds expired entries without reading the others.
        Migration("feedback-2", "CREATE INDEX feedback_at ON feedback (at)"),
    ]

    public static func tables(settings: Settings) -> [StoredTable] { [table] }

    /// All columns are bound, except the time of handling.
    fileprivate static let table = StoredTable(
        "feedback", of: .account, columns: ["id", "account", "at", "category", "rating", "handled", "sealed"], key: [0],
        opening: [Opening(6, seal, row: 0, bound: [1, 2, 3, 4])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        conversion: StoredTable.Conversion(opening: Opening(6, seal, row: 0)) { row throws(ColumnFault) in
            let id = try row.integer(0)
            _ = try FeedbackEntry(row)
            return [
                Statement(
                    "UPDATE feedback SET sealed = ? WHERE id = ?",
                    .sealed(try row.opened(6).values, seal, row: id, bound: Array(row.values[1...4])), .integer(id),
                    changing: 1)
            ]
        },
        erasure: [.rows(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let entry = try FeedbackEntry(row)
            return [
                "at": .time(entry.at), "category": .text(entry.category), "text": .text(entry.text),
                "appVersion": .filled(entry.appVersion), "rating": .some(entry.rating),
                "intuitive": .some(entry.intuitive), "satisfying": .some(entry.satisfying),
                "undistracting": .some(entry.undistracting),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try FeedbackEntry(row)
        return []
    }

    /// By category, rating and whether they are open, newest first.
    fileprivate static let entries = Listing(
        table, by: [.equalIfAny(3), .equalIfAny(4), .absentIfAny(5)], descending: true)

    public static let listings = [entries]

    fileprivate static let byID = table.query("WHERE id = ?")

    /// The columns of the same table that the quota needs.
    private static let timed = StoredTable("feedback", of: .account, columns: ["id", "at"], key: [0]) {
        _ throws(ColumnFault) in []
    }
    private static let recent = timed.query("WHERE account = ? AND at > ? ORDER BY at")

    /// Reads the rows of `times(of:after:)`. Entries have a time of day only, which counts as the lasting time:
    /// the two differ for a day after the clock was set.
    static func times(in rows: [Row], _ damage: inout [DamagedRow]) -> [LastingTime] {
        rows.read(as: timed, into: &damage) { row throws(ColumnFault) in try row.lastingTime(1) }
    }

    /// Entries expire after `FeedbackSettings.days`: they are personal, and old ones say little about the app (DAT-10).
    public static func expiries(now: LastingTime, settings: Settings) -> [Expiry] {
        let oldest = now - .seconds(settings.feedback.days * 86_400)
        return [Expiry(of: table, where: "at", isBelow: oldest.milliseconds)]
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        Query("SELECT coalesce(max(id), 0) FROM feedback WHERE id < ?", bound)
    }

    static func insertion(
        of body: WireSendFeedback, as id: FeedbackID, by account: AccountID, at now: WallTime
    ) -> Statement {
        func integer(_ isThere: Bool, _ value: UInt32) -> SQLValue { isThere ? .integer(Int64(value)) : .null }
        let row = Int64(bitPattern: id.rawValue)
        let bound = [
            SQLValue.integer(Int64(bitPattern: account.rawValue)), .time(now), .text(body.category),
            integer(body.hasRating, body.rating),
        ]
        return Statement(
            "INSERT INTO feedback (id, account, at, category, rating, sealed) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [.integer(row)] + bound + [
                .sealed(
                    [
                        .text(body.text), .text(body.appVersion), integer(body.hasIntuitive, body.intuitive),
                        integer(body.hasSatisfying, body.satisfying),
                        integer(body.hasUndistracting, body.undistracting),
                    ], seal, row: row, bound: bound)
            ], changing: 1)
    }

    /// Query for the times of an account's entries, oldest first.
    static func times(of account: AccountID, after limit: LastingTime) -> Query {
        recent.about(.integer(Int64(bitPattern: account.rawValue)), .time(limit))
    }
}

extension FeedbackEntry {
    /// Query for the entries that match the filter, newest first; `entries` reads their rows.
    public static func query(_ filter: Filter) -> Query {
        if let id = filter.only { return Feedback.byID.about(.integer(Int64(bitPattern: id.rawValue))) }
        return Feedback.entries.page(
            filter.category.isEmpty ? .null : .text(filter.category),
            filter.rating == 0 ? .null : .integer(filter.rating),
            filter.state == "all" ? .null : .integer(filter.state == "open" ? 1 : 0),
            after: filter.before.map { ListPlace([Int64(bitPattern: $0.rawValue)]) }, count: filter.top)
    }

    /// Query for the number of open entries.
    public static let openCount = Query("SELECT count(*) FROM feedback WHERE handled IS NULL")

    /// Query for whether the entry exists: one row, or none.
    public static func existence(of id: FeedbackID) -> Query {
        Query("SELECT id FROM feedback WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Marks an entry as handled. A handled entry keeps its time.
    public static func handling(_ id: FeedbackID, at now: WallTime) -> Statement {
        Statement(
            "UPDATE feedback SET handled = coalesce(handled, ?) WHERE id = ?", .time(now),
            .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Reopens an entry.
    public static func reopening(_ id: FeedbackID) -> Statement {
        Statement("UPDATE feedback SET handled = NULL WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Reads the rows of `query(_:)`. Damaged rows are added to `damage` and left out.
    public static func entries(
        _ filter: Filter, in rows: [Row], into damage: inout [DamagedRow]
    ) -> [FeedbackEntry] {
        let page = Feedback.entries.cut(rows, count: filter.top).rows
        return page.read(as: Feedback.table, into: &damage) { row throws(ColumnFault) in try FeedbackEntry(row) }
    }

    /// Reads the rows of `query(_:)` as one page of many.
    /// - Returns: the entries; the filter of the next page, nil = this is the last; rows that are damaged and left out.
    public static func page(
        _ filter: Filter, in rows: [Row]
    ) -> (entries: [FeedbackEntry], next: Filter?, damage: [DamagedRow]) {
        var damage: [DamagedRow] = []
        let entries = entries(filter, in: rows, into: &damage)
        var next = filter
        next.before = Feedback.entries.cut(rows, count: filter.top).next?.values.last.map {
            FeedbackID(rawValue: UInt64(bitPattern: $0))
        }
        return (entries, next.before == nil ? nil : next, damage)
    }

    fileprivate init(_ row: Row) throws(ColumnFault) {
        _ = try row.integer(1)
        let (text, appVersion, ratings) = try row.within(6) { sealed throws(ColumnFault) in
            (
                try sealed.text(0), try sealed.text(1),
                (try sealed.integerIfAny(2), try sealed.integerIfAny(3), try sealed.integerIfAny(4))
            )
        }
        self.init(
            id: FeedbackID(rawValue: UInt64(bitPattern: try row.integer(0))), at: try row.wallTime(2),
            category: try row.text(3), text: text, appVersion: appVersion, rating: try row.integerIfAny(4),
            intuitive: ratings.0, satisfying: ratings.1, undistracting: ratings.2,
            handledAt: try row.wallTimeIfAny(5))
    }
}
