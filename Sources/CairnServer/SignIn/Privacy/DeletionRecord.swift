internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A deletion of an account that is not done yet (CMP-3). The row goes with the account's, in one unit.
struct DeletionRecord: Sendable {
    let account: AccountID
    /// When it was acknowledged.
    let begun: LastingTime
    /// Where mails and pushes to the person went, so that those that wait are found.
    let recipients: [String]

    private static let seal = Seal("deletions")

    static let migration = Migration(
        "deletions-1",
        """
        CREATE TABLE deletions (
            account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, begun INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT
        """)

    static let table = StoredTable(
        "deletions", of: .account, columns: ["account", "begun", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])], references: [StoredTable.Reference(0, to: "accounts", "id")],
        erasure: [.last],
        export: .nothing(because: "who deletes the account is signed in no more")
    ) { row throws(ColumnFault) in
        _ = try DeletionRecord(stored: row)
        return []
    }

    init(account: AccountID, begun: LastingTime, recipients: [String]) {
        (self.account, self.begun, self.recipients) = (account, begun, recipients)
    }

    private init(stored row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        begun = try row.lastingTime(1)
        recipients = try row.within(2) { sealed throws(ColumnFault) in
            var texts: [String] = []
            for column in sealed.values.indices { texts.append(try sealed.text(column)) }
            return texts
        }
    }

    /// A row that cannot be opened says at least whose account it is: that is deleted without the rest.
    private init?(damaged row: Row) {
        guard let id = try? row.integer(0) else { return nil }
        self.init(account: AccountID(rawValue: UInt64(bitPattern: id)), begun: .epoch, recipients: [])
    }

    var insertion: Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "INSERT INTO deletions (account, begun, sealed) VALUES (?, ?, ?)", .integer(row), .time(begun),
            .sealed(recipients.map { .text($0) }, Self.seal, row: row, bound: [.time(begun)]), changing: 1)
    }

    /// The oldest deletions.
    static let oldest = table.query("ORDER BY begun, account LIMIT 100")

    private static let page = table.query("WHERE account > ? ORDER BY account LIMIT ?")

    /// A page of all, in the order of their accounts.
    static func query(after account: AccountID, rowsMax: Int) -> Query {
        page.about(.integer(Int64(bitPattern: account.rawValue)), .integer(Int64(rowsMax)))
    }

    static func records(in rows: [Row], into damage: inout [DamagedRow]) -> [DeletionRecord] {
        rows.compactMap { row in
            do throws(DamagedRow) {
                return try table.read(row) { row throws(ColumnFault) in try DeletionRecord(stored: row) }
            } catch {
                damage.append(error)
                return DeletionRecord(damaged: row)
            }
        }
    }

    /// The end of a deletion: the account's row goes, with everything that refers to it.
    var end: [Statement] {
        let id = SQLValue.integer(Int64(bitPattern: account.rawValue))
        return [
            Statement("DELETE FROM deletions WHERE account = ?", id),
            Statement("DELETE FROM accounts WHERE id = ?", id),
        ]
    }
}
