/// The description of a table, as a value: columns, sealed columns, and the check of a row. Rows are read by it when a
/// home wakes, checked by it in `cairn verify`, and converted by it.
public struct StoredTable: Sendable {
    /// The name in the CREATE statement.
    public let name: StaticText
    /// The owner of the rows.
    public let owner: Owner
    /// The columns, in the order of every row that is read by this table.
    public let columns: [StaticText]
    /// The columns of the key, from 0.
    public let key: [Int]
    public let openings: [Opening]
    /// Columns with a fingerprint or a pseudonym: rows are found by the whole value, which has no order.
    public let fingerprints: [Int]
    /// Columns that refer to rows of other tables.
    public let references: [Reference]
    /// The conversion of rows from before sealed values were bound to other columns; nil = such rows had no sealed
    /// values.
    public let conversion: Conversion?
    /// The file outside the database that a row names; nil = rows of this table name none.
    public let file: FileOfRow?
    /// How each row holds the one before it; nil = rows stand alone.
    public let chain: Chain?
    /// How new rows are indexed; nil = like all others.
    public let filing: Filing?
    /// What becomes of a person's rows when they delete their account; nil = undeclared, which a test refuses.
    public let erasure: [Erasure]?
    /// What the person gets of it in an export; nil = undeclared, which a test refuses.
    public let export: Export?
    /// Whether rows that are missing can be told one by one, by the first column of the key, an integer: for tables
    /// with few rows, of which each takes a right away.
    public let isTalliedByKey: Bool
    /// Whether the store keeps a second copy of each row: for tables whose rows cost an account (decision 0072). Their
    /// key is one column.
    public let isKeptTwice: Bool
    /// The row of another table that a row of this one may say is there; nil = rows of this table say that of none.
    public let counterpart: Counterpart?
    private let soundness: @Sendable (Row) throws(ColumnFault) -> [Derived]

    /// Reads which file a row names.
    public typealias FileOfRow = @Sendable (Row) throws(ColumnFault) -> StoredFile

    /// The owner of a table's rows. When a home moves to another node, its rows move with it.
    public enum Owner: Hashable, Sendable, CustomStringConvertible {
        case home(HomeKind)
        /// Homes of any kind: each row names its home.
        case namedHome
        /// The world as a whole: its properties, and sums without names.
        case world

        public static let cell = Owner.home(.cell)
        public static let account = Owner.home(.account)

        public var description: String {
            switch self {
            case .home(let kind): "\(kind)"
            case .namedHome: "home"
            case .world: "world"
            }
        }
    }

    /// A column with the key of a row of another table.
    public struct Reference: Hashable, Sendable {
        public let column: Int
        public let table: StaticText
        public let key: StaticText

        public init(_ column: Int, to table: StaticText, _ key: StaticText) {
            self.column = column
            self.table = table
            self.key = key
        }
    }

    /// A row of another table of which a sealed value says that it is there, so that it cannot be taken away alone.
    public struct Counterpart: Sendable {
        public let reference: Reference
        public let isNoted: @Sendable (Row) throws(ColumnFault) -> Bool

        public init(_ reference: Reference, isNoted: @escaping @Sendable (Row) throws(ColumnFault) -> Bool) {
            (self.reference, self.isNoted) = (reference, isNoted)
        }
    }

    /// A column whose value is derived from the rest of the row with the key. Code that has the key compares the two.
    public struct Derived: Hashable, Sendable {
        public let column: Int
        public let value: SQLValue

        public init(_ column: Int, _ value: SQLValue) {
            self.column = column
            self.value = value
        }
    }

    /// The conversion of rows from before sealed values were bound to other columns.
    public struct Conversion: Sendable {
        /// The openings of such a row, without bound columns.
        public let openings: [Opening]
        /// The statements that convert a row; none = the row needs no conversion.
        public let statements: @Sendable (Row) throws(ColumnFault) -> [Statement]

        public init(
            opening openings: Opening..., by statements: @escaping @Sendable (Row) throws(ColumnFault) -> [Statement]
        ) {
            self.openings = openings
            self.statements = statements
        }
    }

