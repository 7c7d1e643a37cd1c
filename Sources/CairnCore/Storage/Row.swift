/// One row of an answer, columns in the order of the query. Values come from the disk and may be damaged: a wrong value
/// throws a fault. It never traps and is never replaced by another value.
public struct Row: Hashable, Sendable {
    public let values: [SQLValue]

    public init(_ values: [SQLValue]) {
        self.values = values
    }

    /// The whole number in a column, from 0.
    public func integer(_ column: Int) throws(ColumnFault) -> Int64 {
        guard case .integer(let value) = try value(column) else { throw ColumnFault(column, .wrongType) }
        return value
    }

    /// The whole number in a column, from 0, if it is one of these.
    public func integer(_ column: Int, in range: ClosedRange<Int64>) throws(ColumnFault) -> Int64 {
        let value = try integer(column)
        guard range.contains(value) else { throw ColumnFault(column, .outOfRange) }
        return value
    }

    /// The whole number in a column, from 0; nil = NULL.
    public func integerIfAny(
        _ column: Int, in range: ClosedRange<Int64> = .min ... .max
    ) throws(ColumnFault) -> Int64? {
        if case .null = try value(column) { return nil }
        return try integer(column, in: range)
    }

    /// The time of day in a column, from 0, that was written as `SQLValue.time`. It is within plausible years, so that
    /// calculations with it do not overflow.
    public func wallTime(_ column: Int) throws(ColumnFault) -> WallTime {
        WallTime(milliseconds: try integer(column, in: Self.times))
    }

    /// The time of day in a column, from 0; nil = NULL.
    public func wallTimeIfAny(_ column: Int) throws(ColumnFault) -> WallTime? {
        if case .null = try value(column) { return nil }
        return try wallTime(column)
    }

    /// The lasting time in a column, within the same years.
    public func lastingTime(_ column: Int) throws(ColumnFault) -> LastingTime {
        LastingTime(milliseconds: try integer(column, in: Self.times))
    }

    /// 1970 to 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The number in a column, from 0: SQLite may give one without a fraction as an integer.
    public func real(_ column: Int) throws(ColumnFault) -> Double {
        switch try value(column) {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw ColumnFault(column, .wrongType)
        }
    }

    /// The text in a column, from 0.
    public func text(_ column: Int) throws(ColumnFault) -> String {
        guard case .text(let value) = try value(column) else { throw ColumnFault(column, .wrongType) }
        return value
    }

    /// The bytes in a column, from 0.
    public func blob(_ column: Int) throws(ColumnFault) -> [UInt8] {
        guard case .blob(let value) = try value(column) else { throw ColumnFault(column, .wrongType) }
        return value
    }

    /// The values that were sealed into a column. `within` reports a fault in them as one of this column.
    public func opened(_ column: Int) throws(ColumnFault) -> Row {
        guard case .sealed(let values, _, _, _) = try value(column) else { throw ColumnFault(column, .doesNotOpen) }
        return Row(values)
    }

    /// Reads the values that were sealed into a column; a fault in one of them is reported as a fault of the column.
    public func within<Value>(
        _ column: Int, _ read: (Row) throws(ColumnFault) -> Value
    ) throws(ColumnFault) -> Value {
        let opened = try opened(column)
        do {
            return try read(opened)
        } catch {
            throw ColumnFault(column, error.cause)
        }
    }

    private func value(_ column: Int) throws(ColumnFault) -> SQLValue {
        guard values.indices.contains(column) else { throw ColumnFault(column, .missing) }
        return values[column]
    }
}

/// The fault of one column of a row.
public struct ColumnFault: Error, Hashable, Sendable {
    /// The column, from 0, in the order of the query.
    public let column: Int
    public let cause: Cause

    /// Why a value cannot be used.
    public enum Cause: String, Hashable, Sendable {
        case missing = "is not there"
        case wrongType = "is of another type"
        case outOfRange = "is out of range"
        case doesNotOpen = "does not open with its key beside the rest of its row"
        case unreadable = "does not decode"
        case disagrees = "does not agree with the rest of its row"
        case notInOrder = "does not follow the row before it"
        case dangling = "names a row that is not there"
        case noFile = "names a file that is not there"
        case damagedFile = "names a file that is damaged"
        case differs = "is another one in its copy"
        case rowless = "is in its copy alone"
    }

    public init(_ column: Int, _ cause: Cause) {
        self.column = column
        self.cause = cause
    }
}
