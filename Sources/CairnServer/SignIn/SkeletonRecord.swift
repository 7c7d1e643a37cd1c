internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire
internal import Logging

/// What the names of accounts look like (UTS 39): a keyed print of each skeleton, bound to its account. A reader of the
/// file without the key learns no name from it and can give no account another's.
///
/// Accounts of apps' backends have none: their names are the backends' affair, and nobody signs in by them.
enum SkeletonRecord {
    private static let seal = Seal("name_skeletons")
    private static let printSeal = Seal("name_skeletons.fingerprint")

    /// Two accounts of before may look alike; both keep their names.
    static let migration = Migration(
        "name-skeletons-1",
        """
        CREATE TABLE name_skeletons (
            fingerprint BLOB NOT NULL, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL, PRIMARY KEY (fingerprint, account)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX name_skeletons_account ON name_skeletons (account)")

    static let table = StoredTable(
        "name_skeletons", of: .account, columns: ["fingerprint", "account", "sealed"], key: [0, 1],
        opening: [Opening(2, seal, row: 1, bound: [0])], references: [StoredTable.Reference(1, to: "accounts", "id")]
    ) { row throws(ColumnFault) in
        guard try row.blob(0).count == 16 else { throw ColumnFault(0, .outOfRange) }
        _ = try row.integer(1)
        try row.within(2) { sealed throws(ColumnFault) in _ = try sealed.integer(0) }
        return []
    }

    // MARK: Statements and queries

    /// Keeps what a new account's name looks like; fails when another's has come to look like it meanwhile.
    static func insertions(of skeletons: Set<String>, account: AccountID) -> [Statement] {
        rows(of: skeletons, account: account).flatMap { row in
            [
                // Changes nothing, or else fails: an INSERT that asks the table itself copies its answer first.
                Statement("UPDATE name_skeletons SET sealed = sealed WHERE fingerprint = ?", row[0], changing: 0),
                insertion(of: row),
            ]
        }
    }

    private static func insertion(of row: [SQLValue]) -> Statement {
        Statement(
            "INSERT INTO name_skeletons (fingerprint, account, sealed) VALUES (?, ?, ?)", arguments: row, changing: 1)
    }

    /// Keeps what an account's name looks like, in place of what was kept of it before.
    private static func replacements(of name: Username, account: AccountID) -> [Statement] {
        let row = Int64(bitPattern: account.rawValue)
        return [Statement("DELETE FROM name_skeletons WHERE account = ?", .integer(row))]
            + rows(of: name.skeletons, account: account).map(insertion)
    }

    private static func rows(of skeletons: Set<String>, account: AccountID) -> [[SQLValue]] {
        let account = Int64(bitPattern: account.rawValue)
        return skeletons.map { skeleton in
            let print = SQLValue.fingerprint(skeleton, printSeal)
            let proof = SQLValue.sealed([.integer(Username.skeletonRules)], seal, row: account, bound: [print])
            return [print, .integer(account), proof]
        }
    }

    private static let alike = table.query("WHERE fingerprint = ? LIMIT 1")

    /// For each skeleton of a name: whether another name has it.
    static func queries(of skeletons: Set<String>) -> [Query] {
        skeletons.map { alike.about(.fingerprint($0, printSeal)) }
    }

    /// For each skeleton of a name: the oldest accounts whose names have it.
    static func accountQueries(of skeletons: Set<String>) -> [Query] {
        skeletons.map { AccountRecord.query(ofSkeleton: .fingerprint($0, printSeal)) }
    }

    // MARK: Accounts of before

    /// Accounts that are in memory at a time.
    private static let pageRows = 1_000

    /// Makes the skeletons of all names where they were made by other tables or rules, or never: at the first start
    /// with a world of before, and after a new release of ICU. Cut off anywhere, it begins anew at the next start.
    static func refresh(in store: Store, logger: Logger) async throws {
        let wanted = Username.skeletonVersion
        guard try await WorldRecord.skeletonVersion(in: store) != wanted else { return }
        let start = ContinuousClock.now
        var count = 0
        var last = Int64.min
        while true {
            let page = try await store.read([AccountRecord.query(signedInByNameAfter: last, rowsMax: pageRows)])[0]
            var statements: [Statement] = []
            for row in page {
                do throws(DamagedRow) {
                    let account = try AccountRecord(row)
                    statements += replacements(of: Username(account.name), account: account.id)
                    count += 1
                } catch {
                    store.report([error])
                }
            }
            if !statements.isEmpty { try await store.commit(statements) }
            guard page.count == pageRows, let id = try? page.last?.integer(0) else { break }
            last = id
        }
        // Nobody waits for it: where the disk takes no writes now, the next start begins anew.
        store.leave([WorldRecord.keeping(skeletonVersion: wanted)])
        guard count > 0 else { return }
        logger.notice("store: names: what \(count) of them look like was noted in \(ContinuousClock.now - start)")
    }
}