    /// The place of a row in a chain.
    public struct Link: Hashable, Sendable {
        /// Counts from 1.
        public let number: Int64
        /// The mark of the row before.
        public let before: String
        public let mark: String

        public init(number: Int64, before: String, mark: String) {
            (self.number, self.before, self.mark) = (number, before, mark)
        }
    }

    /// Rows of which each holds the mark of the one before, so that none can be missing or out of place. Where the
    /// chain ends stands elsewhere.
    public struct Chain: Sendable {
        /// Query for the end.
        public let head: Query
        /// Reads its answer; nil = the chain is empty.
        public let end: @Sendable ([Row]) -> Link?
        public let link: @Sendable (Row) throws(ColumnFault) -> Link

        public init(
            head: Query, end: @escaping @Sendable ([Row]) -> Link?,
            link: @escaping @Sendable (Row) throws(ColumnFault) -> Link
        ) {
            (self.head, self.end, self.link) = (head, end, link)
        }
    }

    /// - Parameters:
    ///   - owner: the kind of home that owns the rows, even if another one writes them.
    ///   - file: reads which file outside the database a sound row names.
    ///   - chain: how each row holds the one before it.
    ///   - filing: how new rows are indexed, for tables with many changes.
    ///   - erasure: what becomes of a person's rows when they delete their account.
    ///   - export: what the person gets of it in an export.
    ///   - isTalliedByKey: whether missing rows can be told one by one.
    ///   - isKeptTwice: whether each row has a second copy.
    ///   - counterpart: the row of another table that a row may say is there.
    ///   - soundness: reads a row, throws its fault, and returns the columns that are derived from it.
    public init(
        _ name: StaticText, of owner: Owner, columns: [StaticText], key: [Int], opening openings: [Opening] = [],
        fingerprints: [Int] = [], references: [Reference] = [], conversion: Conversion? = nil,
        file: FileOfRow? = nil, chain: Chain? = nil, filing: Filing? = nil, erasure: [Erasure]? = nil,
        export: Export? = nil, isTalliedByKey: Bool = false, isKeptTwice: Bool = false,
        counterpart: Counterpart? = nil,
        soundness: @escaping @Sendable (Row) throws(ColumnFault) -> [Derived]
    ) {
        self.name = name
        self.owner = owner
        self.columns = columns
        self.key = key
        self.openings = openings
        self.fingerprints = fingerprints
        self.references = references
        self.conversion = conversion
        self.file = file
        self.chain = chain
        self.filing = filing
        self.erasure = erasure
        self.export = export
        self.isTalliedByKey = isTalliedByKey
        self.isKeptTwice = isKeptTwice
        precondition(!isKeptTwice || key.count == 1, "a copy is found by one column")
        self.counterpart = counterpart
        self.soundness = soundness
    }

    /// Checks a row by itself: types, ranges, and that sealed values open and decode.
    /// - Returns: derived columns, which the caller compares with the key.
    public func check(_ row: Row) throws(DamagedRow) -> [Derived] {
        try read(row, soundness)
    }

    /// Reads a row of this table. A fault is thrown with the row's name.
    public func read<Value>(
        _ row: Row, _ read: (Row) throws(ColumnFault) -> Value
    ) throws(DamagedRow) -> Value {
        do {
            return try read(row)
        } catch {
            throw damage(of: row, error)
        }
    }

    /// Names a damaged row.
    public func damage(of row: Row, _ fault: ColumnFault) -> DamagedRow {
        DamagedRow(
            table: name.text, key: key.map { row.values.indices.contains($0) ? row.values[$0] : .null },
            column: columns.indices.contains(fault.column) ? columns[fault.column].text : "column \(fault.column)",
            cause: fault.cause)
    }

    // MARK: Queries

    /// `SELECT` with all columns, for queries that add conditions. Sealed columns are opened by `openings`.
    private var selection: StaticText {
        StaticText(joining: ["SELECT ", StaticText(joining: columns, by: ", "), " FROM ", name])
    }

    private var keyColumns: StaticText { StaticText(joining: key.map { columns[$0] }, by: ", ") }

