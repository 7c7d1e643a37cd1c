/// A value as SQLite keeps it.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// What users wrote, who and where they are: only the key makes values of it again (DAT-7). One column, a BLOB.
    /// `row` is the id of the row that it stands in, `bound` are the row's columns in the clear that only the key may
    /// change: it opens in no other row, and beside no other values. Without values it is the proof of what is bound.
    case sealed([SQLValue], Seal, row: Int64, bound: [SQLValue] = [])
    /// A keyed print by which a text can be found with the key; the text cannot be recovered. 16 bytes, a BLOB.
    case fingerprint(String, Seal)
    /// As a fingerprint, for numbers: an INTEGER.
    case pseudonym(UInt64, Seal)

    /// A time, as the milliseconds that `Row.wallTime` and `Row.lastingTime` read.
    public static func time(_ time: some Timestamp) -> SQLValue { .integer(time.milliseconds) }

    /// Whether only the key makes of it what SQLite may see.
    public var needsKey: Bool {
        switch self {
        case .sealed, .fingerprint, .pseudonym: true
        case .null, .integer, .real, .text, .blob: false
        }
    }
}

/// Names what is sealed, so that it opens in no other table or column. Never changed afterwards.
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
    /// How many rows it changes; nil = any number. One that changes another number is refused, and its unit with it:
    /// either the database was changed behind the server's back, or another unit was faster.
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

/// A question to the database, as a value.
public struct Query: Hashable, Sendable {
    public let sql: StaticText
    public let arguments: [SQLValue]
    /// Columns of the answer that come as `SQLValue.sealed` and are opened.
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

    /// The same question about something else.
    public func about(_ arguments: SQLValue...) -> Query {
        Query(sql, arguments: arguments, opening: openings)
    }
}

/// Says which column of an answer is sealed, with what, and which other columns have the row's id and what is bound.
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

    /// Written as a literal, never called by name, which a tidy test holds: a `StaticString` would be copied each time
    /// that a statement is made.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// Texts of the source, one after the other, with another between them.
    init(joining parts: [StaticText], by separator: StaticText = "") {
        text = parts.map(\.text).joined(separator: separator.text)
    }
}

/// One step of the schema (DAT-9). Steps run once, in the order of the register; a step is never changed afterwards.
public struct Migration: Hashable, Sendable {
    /// Unique for ever, for instance "things-1".
    public let name: String
    public let sql: [String]

    public init(_ name: String, _ sql: String...) {
        self.name = name
        self.sql = sql
    }
}
