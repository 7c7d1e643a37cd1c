internal import CairnWire

/// A stored timer. Its home and its payload can be read only with the key.
public struct TimerRow: Sendable {
    let home: HomeAddress
    let due: LastingTime
    let name: TimerName
    let payload: [UInt8]

    /// Seals home and payload: the home would reveal a place.
    private static let seal = Seal("timers")
    private static let homeSeal = Seal("timers.home")

    public static let migrations = [
        Migration(
            "timers-1",
            """
            CREATE TABLE timers (
                home BLOB NOT NULL, kind TEXT NOT NULL, subject INTEGER NOT NULL, due INTEGER NOT NULL,
                sealed BLOB NOT NULL, PRIMARY KEY (home, kind, subject)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX timers_due ON timers (due)")
    ]

    /// Home, kind and time are bound; the row is sealed for its subject.
    public static let table = StoredTable(
        "timers", of: .namedHome, columns: ["home", "kind", "subject", "due", "sealed"], key: [0, 1, 2],
        opening: [Opening(4, seal, row: 2, bound: [0, 1, 3])],
        erasure: [.rows(0) { fingerprint(of: .account($0)) }],
        export: .nothing(because: "work of homes")
    ) { row throws(ColumnFault) in
        let timer = try TimerRow(row)
        return [StoredTable.Derived(0, fingerprint(of: timer.home))]
    }

    private init(_ row: Row) throws(ColumnFault) {
        _ = try row.blob(0)
        name = TimerName(try row.text(1), UInt64(bitPattern: try row.integer(2)))
        due = try row.lastingTime(3)
        (home, payload) = try row.within(4) { sealed throws(ColumnFault) in
            guard let home = HomeAddress(name: try sealed.text(0)) else { throw ColumnFault(0, .unreadable) }
            return (home, try sealed.blob(1))
        }
    }

    private static func fingerprint(of home: HomeAddress) -> SQLValue { .fingerprint(home.name, homeSeal) }

    /// Reads rows of this table. Damaged rows are reported and skipped.
    static func read(_ rows: [Row], into damage: inout [DamagedRow]) -> [TimerRow] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try TimerRow(row) }
    }

    // MARK: One home's

    private static let ofHome = table.query("WHERE home = ?")

    /// The timers of a home.
    static func stored(in home: HomeAddress) -> Query { ofHome.about(fingerprint(of: home)) }

    static func setting(_ timer: any HomeTimer, of home: HomeAddress, at due: LastingTime) -> Statement {
        let (kind, subject) = (SQLValue.text(type(of: timer).kind.text), Int64(bitPattern: timer.subject))
        return Statement(
            """
            INSERT INTO timers (home, kind, subject, due, sealed) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (home, kind, subject) DO UPDATE SET due = excluded.due, sealed = excluded.sealed
            """,
            fingerprint(of: home), kind, .integer(subject), .time(due),
            .sealed(
                [.text(home.name), .blob(timer.payload)], seal, row: subject,
                bound: [fingerprint(of: home), kind, .time(due)]),
            changing: 1)
    }

    static func deletion(of name: TimerName, of home: HomeAddress) -> Statement {
        Statement(
            "DELETE FROM timers WHERE home = ? AND kind = ? AND subject = ?", fingerprint(of: home), .text(name.kind),
            .integer(Int64(bitPattern: name.subject)))
    }

    /// Names a row whose payload cannot be read.
    static func damage(of name: TimerName, _ fault: ColumnFault) -> DamagedRow {
        DamagedRow(
            table: table.name.text, key: [.null, .text(name.kind), .integer(Int64(bitPattern: name.subject))],
            column: "sealed", cause: fault.cause)
    }

    // MARK: All homes'

    /// A row's place in the order of time.
    struct Position: Hashable, Sendable {
        let due: LastingTime
        let home: [UInt8]
        let name: TimerName
    }

    /// The place of a row, even of a damaged one; nil = the place itself cannot be read.
    static func position(of row: Row) -> Position? {
        guard let home = try? row.blob(0), let kind = try? row.text(1), let subject = try? row.integer(2),
            let due = try? row.integer(3)
        else { return nil }
        return Position(
            due: LastingTime(milliseconds: due), home: home, name: TimerName(kind, UInt64(bitPattern: subject)))
    }

    private static let earliest = table.query("WHERE due <= ? ORDER BY due, home, kind, subject LIMIT ?")
    private static let further = table.query(
        """
        WHERE due <= ? AND (due, home, kind, subject) > (?, ?, ?, ?) ORDER BY due, home, kind, subject LIMIT ?
        """)

    /// A page of the timers of all homes, the earliest first.
    /// - Parameters:
    ///   - position: of the last row of the page before; nil = the first page.
    ///   - time: the latest due time of the page.
    static func due(after position: Position?, through time: LastingTime, rowsMax: Int) -> Query {
        let limit = SQLValue.integer(Int64(rowsMax))
        guard let position else { return earliest.about(.time(time), limit) }
        return further.about(
            .time(time), .time(position.due), .blob(position.home), .text(position.name.kind),
            .integer(Int64(bitPattern: position.name.subject)), limit)
    }
}