    /// A query for rows of this table: all columns in order, opened.
    /// - Parameter rest: the text after `FROM name`, for instance `WHERE id = ?`.
    public func query(_ rest: StaticText, _ arguments: SQLValue...) -> Query {
        Query(StaticText(joining: [selection, " ", rest]), arguments: arguments, opening: openings)
    }

    /// A query for the rows that refer to certain rows of another table: all columns in order, opened. It is a join,
    /// because with `IN (SELECT ...)` SQLite copies the other table's keys first.
    /// - Parameter rest: the text after the join, for instance `WHERE instances.cell = ?`.
    public func query(through reference: Reference, _ rest: StaticText) -> Query {
        let own = StaticText(joining: columns.map { StaticText(joining: [name, ".", $0]) }, by: ", ")
        return Query(
            StaticText(joining: [
                "SELECT ", own, " FROM ", reference.table, " CROSS JOIN ", name, " ON ", name, ".",
                columns[reference.column], " = ", reference.table, ".", reference.key, " ", rest,
            ]), arguments: [], opening: openings)
    }

    /// All rows in the order of their key, for readers that step through them one at a time.
    public var all: Query {
        Query(StaticText(joining: [selection, " ORDER BY ", keyColumns]), arguments: [], opening: openings)
    }

    /// Rows in the order of their key, a page at a time.
    /// - Parameters:
    ///   - key: the key of the last row of the page before; nil = the first page.
    ///   - rowsMax: most rows of the page.
    ///   - openings: openings in place of the table's, for rows that are not converted yet.
    public func page(after key: [SQLValue]?, rowsMax: Int, opening openings: [Opening]? = nil) -> Query {
        let limit = SQLValue.integer(Int64(rowsMax))
        let order = StaticText(joining: [" ORDER BY ", keyColumns, " LIMIT ?"])
        guard let key else {
            return Query(
                StaticText(joining: [selection, order]), arguments: [limit], opening: openings ?? self.openings)
        }
        let marks = StaticText(joining: key.map { _ in "?" }, by: ", ")
        return Query(
            StaticText(joining: [selection, " WHERE (", keyColumns, ") > (", marks, ")", order]),
            arguments: key + [limit], opening: openings ?? self.openings)
    }

    /// The key of a row.
    public func key(of row: Row) -> [SQLValue] { key.map { row.values[$0] } }

    /// Query for whether the row of a reference exists.
    public static func existence(of value: SQLValue, by reference: Reference) -> Query {
        Query(
            StaticText(joining: ["SELECT 1 FROM ", reference.table, " WHERE ", reference.key, " = ?"]),
            arguments: [value], opening: [])
    }
}

/// A row that cannot be used: its place and its fault, never its content.
public struct DamagedRow: Error, Hashable, Sendable, CustomStringConvertible {
    public let table: String
    /// The values of the key columns.
    public let key: [SQLValue]
    public let column: String
    public let cause: ColumnFault.Cause

    public init(table: String, key: [SQLValue], column: String, cause: ColumnFault.Cause) {
        self.table = table
        self.key = key
        self.column = column
        self.cause = cause
    }

    /// The row without the fault: `instances 17`.
    public var name: String { "\(table) \(key.map(Self.text).joined(separator: "/"))" }

    public var description: String { "\(name): \(column) \(cause.rawValue)" }

    /// Keys are numbers and fingerprints, which reveal neither persons nor places.
    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .blob(let bytes): Array(bytes.prefix(16)).hexadecimal
        case .text(let text): Array(text.utf8.prefix(16)).hexadecimal
        case .null: "NULL"
        case .sealed, .fingerprint, .pseudonym: "?"
        }
    }
}

/// The result of reading rows of one table one by one: the sound rows, and the faults of the others.
extension Sequence<Row> {
    /// Reads each row. A damaged row is reported and skipped.
    public func read<Value>(
        as table: StoredTable, into damage: inout [DamagedRow], _ read: (Row) throws(ColumnFault) -> Value
    ) -> [Value] {
        var values: [Value] = []
        for row in self {
            do throws(DamagedRow) {
                values.append(try table.read(row, read))
            } catch {
                damage.append(error)
            }
        }
        return values
    }
}
