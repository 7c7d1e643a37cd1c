public import CairnWire

/// Engagement day by day, for developers of apps (STA-4): the number of active people, and how often each action was
/// done. Days are UTC's, as numbers since 1970.
///
/// Actions are counted in memory and written as sums every few seconds, so a change costs no further statement. A crash
/// loses the counts since the last write.
public struct EngagementTally: Sendable {
    private var counts: [Key: Int64] = [:]
    /// Accounts seen on `day`, whether or not they are on disk yet.
    private var seen: Set<AccountID> = []
    private var fresh: [(day: Int64, account: AccountID)] = []
    private var day: Int64 = 0

    /// Above this number the set is emptied, and accounts are written again without effect.
    private static let seenMax = 100_000
    /// Days for which active accounts are stored. For older days active people of several days cannot be counted.
    static let activeDays: Int64 = 400

    private struct Key: Hashable {
        let day: Int64
        let what: String
    }

    /// Nothing counted yet.
    public init() {}

    /// The day of a time. Days are counted by the time of day and expire by the lasting time.
    public static func day(of time: some Timestamp) -> Int64 { time.milliseconds / 86_400_000 }

    /// Whether there is nothing to write.
    public var isEmpty: Bool { counts.isEmpty && fresh.isEmpty }

    /// Adds one to a count, at `now`.
    public mutating func count(_ what: String, at now: WallTime) {
        counts[Key(day: Self.day(of: now), what: what), default: 0] += 1
    }

    /// Notes that an account is active at `now`.
    public mutating func note(_ account: AccountID, at now: WallTime) {
        let today = Self.day(of: now)
        if today != day || seen.count >= Self.seenMax { seen.removeAll(keepingCapacity: true) }
        day = today
        if seen.insert(account).inserted { fresh.append((today, account)) }
    }

    /// Removes and returns the counts since the last call, as statements.
    public mutating func take() -> [Statement] {
        defer { (counts, fresh) = ([:], []) }
        return counts.map { key, count in
            Statement(
                """
                INSERT INTO engagement (day, what, count) VALUES (?, ?, ?)
                ON CONFLICT (day, what) DO UPDATE SET count = count + excluded.count
                """,
                .integer(key.day), .text(key.what), .integer(count))
        }
            + fresh.map { day, account in
                Statement(
                    "INSERT INTO engagement_active (day, account) VALUES (?, ?) ON CONFLICT (day, account) DO NOTHING",
                    .integer(day), .pseudonym(account.rawValue, Engagement.seal))
            }
    }
}

/// The counts of a period of days.
public struct Engagement: Sendable, Hashable {
    /// First and last day of the period.
    public let days: ClosedRange<Int64>
    /// Accounts that were active on any of the days, each counted once.
    public private(set) var activeUsers: Int64 = 0
    /// The days with counts, in order.
    public private(set) var byDay: [Int64: Day] = [:]

    /// Rows that could not be read.
    public private(set) var damage: [DamagedRow] = []

    /// One day.
    public struct Day: Sendable, Hashable {
        /// Number of active accounts.
        public internal(set) var activeUsers: Int64 = 0
        /// How often each action was done.
        public internal(set) var counts: [String: Int64] = [:]
    }

    /// Seals the print of an account: accounts can be distinguished only with the key.
    static let seal = Seal("engagement_active.account")

    public static let migrations = [
        Migration(
            "engagement-1",
            """
            CREATE TABLE engagement (
                day INTEGER NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, what)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE engagement_active (
                day INTEGER NOT NULL, account INTEGER NOT NULL, PRIMARY KEY (day, account)
            ) STRICT, WITHOUT ROWID
            """)
    ]

    /// The tables of counts and of active accounts. Their columns are not bound, because no decision depends on them.
    public static let tables = [
        StoredTable(
            "engagement", of: .world, columns: ["day", "what", "count"], key: [0, 1], erasure: [.nothingPersonal]
        ) { row throws(ColumnFault) in
            _ = try (row.integer(0, in: days), row.text(1), row.integer(2, in: counts))
            return []
        },
        StoredTable(
            "engagement_active", of: .world, columns: ["day", "account"], key: [0, 1],
            erasure: [.statements(forgetting)],
            export: .nothing(because: "a day and a print of the account, which nobody can read back")
        ) { row throws(ColumnFault) in
            _ = try (row.integer(0, in: days), row.integer(1))
            return []
        },
    ]

    /// Takes a person out of the counts of active people. The days are listed, so that each is found by the key.
    private static let forgetting: @Sendable (AccountID, WallTime) -> [Statement] = { account, now in
        let today = EngagementTally.day(of: now)
        let days = (today - EngagementTally.activeDays...today + 1).map(String.init).joined(separator: ",")
        return [
            Statement(
                """
                DELETE FROM engagement_active WHERE day IN (SELECT value FROM json_each(?)) AND account = ?
                """, .text("[\(days)]"), .pseudonym(account.rawValue, seal))
        ]
    }

    /// Bounds of days and counts: their sums fit an integer, too.
    private static let days: ClosedRange<Int64> = 0...3_000_000
    private static let counts: ClosedRange<Int64> = 0...(1 << 48)

    /// Expires active accounts by age. Counts of actions are kept.
    public static func expiries(now: LastingTime) -> [Expiry] {
        let oldest = EngagementTally.day(of: now) - EngagementTally.activeDays
        return [Expiry(of: tables[1], where: "day", isBelow: oldest)]
    }

    /// The queries whose answers `init(days:answers:)` reads.
    public static func queries(_ days: ClosedRange<Int64>) -> [Query] {
        let (first, last) = (SQLValue.integer(days.lowerBound), SQLValue.integer(days.upperBound))
        return [
            Query("SELECT day, what, count FROM engagement WHERE day BETWEEN ? AND ?", first, last),
            Query("SELECT day, count(*) FROM engagement_active WHERE day BETWEEN ? AND ? GROUP BY day", first, last),
            Query("SELECT count(DISTINCT account) FROM engagement_active WHERE day BETWEEN ? AND ?", first, last),
        ]
    }

    /// Reads the answers to `queries(_:)`; damaged rows are left out and are in `damage`.
    public init(days: ClosedRange<Int64>, answers: [[Row]]) {
        self.days = days
        for (index, rows) in answers.prefix(2).enumerated() {
            let read = rows.read(as: Self.tables[index], into: &damage) { row throws(ColumnFault) in
                index == 0
                    ? (try row.integer(0), try row.text(1), try row.integer(2, in: Self.counts))
                    : (try row.integer(0), "", try row.integer(1))
            }
            for (day, what, count) in read {
                if index == 0 {
                    byDay[day, default: Day()].counts[what] = count
                } else {
                    byDay[day, default: Day()].activeUsers = count
                }
            }
        }
        activeUsers = (try? answers.last?.first?.integer(0)) ?? 0
    }

    /// How often an action was done on all days.
    public func total(_ what: String) -> Int64 {
        byDay.values.reduce(0) { $0 + ($1.counts[what] ?? 0) }
    }
}
