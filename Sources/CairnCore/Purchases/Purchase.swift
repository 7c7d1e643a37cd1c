public import CairnWire

/// Marks the type `PurchaseID`; it has no values.
public enum PurchaseTag {}
/// Names a purchase, for ever, also in the ledger (CMP-6).
public typealias PurchaseID = Identifier<PurchaseTag>

/// That an account has bought a tour, for which it was charged (TRT-5). There is one at most of an account and a tour.
///
/// It is written in one unit with its entry in the ledger. A refund ends what it gives a right to; another purchase of
/// the tour then takes its place. It goes with its account; what the ledger has of it names no person.
public struct Purchase: Hashable, Sendable {
    public let id: PurchaseID
    public let account: AccountID
    public let tour: TourID
    /// What the tour was called when it was bought.
    public let name: String
    public let price: Money
    public let bought: WallTime
    /// The idempotency key of the request.
    public let key: String
    public let charge: Charge
    /// When it was paid back; nil = it was not.
    public var refunded: WallTime?
    /// Keys that buy nothing more: of earlier purchases of the tour, which were paid back, and of requests that were
    /// answered with this one.
    public var formerKeys: [String] = []

    /// Most former keys that a purchase keeps.
    public static let formerKeysMax = 100

    /// What was charged, by its names outside.
    public struct Charge: Hashable, Sendable {
        /// `payment`, or a store.
        public let provider: String
        /// The provider's name of it.
        public let name: String
        /// Our name of it, by which the payment adaptor pays it back; empty for a receipt of a store.
        public let key: String

        public init(provider: String, name: String, key: String) {
            (self.provider, self.name, self.key) = (provider, name, key)
        }
    }

    public init(
        id: PurchaseID, account: AccountID, tour: TourID, name: String, price: Money, bought: WallTime, key: String,
        charge: Charge, refunded: WallTime? = nil
    ) {
        (self.id, self.account, self.tour, self.name) = (id, account, tour, name)
        (self.price, self.bought, self.key, self.charge) = (price, bought, key, charge)
        self.refunded = refunded
    }
}

/// An amount of a currency.
public struct Money: Hashable, Sendable {
    /// Hundredths of the currency.
    public let cents: Int64
    /// ISO 4217: three capital letters.
    public let currency: String

    public init(cents: Int64, currency: String) { (self.cents, self.currency) = (cents, currency) }

    /// `4.99 CAD`
    public var text: String {
        let (whole, part) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")\(whole).\(part < 10 ? "0" : "")\(part) \(currency)"
    }
}

// MARK: - Storage

extension Purchase {
    private static let seal = Seal("purchases")

    public static let migration = Migration(
        "purchases-1",
        """
        CREATE TABLE purchases (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            tour INTEGER NOT NULL, sealed BLOB NOT NULL, UNIQUE (account, tour)
        ) STRICT
        """)

    /// Whether a tour was bought by anybody is asked for each version of it that may go.
    public static let tourMigration = Migration("purchases-2", "CREATE INDEX purchases_tour ON purchases (tour)")

    /// Buyer and tour are in the clear and bound; the rest is sealed.
    public static let table = StoredTable(
        "purchases", of: .account, columns: ["id", "account", "tour", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.rows(1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            let purchase = try Purchase(stored: row)
            return [
                "purchase": view.name(of: purchase.id), "tour": view.name(of: purchase.tour),
                "name": .text(purchase.name), "price": .integer(purchase.price.cents),
                "currency": .text(purchase.price.currency), "bought": .time(purchase.bought),
                "refunded": .time(purchase.refunded),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try Purchase(stored: row)
        return []
    }

    private static let byID = table.query("WHERE id = ?")
    private static let ofTour = table.query("WHERE account = ? AND tour = ?")
    private static let newest = table.query("WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?")

    /// Query for a purchase: one row, or none.
    public static func query(_ id: PurchaseID) -> Query { byID.about(integer(id)) }

    /// Query for the purchase of a tour by an account: one row, or none.
    public static func query(_ account: AccountID, _ tour: TourID) -> Query {
        ofTour.about(integer(account), integer(tour))
    }

    /// Query for an account's purchases, the newest first.
    /// - Parameter last: those before this one; nil = from the newest.
    public static func query(of account: AccountID, before last: PurchaseID?, rowsMax: Int) -> Query {
        newest.about(integer(account), last.map(integer) ?? .integer(.max), .integer(Int64(rowsMax)))
    }

    /// Reads the rows of a query. Damaged rows are added to `damage` and are no purchases.
    public static func purchases(in rows: [Row], into damage: inout [DamagedRow]) -> [Purchase] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try Purchase(stored: row) }
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM purchases WHERE id < ?", bound)
    }

    /// Reads a row of `table`.
    public init(stored row: Row) throws(ColumnFault) {
        let (id, account, tour) = (
            PurchaseID(rawValue: UInt64(bitPattern: try row.integer(0))),
            AccountID(rawValue: UInt64(bitPattern: try row.integer(1))),
            TourID(rawValue: UInt64(bitPattern: try row.integer(2)))
        )
        self = try row.within(3) { sealed throws(ColumnFault) in
            // Purchases of before refunds end with the key.
            let isWhole = sealed.values.count > 5
            var purchase = Purchase(
                id: id, account: account, tour: tour, name: try sealed.text(0),
                price: Money(cents: try sealed.integer(1, in: 0...Int64.max), currency: try sealed.text(2)),
                bought: try sealed.wallTime(3), key: try sealed.text(4),
                charge: Charge(
                    provider: isWhole ? try sealed.text(5) : "", name: isWhole ? try sealed.text(6) : "",
                    key: isWhole ? try sealed.text(7) : ""),
                refunded: isWhole ? try sealed.wallTimeIfAny(8) : nil)
            for column in Self.formerKeysColumn..<max(Self.formerKeysColumn, sealed.values.count) {
                purchase.formerKeys.append(try sealed.text(column))
            }
            return purchase
        }
    }

    /// Fails when the account has the tour already.
    public var insertion: Statement {
        let (account, tour) = (Self.integer(account), Self.integer(tour))
        let row = Int64(bitPattern: id.rawValue)
        return Statement(
            "INSERT OR IGNORE INTO purchases (id, account, tour, sealed) VALUES (?, ?, ?, ?)", .integer(row), account,
            tour,
            sealed, changing: 1)
    }

    /// Replaces it after a refund. Fails when it has gone with its account.
    public var update: Statement {
        Statement("UPDATE purchases SET sealed = ? WHERE id = ?", sealed, Self.integer(id), changing: 1)
    }

    /// Makes room for another purchase of the same.
    public var removal: Statement { Statement("DELETE FROM purchases WHERE id = ?", Self.integer(id), changing: 1) }

    /// The last sealed values are former keys.
    private static let formerKeysColumn = 9

    private var sealed: SQLValue {
        let values: [SQLValue] = [
            .text(name), .integer(price.cents), .text(price.currency), .time(bought), .text(key),
            .text(charge.provider), .text(charge.name), .text(charge.key), refunded.map { .time($0) } ?? .null,
        ]
        let former = formerKeys.suffix(Self.formerKeysMax).map { SQLValue.text($0) }
        return .sealed(
            values + former, Self.seal, row: Int64(bitPattern: id.rawValue),
            bound: [Self.integer(account), Self.integer(tour)])
    }

    private static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }
}
