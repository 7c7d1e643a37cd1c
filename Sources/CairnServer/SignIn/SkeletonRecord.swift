internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire
internal import Logging

/// Skeletons of account names, by which look-alikes are found (UTS 39): a keyed print of each, bound to its account.
/// Without the key nobody can read a name from the file or assign a skeleton to another account.
///
/// Accounts of apps' backends have them as well, so that nobody takes a name that one of them shows. Their backends
/// choose the names, so those of two such accounts may be alike; nobody signs in by them.
enum SkeletonRecord {
    private static let seal = Seal("name_skeletons")
    private static let printSeal = Seal("name_skeletons.fingerprint")

    /// Accounts from before this table may look alike; they keep their names.
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
        opening: [Opening(2, seal, row: 1, bound: [0])], references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.atOnce(1)],
        export: .nothing(because: "forms of the name, by which look-alikes are found")
    ) { row throws(ColumnFault) in
        guard try row.blob(0).count == 16 else { throw ColumnFault(0, .outOfRange) }
        _ = try row.integer(1)
        try row.within(2) { sealed throws(ColumnFault) in _ = try sealed.integer(0) }
        return []
    }

    // MARK: Statements and queries

    /// Stores the skeletons of a new account's name; fails if another account has got one of them meanwhile.
    static func insertions(of skeletons: Set<String>, account: AccountID) -> [Statement] {
        rows(of: skeletons, account: account).flatMap { row in
            [
                // Must change no row, else the unit fails. An INSERT with a query of its own table would copy the
                // answer first.
                Statement("UPDATE name_skeletons SET sealed = sealed WHERE fingerprint = ?", row[0], changing: 0),
                insertion(of: row),
            ]
        }
    }

    /// Stores the skeletons of the name that an app's account shows; fails if an account that is none has got one of
    /// them meanwhile.
    static func replacements(ofApp name: Username, account: AccountID) -> [Statement] {
        [removal(of: account)]
            + rows(of: name.skeletons, account: account).flatMap { row in
                [
                    Statement(
                        """
                        UPDATE name_skeletons SET sealed = sealed
                        WHERE fingerprint = ? AND account NOT IN (SELECT account FROM app_identities)
                        """, row[0], changing: 0), insertion(of: row),
                ]
            }
    }

    /// Stores the skeletons of an account's new name; fails as `insertions`.
    static func replacements(of skeletons: Set<String>, account: AccountID) -> [Statement] {
        [removal(of: account)] + insertions(of: skeletons, account: account)
    }

    private static func removal(of account: AccountID) -> Statement {
        Statement("DELETE FROM name_skeletons WHERE account = ?", .integer(Int64(bitPattern: account.rawValue)))
    }

    private static func insertion(of row: [SQLValue]) -> Statement {
        Statement(
            "INSERT INTO name_skeletons (fingerprint, account, sealed) VALUES (?, ?, ?)", arguments: row, changing: 1)
    }

    /// Replaces the stored skeletons of an account's name.
    private static func replacements(of name: Username, account: AccountID) -> [Statement] {
        [removal(of: account)] + rows(of: name.skeletons, account: account).map(insertion)
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
    private static let alikeOfPeople = table.query(
        "WHERE fingerprint = ? AND account NOT IN (SELECT account FROM app_identities) LIMIT 1")

    /// Queries, for each skeleton of a name, whether an account has it.
    /// - Parameter isOfApp: for the name of an app's account, which may look like another's.
    static func queries(of skeletons: Set<String>, isOfApp: Bool) -> [Query] {
        skeletons.map { (isOfApp ? alikeOfPeople : alike).about(.fingerprint($0, printSeal)) }
    }

    /// Queries, for each skeleton of a name, for the oldest accounts whose names have it, but those of apps.
    static func accountQueries(of skeletons: Set<String>) -> [Query] {
        skeletons.map { AccountRecord.query(ofSkeleton: .fingerprint($0, printSeal)) }
    }

    // MARK: Refreshing

    /// Of the tables and rules; the last number says which accounts have skeletons: since 1 those of apps, too.
    static var version: [Int64] { Username.skeletonVersion + [1] }

    /// Accounts that are in memory at a time.
    private static let pageRows = 1_000

    /// Computes the skeletons of all names anew if they are missing or were made by other tables or rules: at the first
    /// start with an older world, and after a new release of ICU. If it is interrupted, the next start begins again.
    static func refresh(in store: Store, logger: Logger) async throws {
        let wanted = version
        let known = try await WorldRecord.skeletonVersion(in: store)
        guard known != wanted else { return }
        // A world of the last release lacks those of apps' accounts alone.
        let isOfAppsAlone = known == Username.skeletonVersion
        let start = ContinuousClock.now
        var count = 0
        var last = Int64.min
        while true {
            let page = try await store.read([
                AccountRecord.query(namedAfter: last, ofAppsAlone: isOfAppsAlone, rowsMax: pageRows)
            ])[0]
            var statements: [Statement] = []
            for row in page {
                do throws(DamagedRow) {
                    let account = try AccountRecord(row)
                    guard !account.isClosed else { continue }
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
        // Not awaited: if the disk accepts no writes now, the next start begins again.
        store.leave([WorldRecord.keeping(skeletonVersion: wanted)])
        guard count > 0 else { return }
        logger.notice("store: names: what \(count) of them look like was noted in \(ContinuousClock.now - start)")
    }
}
