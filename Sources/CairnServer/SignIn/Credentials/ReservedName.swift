internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire

/// A name that its owner has given up: for a time it is nobody else's, nor is one that looks like it, so that nobody is
/// taken for them. It signs in to their account still (ACC-13).
enum ReservedName {
    private static let seal = Seal("reserved_names")
    private static let printSeal = Seal("reserved_names.fingerprint")

    static let migration = Migration(
        "reserved-names-1",
        """
        CREATE TABLE reserved_names (
            fingerprint BLOB PRIMARY KEY, account INTEGER NOT NULL, until INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX reserved_names_until ON reserved_names (until)")

    /// The row outlives its account, so the column refers to no table.
    static let table = StoredTable(
        "reserved_names", of: .account, columns: ["fingerprint", "account", "until", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 1, bound: [0, 2])],
        erasure: [.kept(because: "a freed name stays reserved, as a fingerprint (PRF-2)")],
        export: .nothing(because: "fingerprints, which nobody can read back")
    ) { row throws(ColumnFault) in
        guard try row.blob(0).count == 16 else { throw ColumnFault(0, .outOfRange) }
        _ = (try row.integer(1), try row.lastingTime(2), try row.opened(3))
        return []
    }

    private static let byPrint = table.query("WHERE fingerprint = ? AND until > ?")

    /// What is reserved of a name: its compared form, and each form by which look-alikes are found. No name has a zero
    /// byte, so that none is taken for another's form.
    private static func prints(of name: Username) -> [SQLValue] {
        [print(of: name)] + name.skeletons.sorted().map { .fingerprint("\0alike \($0)", printSeal) }
    }

    /// By this the name itself is found, and not one that looks like it.
    static func print(of name: Username) -> SQLValue { .fingerprint(name.compared, printSeal) }

    /// Queries whose name it was.
    static func query(_ name: Username, now: LastingTime) -> Query { byPrint.about(print(of: name), .time(now)) }

    /// Queries whether a name, or one that looks like it, is reserved.
    static func queries(_ name: Username, now: LastingTime) -> [Query] {
        prints(of: name).map { byPrint.about($0, .time(now)) }
    }

    /// Whose the name in the answer to one of the queries was; nil = it is free, or its row is damaged.
    static func owner(in rows: [Row]) -> AccountID? {
        guard let row = rows.first, (try? row.opened(3)) != nil, let id = try? row.integer(1) else { return nil }
        return AccountID(rawValue: UInt64(bitPattern: id))
    }

    static func insertions(_ name: Username, of account: AccountID, until: LastingTime) -> [Statement] {
        let row = Int64(bitPattern: account.rawValue)
        return prints(of: name).map { print in
            Statement(
                "INSERT OR REPLACE INTO reserved_names (fingerprint, account, until, sealed) VALUES (?, ?, ?, ?)",
                print, .integer(row), .time(until), .sealed([], seal, row: row, bound: [print, .time(until)]))
        }
    }

    static func deletions(_ name: Username) -> [Statement] {
        prints(of: name).map { Statement("DELETE FROM reserved_names WHERE fingerprint = ?", $0) }
    }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "until", isBelow: now.milliseconds)]
    }
}
