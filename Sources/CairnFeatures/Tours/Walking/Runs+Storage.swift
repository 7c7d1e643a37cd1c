public import CairnCore
internal import CairnGeo
internal import CairnText
internal import CairnWire

extension Runs {
    public static let migrations = [
        Migration(
            "runs-1",
            """
            CREATE TABLE tour_runs (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL UNIQUE, tour INTEGER NOT NULL,
                version INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX tour_runs_tour ON tour_runs (tour, id)",
            """
            CREATE TABLE tour_walks (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX tour_walks_account ON tour_walks (account)")
    ]

    public static func tables(settings: Settings) -> [StoredTable] { [RunFacts.table, CompletedRun.table] }

    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        Query(
            """
            SELECT max(
                coalesce((SELECT max(id) FROM tour_runs WHERE id < ?), 0),
                coalesce((SELECT max(id) FROM tour_walks WHERE id < ?), 0))
            """, bound, bound)
    }

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .space(let id) = home else { return [] }
        return [RunFacts.query(id), PublishedTour.query(walkedIn: id)]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .space = turn.home, answers.count == 2 else { return }
        let facts = turn.read(answers[0], of: RunFacts.table, RunFacts.init(stored:))
        let versions = turn.read(answers[1], of: PublishedTour.table, PublishedTour.init(stored:))
        guard let facts = facts.first, let version = versions.first else {
            if !answers[0].isEmpty { turn.noteUnreadableRun() }
            return
        }
        turn.keep(Run(facts: facts.fitting(version), version: turn.shared(version)))
    }

    static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }

    fileprivate static func identifier<Tag>(_ row: Row, _ column: Int) throws(ColumnFault) -> Identifier<Tag> {
        Identifier(rawValue: UInt64(bitPattern: try row.integer(column)))
    }
}

extension PublishedTour {
    private static let walked = table.query(
        "WHERE (tour, version) = (SELECT tour, version FROM tour_runs WHERE id = ?)")

    private static let walkedBy = table.query(
        "WHERE (tour, version) = (SELECT tour, version FROM tour_runs WHERE account = ? AND tour = ?)")

    /// The version of a tour that an account walks.
    static func query(walkedBy account: AccountID, on tour: TourID) -> Query {
        walkedBy.about(Runs.integer(account), Runs.integer(tour))
    }

    private static let walkedByAccount = table.query(
        "WHERE (tour, version) = (SELECT tour, version FROM tour_runs WHERE account = ?)")

    /// The version that an account walks, of whatever tour.
    static func query(walkedBy account: AccountID) -> Query { walkedByAccount.about(Runs.integer(account)) }

    /// The version that is walked in a space.
    static func query(walkedIn space: SpaceID) -> Query { walked.about(Runs.integer(space)) }
}

extension RunFacts {
    private static let seal = Seal("tour_runs")
    /// Bounds of what is read: damaged numbers never become sums.
    private static let metresMax = 1e8
    private static let partsMax: Int64 = 100_000
    fileprivate static let durations: ClosedRange<Int64> = 0...(1 << 50)

