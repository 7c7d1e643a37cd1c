/// A value as SQLite keeps it.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// What users wrote, who and where they are: only the key makes values of it again (DAT-7). One column, a BLOB.
    /// `row` is the id of the row that it stands in; it opens nowhere else.
    case sealed([SQLValue], Seal, row: Int64)
    /// By this a text is found again by whoever has the key; nobody gets it back. 16 bytes, a BLOB.
    case fingerprint(String, Seal)
    /// As a fingerprint, for numbers: an INTEGER.
    case pseudonym(UInt64, Seal)
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

    public init(_ sql: StaticText, _ arguments: SQLValue...) {
        self.init(sql, arguments: arguments)
    }

    /// As above, with the arguments as one value.
    public init(_ sql: StaticText, arguments: [SQLValue]) {
        self.sql = sql
        self.arguments = arguments
    }
}

/// A question to the database, as a value.
public struct Query: Hashable, Sendable {
    public let sql: StaticText
    public let arguments: [SQLValue]
    /// Columns of the answer that come as `SQLValue.sealed` and are opened.
    public let openings: [Opening]

    public init(_ sql: StaticText, _ arguments: SQLValue..., opening openings: Opening...) {
        self.sql = sql
        self.arguments = arguments
        self.openings = openings
    }
}

/// Says which column of an answer is sealed, with what, and which other column has the row's id.
public struct Opening: Hashable, Sendable {
    public let column: Int
    public let seal: Seal
    public let row: Int

    public init(_ column: Int, _ seal: Seal, row: Int) {
        self.column = column
        self.seal = seal
        self.row = row
    }
}

/// SQL text that was written in the source: user input can only be an argument.
public struct StaticText: Hashable, Sendable, ExpressibleByStringLiteral {
    public let text: String

    public init(stringLiteral value: StaticString) {
        text = value.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    }
}

/// One row of an answer, columns in the order of the query.
public struct Row: Hashable, Sendable {
    public let values: [SQLValue]

    public init(_ values: [SQLValue]) {
        self.values = values
    }

    /// A damaged row is a damaged database: these trap rather than invent a value.
    public func integer(_ column: Int) -> Int64 {
        guard case .integer(let value) = values[column] else { preconditionFailure("column \(column) is no integer") }
        return value
    }

    /// The number in a column, from 0: SQLite may give one without a fraction as an integer. Traps on anything else.
    public func real(_ column: Int) -> Double {
        switch values[column] {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: preconditionFailure("column \(column) is no number")
        }
    }

    /// The text in a column, from 0. Traps on anything else, NULL included.
    public func text(_ column: Int) -> String {
        guard case .text(let value) = values[column] else { preconditionFailure("column \(column) is no text") }
        return value
    }

    /// The bytes in a column, from 0. Traps on anything else, NULL included.
    public func blob(_ column: Int) -> [UInt8] {
        guard case .blob(let value) = values[column] else { preconditionFailure("column \(column) is no blob") }
        return value
    }

    /// The values that were sealed into a column.
    public func opened(_ column: Int) -> Row {
        guard case .sealed(let values, _, _) = values[column] else {
            preconditionFailure("column \(column) was not opened")
        }
        return Row(values)
    }
}

/// One step of the schema (DAT-9). Steps run once, in the order of the register; a step is never changed afterwards.
public struct Migration: Hashable, Sendable {
    /// Unique for ever, for instance "placements-1".
    public let name: String
    public let sql: [String]

    public init(_ name: String, _ sql: String...) {
        self.name = name
        self.sql = sql
    }
}
