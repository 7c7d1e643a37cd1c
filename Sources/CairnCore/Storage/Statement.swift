/// A value as SQLite keeps it.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// Sealed values: content, identities and places of users, which can be read only with the key (DAT-7). One column,
    /// a BLOB. `row` is the id of its row, `bound` are the row's columns in the clear that are protected against change
    /// without the key: the value opens in no other row, and beside no other values of these columns. Without sealed
    /// values it only authenticates the bound columns.
    case sealed([SQLValue], Seal, row: Int64, bound: [SQLValue] = [])
    /// A keyed hash of a text, by which the text can be looked up with the key. The text cannot be recovered. 16 bytes,
    /// a BLOB.
    case fingerprint(String, Seal)
    /// A keyed hash of a number, for look-ups as with a fingerprint. An INTEGER.
    case pseudonym(UInt64, Seal)

    /// A time in milliseconds, as `Row.wallTime` and `Row.lastingTime` read it.
    public static func time(_ time: some Timestamp) -> SQLValue { .integer(time.milliseconds) }

    /// Whether it has to be transformed with the key before SQLite sees it.
    public var needsKey: Bool {
        switch self {
        case .sealed, .fingerprint, .pseudonym: true
        case .null, .integer, .real, .text, .blob: false
        }
    }
}

/// Names a sealed column, so that a sealed value opens in no other table or column. A name never changes.
public struct Seal: Hashable, Sendable {
    public let name: StaticText

    public init(_ name: StaticText) {
        self.name = name
    }
}

/// A change to the database, as a value: features make them, only `CairnStore` runs them (invariant 3).
public struct Statement: Hashable, Sendable {
    /// One SQL statement with `?` for each argument. Constant text, so that the prepared statement is found again.
    public let sql: StaticText
    public let arguments: [SQLValue]
    /// How many rows it changes; nil = any number. A statement that changes another number is refused, and its unit
    /// with it: either another process has changed the database, or another unit was first.
    public let rows: Int?

    public init(_ sql: StaticText, _ arguments: SQLValue..., changing rows: Int? = nil) {
        self.init(sql, arguments: arguments, changing: rows)
    }

    /// As above, with the arguments as one value.
    public init(_ sql: StaticText, arguments: [SQLValue], changing rows: Int? = nil) {
        self.sql = sql
        self.arguments = arguments
        self.rows = rows
    }
}

/// A query to the database, as a value.
public struct Query: Hashable, Sendable {
    public let sql: StaticText
    public let arguments: [SQLValue]
    /// Columns of the answer that are sealed and have to be opened.
    public let openings: [Opening]

    public init(_ sql: StaticText, _ arguments: SQLValue..., opening openings: Opening...) {
        self.init(sql, arguments: arguments, opening: openings)
    }

    /// As above, with arguments and openings as values.
    public init(_ sql: StaticText, arguments: [SQLValue], opening openings: [Opening]) {
        self.sql = sql
        self.arguments = arguments
        self.openings = openings
    }

    /// The same query with other arguments.
    public func about(_ arguments: SQLValue...) -> Query {
        Query(sql, arguments: arguments, opening: openings)
    }
}

/// Describes a sealed column of an answer: its seal, the column with the row's id, and the bound columns.
public struct Opening: Hashable, Sendable {
    public let column: Int
    public let seal: Seal
    public let row: Int
    /// In the order in which they were bound.
    public let bound: [Int]

    public init(_ column: Int, _ seal: Seal, row: Int, bound: [Int] = []) {
        self.column = column
        self.seal = seal
        self.row = row
        self.bound = bound
    }
}

/// SQL text that was written in the source: user input can only be an argument.
public struct StaticText: Hashable, Sendable, ExpressibleByStringLiteral {
    public let text: String

    /// Called for literals only, never by name; a tidy test enforces this. A `StaticString` would be copied each time
    /// that a statement is made.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// Joins two texts of the source.
    public static func + (first: StaticText, second: StaticText) -> StaticText {
        StaticText(joining: [first, second])
    }

    /// Joins texts of the source with a separator.
    init(joining parts: [StaticText], by separator: StaticText = "") {
        text = parts.map(\.text).joined(separator: separator.text)
    }

    /// The end of a query for no more rows than this, a number of the source: each number makes a statement of its own.
    init(limit rows: Int) {
        text = " LIMIT \(rows)"
    }
}

/// One step of the schema (DAT-9). Each step runs once, in the order of the register. A released step never changes.
public struct Migration: Hashable, Sendable {
    /// Unique for ever, for instance "things-1".
    public let name: String
    public let sql: [String]

    public init(_ name: String, _ sql: String...) {
        self.name = name
        self.sql = sql
    }
}