    static let table = StoredTable(
        "tour_runs", of: .home(.space), columns: ["id", "account", "tour", "version", "sealed"], key: [0],
        opening: [Opening(4, seal, row: 0, bound: [1, 2, 3])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.homes(.spaces, id: 0, column: 1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            let run = try RunFacts(stored: row)
            return [
                "run": view.name(of: run.id), "tour": view.name(of: run.tour), "version": .integer(Int64(run.version)),
                "started": .time(run.started), "reached": .integer(Int64(run.reached)), "metres": .number(run.metres),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try RunFacts(stored: row)
        return []
    }

    private static let byID = table.query("WHERE id = ?")
    private static let byAccount = table.query("WHERE account = ?")
    private static let onTour = table.query("WHERE tour = ? ORDER BY id LIMIT 5000")
    /// On a tour, whatever version: those above an id.
    static let pages = Listing(table, by: [.equal(2), .above(0)], descending: false)

    static func query(_ id: SpaceID) -> Query { byID.about(Runs.integer(id)) }
    static func query(of account: AccountID) -> Query { byAccount.about(Runs.integer(account)) }

    /// The runs on a tour, whatever version: at most `countMax`.
    static func query(on tour: TourID) -> Query { onTour.about(Runs.integer(tour)) }

    /// How many runs there are on a tour: one row of one integer.
    static func count(on tour: TourID) -> Query {
        Query("SELECT count(*) FROM tour_runs WHERE tour = ?", Runs.integer(tour))
    }

    /// The most rows that `query(on:)` finds.
    static let countMax = 5_000

    /// A person on a run is in its space, on every device and after every restart (SES-13); also where the rest of the
    /// row is damaged, so that they can leave.
    static let membership = Membership(
        in: table, holders: Query("SELECT account FROM tour_runs"), of: query(of:)
    ) { row, _ throws(ColumnFault) in
        .members(of: .space(try Runs.identifier(row, 0)))
    }

    /// Of the version that is walked, and no other of the tour.
    static let walkedAssets = WalkedAssets { account, tour in
        [query(of: account), PublishedTour.query(walkedBy: account, on: tour)]
    } names: { answers, damage in
        guard answers.count == 2 else { return [] }
        let runs = answers[0].read(as: table, into: &damage, RunFacts.init(stored:))
        let versions = answers[1].read(as: PublishedTour.table, into: &damage, PublishedTour.init(stored:))
        guard let run = runs.first, let version = versions.first, run.tour == version.tour,
            run.version == version.version
        else { return [] }
        return Set(TourAssets.names(in: version.content))
    }

    init(stored row: Row) throws(ColumnFault) {
        let names: (SpaceID, AccountID, TourID, UInt32) = (
            try Runs.identifier(row, 0), try Runs.identifier(row, 1), try Runs.identifier(row, 2),
            UInt32(try row.integer(3, in: 1...Int64(UInt32.max)))
        )
        self = try row.within(4) { sealed throws(ColumnFault) in
            var facts = RunFacts(
                id: names.0, account: names.1, tour: names.2, version: names.3, started: try sealed.lastingTime(0),
                stops: Int(try sealed.integer(2, in: 1...Self.partsMax)), active: try sealed.lastingTime(10))
            facts.reached = Int(try sealed.integer(1, in: 0...Int64(facts.stops)))
            if try sealed.integerIfAny(3) != nil { facts.paused = try sealed.lastingTime(3) }
            facts.pausedFor = .milliseconds(try sealed.integer(4, in: Self.durations))
            facts.taken = try sealed.integerIfAny(5, in: Self.durations).map { .milliseconds($0) }
            facts.metres = try sealed.real(6)
            guard facts.metres >= 0, facts.metres <= Self.metresMax else { throw ColumnFault(6, .outOfRange) }
            if try sealed.integerIfAny(9) != nil {
                let (latitude, longitude) = (try sealed.real(7), try sealed.real(8))
                guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
                    throw ColumnFault(7, .outOfRange)
                }
                facts.place = Place(coordinate: coordinate, at: try sealed.lastingTime(9))
            }
            // Rows of before have no such mark.
            if sealed.values.count > 12 { facts.isPlaceOfBefore = try sealed.integer(12, in: 0...1) == 1 }
            facts.shown = try sealed.text(11).pieces(at: ",").compactMap { Int($0) }
            return facts
        }
    }

    /// The same, without what the version does not have: a row says nothing that its content cannot bear out.
    func fitting(_ version: PublishedTour) -> RunFacts {
        var facts = self
        facts.reached = min(reached, version.content.stops.count)
        facts.shown = shown.filter { version.content.popups.indices.contains($0) }
        return facts
    }

    private var sealed: SQLValue {
        let place: [SQLValue] =
            place.map { [.real($0.coordinate.latitude), .real($0.coordinate.longitude), .time($0.at)] }
            ?? [.null, .null, .null]
        return .sealed(
            [
                .time(started), .integer(Int64(reached)), .integer(Int64(stops)), paused.map { .time($0) } ?? .null,
                .integer(pausedFor.milliseconds), taken.map { .integer($0.milliseconds) } ?? .null, .real(metres),
            ] + place + [
                .time(active), .text(shown.map(String.init).joined(separator: ",")),
                .integer(isPlaceOfBefore ? 1 : 0),
            ],
            Self.seal, row: Int64(bitPattern: id.rawValue),
            bound: [Runs.integer(account), Runs.integer(tour), .integer(Int64(version))])
    }

    /// Fails when the account has another run, and when the version has gone in this moment (`VersionsSweep`).
    var insertion: Statement {
        Statement(
            """
            INSERT INTO tour_runs (id, account, tour, version, sealed) SELECT ?1, ?2, ?3, ?4, ?5
            WHERE EXISTS (SELECT 1 FROM tour_versions WHERE tour = ?3 AND version = ?4)
            """, Runs.integer(id), Runs.integer(account), Runs.integer(tour), .integer(Int64(version)), sealed,
            changing: 1)
    }

    var update: Statement {
        Statement("UPDATE tour_runs SET sealed = ? WHERE id = ?", sealed, Runs.integer(id), changing: 1)
    }

    var deletion: Statement { Statement("DELETE FROM tour_runs WHERE id = ?", Runs.integer(id), changing: 1) }

    /// Of a run that may be damaged, or gone.
    static func deletion(of id: SpaceID) -> Statement {
        Statement("DELETE FROM tour_runs WHERE id = ?", Runs.integer(id))
    }

    /// Of an account's run that may be damaged, or gone.
    static func deletion(of id: SpaceID, by account: AccountID) -> Statement {
        Statement("DELETE FROM tour_runs WHERE id = ? AND account = ?", Runs.integer(id), Runs.integer(account))
    }
}

/// A run whose last stop was reached: the record of it (TRT-10).
struct CompletedRun {
    let id: SpaceID
    let account: AccountID
    let tour: TourID
    let version: UInt32
    let at: WallTime
    let taken: Duration
    let metres: Double

    init(_ facts: RunFacts, taken: Duration, at now: WallTime) {
        (id, account, tour, version) = (facts.id, facts.account, facts.tour, facts.version)
        (at, self.taken, metres) = (now, taken, facts.metres)
    }

    private static let seal = Seal("tour_walks")

    static let table = StoredTable(
        "tour_walks", of: .home(.space), columns: ["id", "account", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.rows(1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            let run = try CompletedRun(stored: row)
            return [
                "run": view.name(of: run.id), "tour": view.name(of: run.tour), "version": .integer(Int64(run.version)),
                "completed": .time(run.at), "milliseconds": .integer(run.taken.milliseconds),
                "metres": .number(run.metres),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try CompletedRun(stored: row)
        return []
    }

    init(stored row: Row) throws(ColumnFault) {
        id = try Runs.identifier(row, 0)
        account = try Runs.identifier(row, 1)
        (tour, version, at, taken, metres) = try row.within(2) { sealed throws(ColumnFault) in
            let metres = try sealed.real(4)
            guard metres.isFinite, metres >= 0 else { throw ColumnFault(4, .outOfRange) }
            return (
                try Runs.identifier(sealed, 0), UInt32(try sealed.integer(1, in: 1...Int64(UInt32.max))),
                try sealed.wallTime(2), Duration.milliseconds(try sealed.integer(3, in: RunFacts.durations)), metres
            )
        }
    }

    var insertion: Statement {
        let sealed = SQLValue.sealed(
            [
                Runs.integer(tour), .integer(Int64(version)), .time(at), .integer(taken.milliseconds), .real(metres),
            ], Self.seal, row: Int64(bitPattern: id.rawValue), bound: [Runs.integer(account)])
        return Statement(
            "INSERT INTO tour_walks (id, account, sealed) VALUES (?, ?, ?)", Runs.integer(id), Runs.integer(account),
            sealed, changing: 1)
    }

    /// Most completed runs of one person that are kept.
    static let keptMax = 1_000

    /// Deletes a person's completed runs but the newest `keptMax`: ids grow with time.
    static func surplus(of account: AccountID) -> Statement {
        Statement(
            """
            DELETE FROM tour_walks WHERE account = ? AND id <= (
                SELECT id FROM tour_walks WHERE account = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
            """, Runs.integer(account), Runs.integer(account), .integer(Int64(keptMax)))
    }
}
