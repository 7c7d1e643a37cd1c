public import CairnWire

/// What becomes of a person's rows of a table when they delete their account (CMP-3). Every table says it
/// (`StoredTable.erasure`): a test refuses one that does not.
public enum Erasure: Sendable {
    /// Its rows say nothing of a person.
    case nothingPersonal
    /// Its rows stay for as long as they are kept anyway.
    case kept(because: StaticText)
    /// Its rows go with those of another table: they refer to them, or one home changes both.
    case with(StaticText)
    /// Its few rows go in the unit that acknowledges the deletion. The column holds the account.
    case atOnce(Int)
    /// Its rows are deleted a page at a time. The column holds the account, or what `value` makes of it.
    case rows(Int, value: @Sendable (AccountID) -> SQLValue = { .integer(Int64(bitPattern: $0.rawValue)) })
    /// Homes have its rows in memory and delete them themselves (`Feature.erase`). `column` holds the account, and `id`
    /// that by which the home is found.
    case homes(HomesOfRows, id: Int, column: Int)
    /// Only the opened row says whether it is about the person, so all rows are looked through that are younger than
    /// the account. `told` is the column of an account whose devices are told that notifications are gone.
    case search(told: Int? = nil, @Sendable (Row, ErasedPerson) throws(ColumnFault) -> Bool)
    /// Statements that end it, at the end of the deletion.
    case statements(@Sendable (AccountID, WallTime) -> [Statement])
    /// Its row goes when all others are gone: it is the account, or the deletion itself.
    case last

    /// How the home of a row is found.
    public enum HomesOfRows: Sendable {
        /// The column holds the id of an instance of a kind, which is in a cell.
        case cells(ofInstances: ObjectKind)
        /// The column holds the id of an account.
        case accounts
        /// The column holds the id of a sub-realm.
        case realms
        /// The column holds the id of a space.
        case spaces
    }
}

/// A person whose account is being deleted.
public struct ErasedPerson: Sendable {
    public let account: AccountID
    /// Where mails and pushes to them went.
    public let recipients: Set<String>

    public init(account: AccountID, recipients: Set<String>) {
        self.account = account
        self.recipients = recipients
    }
}

extension StoredTable {
    /// Query for ids of rows with a value in a column, in order, behind one: pages of `identifiersMax`.
    /// - Parameter id: the column of the ids.
    public func identifiers(_ id: Int, with value: SQLValue, in column: Int, after last: Int64) -> Query {
        Query(
            StaticText(joining: [
                "SELECT DISTINCT ", columns[id], " FROM ", name, " WHERE ", condition(on: column), " AND ",
                columns[id], " > ? ORDER BY ", columns[id], " LIMIT ?",
            ]), arguments: [value, .integer(last), .integer(Int64(Self.identifiersMax))], opening: [])
    }

    /// Many: a page may read a whole index (`Filing.scanned`).
    private static let identifiersMax = 1_000

    /// Query for the number of rows with a value in a column.
    public func count(with value: SQLValue, in column: Int) -> Query {
        Query(
            StaticText(joining: ["SELECT count(*) FROM ", name, " WHERE ", condition(on: column)]),
            arguments: [value], opening: [])
    }

    /// Query for the keys of 200 rows with a value in a column, the first in the order of their key.
    public func keys(with value: SQLValue, in column: Int) -> Query {
        let keys = StaticText(joining: key.map { columns[$0] }, by: ", ")
        return Query(
            StaticText(joining: [
                "SELECT ", keys, " FROM ", name, " WHERE ", condition(on: column), " ORDER BY ", keys, " LIMIT 200",
            ]), arguments: [value], opening: [])
    }

    /// Deletes all rows with a value in a column.
    public func deletion(with value: SQLValue, in column: Int) -> Statement {
        Statement(
            StaticText(joining: ["DELETE FROM ", name, " WHERE ", condition(on: column)]), arguments: [value])
    }

    /// Deletes a row by its key.
    public func deletion(ofKey values: [SQLValue]) -> Statement {
        let marks = StaticText(joining: key.map { StaticText(joining: [columns[$0], " = ?"]) }, by: " AND ")
        return Statement(StaticText(joining: ["DELETE FROM ", name, " WHERE ", marks]), arguments: values)
    }
}
