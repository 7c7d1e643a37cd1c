internal import CairnCore
internal import Foundation
internal import GRDB

extension Database {
    /// Runs a statement of ours; gives the number of rows that it changed.
    @discardableResult
    func run(_ statement: CairnCore.Statement) throws -> Int {
        try run(statement.sql.text, statement.arguments)
    }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        let prepared = try cachedStatement(sql: sql)
        try prepared.execute(arguments: StatementArguments(values.map(\.databaseValue)))
        return changesCount
    }

    /// All rows of a query of ours.
    func answer(_ query: Query) throws -> [CairnCore.Row] {
        let prepared = try cachedStatement(sql: query.sql.text)
        let arguments = StatementArguments(query.arguments.map(\.databaseValue))
        let rows = try GRDB.Row.fetchCursor(prepared, arguments: arguments)
        var answer: [CairnCore.Row] = []
        while let row = try rows.next() {
            answer.append(CairnCore.Row(row.databaseValues.map(SQLValue.init)))
        }
        return answer
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): Data(value).databaseValue
        }
    }

    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self = .integer(value)
        case .double(let value): self = .real(value)
        case .string(let value): self = .text(value)
        case .blob(let value): self = .blob([UInt8](value))
        }
    }
}
