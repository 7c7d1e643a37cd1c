internal import CairnCore
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire

/// A device or an address from which an account was signed in to before (ACC-4): others' failures do not lock it out,
/// and no mail warns of it. Only keyed prints are stored.
enum FamiliarRecord {
    /// How long it counts after the last sign-in from it.
    static let days = 180
    /// Rows of an account: as many as devices may be signed in, each with an address.
    static let countMax = 2 * SignIn.devicesMax

    private static let seal = Seal("familiar")
    private static let printSeal = Seal("familiar.fingerprint")

    static let migration = Migration(
        "familiar-1",
        """
        CREATE TABLE familiar (
            account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, fingerprint BLOB NOT NULL,
            used INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (account, fingerprint)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX familiar_used ON familiar (used)")

    static let table = StoredTable(
        "familiar", of: .account, columns: ["account", "fingerprint", "used", "sealed"], key: [0, 1],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        references: [StoredTable.Reference(0, to: "accounts", "id")],
        erasure: [.atOnce(0)],
        export: .rows([0]) { row, _ throws(ColumnFault) in
            // A device or an address: a fingerprint, which cannot be reversed.
            ["used": .time(try row.lastingTime(2))]
        }
    ) { row throws(ColumnFault) in
        guard try row.blob(1).count == 16 else { throw ColumnFault(1, .outOfRange) }
        _ = try row.lastingTime(2)
        _ = try row.opened(3)
        return []
    }

    /// A device by its key, or an address, as an account knows it.
    enum Source: Hashable, Sendable {
        case device(key: String)
        case address(PeerAddress)

        /// An address belongs to a /64 as a whole.
        private var text: String {
            switch self {
            case .device(let key): "device \(key)"
            case .address(let address): "address \(address.network.high) \(address.network.low)"
            }
        }

        func print(for account: AccountID) -> SQLValue { .fingerprint("\(account.rawValue) \(text)", printSeal) }
    }

    private static let byPrint = table.query("WHERE account = ? AND fingerprint = ?")
    private static let byAccount = table.query("WHERE account = ? LIMIT 1")

    static func query(_ account: AccountID, _ source: Source) -> Query {
        byPrint.about(.integer(Int64(bitPattern: account.rawValue)), source.print(for: account))
    }

    /// Asks whether the account knows any device or address.
    static func any(of account: AccountID) -> Query { byAccount.about(.integer(Int64(bitPattern: account.rawValue))) }

    /// Whether the answer holds a sound row.
    static func isKnown(_ rows: [Row], _ damage: inout [DamagedRow]) -> Bool {
        !rows.read(as: table, into: &damage) { row throws(ColumnFault) in try row.opened(3) }.isEmpty
    }

    /// The account was signed in to from there. Beyond `countMax`, what was used least lately is forgotten.
    static func notes(_ account: AccountID, _ sources: [Source], at now: LastingTime) -> [Statement] {
        let row = Int64(bitPattern: account.rawValue)
        let notes = sources.map { source in
            let print = source.print(for: account)
            return Statement(
                "INSERT OR REPLACE INTO familiar (account, fingerprint, used, sealed) VALUES (?, ?, ?, ?)",
                .integer(row), print, .time(now), .sealed([], seal, row: row, bound: [print, .time(now)]))
        }
        let surplus = Statement(
            """
            DELETE FROM familiar WHERE account = ? AND fingerprint NOT IN (
                SELECT fingerprint FROM familiar WHERE account = ? ORDER BY used DESC, fingerprint, account LIMIT ?)
            """, .integer(row), .integer(row), .integer(Int64(countMax)))
        return notes + [surplus]
    }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "used", isBelow: (now - .seconds(days * 86_400)).milliseconds)]
    }
}
