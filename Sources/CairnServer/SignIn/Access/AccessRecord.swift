internal import CairnCore
internal import CairnCrypto
internal import CairnStore
internal import CairnWire

/// An entry of an account's history of how one gets in (ACC-13): one change, when it was, and by which mailed code it
/// can be undone. Only a keyed print of the code is stored (DAT-8).
struct AccessRecord: Sendable {
    let id: AccessID
    let account: AccountID
    let at: LastingTime
    let change: AccessChange
    /// Whether the change was undone.
    let isUndone: Bool
    private let bound: [SQLValue]

    /// Changes of an account that can be undone at a time. The next one is refused: none pushes the link of another out
    /// (`SignIn.admitChange`). Of other entries, such as resets and what was undone, beyond as many the oldest go.
    static let countMax = 100
    /// Entries that are read of an account. Beside `countMax` there are at most those of links that were ended.
    private static let readMax: Int64 = 512

    private static let seal = Seal("access_changes")
    private static let printSeal = Seal("access_changes.code")
    private static let identitySeal = Seal("access_changes.identity")

    static let migration = Migration(
        "access-changes-1",
        """
        CREATE TABLE access_changes (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            code BLOB, identity BLOB, at INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX access_changes_account ON access_changes (account, id)",
        "CREATE INDEX access_changes_code ON access_changes (code) WHERE code IS NOT NULL",
        "CREATE INDEX access_changes_identity ON access_changes (identity) WHERE identity IS NOT NULL",
        "CREATE INDEX access_changes_at ON access_changes (at)")

    static let table = StoredTable(
        "access_changes", of: .account, columns: ["id", "account", "code", "identity", "at", "sealed"], key: [0],
        opening: [Opening(5, seal, row: 0, bound: [1, 2, 3, 4])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.atOnce(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let entry = try AccessRecord(of: row)
            return [
                "change": .text(entry.change.name.text), "at": .time(entry.at),
                "provider": .filled(entry.change.identity?.provider ?? ""), "undone": .flag(entry.isUndone),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try AccessRecord(of: row)
        return []
    }

    private init(of row: Row) throws(ColumnFault) {
        id = AccessID(rawValue: UInt64(bitPattern: try row.integer(0)))
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        at = try row.lastingTime(4)
        bound = Array(row.values[1...4])
        (isUndone, change) = try row.within(5) { sealed throws(ColumnFault) in
            (try sealed.integer(0, in: 0...1) == 1, try AccessChange(sealed, at: 1))
        }
    }

    /// The entries in the answer to a query. Damaged rows are added to `damage` and left out.
    static func entries(in rows: [Row], into damage: inout [DamagedRow]) -> [AccessRecord] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try AccessRecord(of: row) }
    }

    /// Adds an entry, and ends those beyond `countMax` that no link undoes and that tell of no provider's account.
    /// - Parameter code: undoes the change; nil = nobody was mailed one.
    static func insertions(
        _ id: AccessID, _ change: AccessChange, of account: AccountID, code: String?, at now: LastingTime
    ) -> [Statement] {
        let (row, owner) = (Int64(bitPattern: id.rawValue), SQLValue.integer(Int64(bitPattern: account.rawValue)))
        let bound: [SQLValue] = [
            owner, code.map { print(of: $0) } ?? .null, change.identity.map { print(of: $0) } ?? .null, .time(now),
        ]
        return [
            Statement(
                "INSERT INTO access_changes (id, account, code, identity, at, sealed) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [.integer(row)] + bound
                    + [.sealed([.integer(0)] + change.values, seal, row: row, bound: bound)],
                changing: 1),
            Statement(
                """
                DELETE FROM access_changes WHERE account = ? AND code IS NULL AND identity IS NULL AND id <= (
                    SELECT id FROM access_changes WHERE account = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
                """, owner, owner, .integer(Int64(countMax))),
        ]
    }

    /// Notes that it was undone: nothing finds it by link or provider's account any more. Fails when it is gone.
    var undoing: Statement {
        let row = Int64(bitPattern: id.rawValue)
        let freed = [bound[0], SQLValue.null, .null, bound[3]]
        return Statement(
            "UPDATE access_changes SET code = NULL, identity = NULL, sealed = ? WHERE id = ?",
            .sealed([.integer(1)] + change.values, Self.seal, row: row, bound: freed), .integer(row), changing: 1)
    }

    private static let byCode = table.query("WHERE code = ? AND at > ?")
    private static let byIdentity = table.query("WHERE identity = ? AND at > ? ORDER BY id DESC LIMIT 256")
    private static let byAccount = table.query("WHERE account = ? AND at > ? ORDER BY id DESC LIMIT ?")

    static func query(_ code: String, after time: LastingTime) -> Query { byCode.about(print(of: code), .time(time)) }

    /// Asks for the latest changes that are about a provider's account, newest first.
    static func query(_ identity: AccessChange.Identity, after time: LastingTime) -> Query {
        byIdentity.about(print(of: identity), .time(time))
    }

    /// Asks for the changes of an account, newest first.
    static func query(of account: AccountID, after time: LastingTime) -> Query {
        byAccount.about(.integer(Int64(bitPattern: account.rawValue)), .time(time), .integer(readMax))
    }

    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "at", isBelow: limit.milliseconds)]
    }

    private static func print(of code: String) -> SQLValue {
        .fingerprint(Array(SHA256.hash(data: code.utf8.prefix(128))).hexadecimal, printSeal)
    }

    private static func print(of identity: AccessChange.Identity) -> SQLValue {
        .fingerprint(identity.provider + "\0" + identity.subject, identitySeal)
    }
}

/// Marks the type `AccessID`; it has no values.
enum AccessTag {}
/// Names an entry of the history of how one gets in. Later ones are greater.
typealias AccessID = Identifier<AccessTag>
