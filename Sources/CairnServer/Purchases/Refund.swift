internal import CairnCore
internal import CairnWire

/// A refund that is under way (CMP-6). It is stored before the provider is asked, and goes in the unit that enters it
/// in the ledger, or when the provider has refused it. It holds all that the entry needs: its account may be deleted
/// meanwhile.
struct Refund: Hashable, Sendable {
    let purchase: Purchase
    let author: AccountAuthor
    let reason: String

    private static let seal = Seal("refunds")

    static let migration = Migration(
        "refunds-1",
        """
        CREATE TABLE refunds (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, tour INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT
        """)

    static let table = StoredTable(
        "refunds", of: .account, columns: ["id", "account", "tour", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        erasure: [.kept(because: "a refund under way ends in the ledger, mostly within minutes (CMP-6)")],
        export: .nothing(because: "the purchases say it, mostly within minutes")
    ) { row throws(ColumnFault) in
        _ = try Refund(stored: row)
        return []
    }

    private static let byID = table.query("WHERE id = ?")
    private static let firstOnes = table.query("ORDER BY id LIMIT ?")

    /// Query for the refund of a purchase that is under way: one row, or none.
    static func query(_ id: PurchaseID) -> Query { byID.about(integer(id)) }

    /// Query for those that are under way, the oldest purchase first.
    static func oldest(rowsMax: Int) -> Query { firstOnes.about(.integer(Int64(rowsMax))) }

    init(of purchase: Purchase, by author: AccountAuthor, because reason: String) {
        (self.purchase, self.author, self.reason) = (purchase, author, reason)
    }

    /// Reads a row of a query.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try Refund(stored: row) }
    }

    private init(stored row: Row) throws(ColumnFault) {
        let id = PurchaseID(rawValue: UInt64(bitPattern: try row.integer(0)))
        let account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        let tour = TourID(rawValue: UInt64(bitPattern: try row.integer(2)))
        self = try row.within(3) { sealed throws(ColumnFault) in
            let price = Money(cents: try sealed.integer(1, in: 1...Int64.max), currency: try sealed.text(2))
            let charge = Purchase.Charge(
                provider: try sealed.text(5), name: try sealed.text(6), key: try sealed.text(7))
            let purchase = Purchase(
                id: id, account: account, tour: tour, name: try sealed.text(0), price: price,
                bought: try sealed.wallTime(3), key: try sealed.text(4), charge: charge)
            return Refund(of: purchase, by: try AccountAuthor(sealed, at: 8), because: try sealed.text(10))
        }
    }

    /// Fails when one of the purchase is under way.
    var insertion: Statement {
        let (account, tour) = (Self.integer(purchase.account), Self.integer(purchase.tour))
        let row = Int64(bitPattern: purchase.id.rawValue)
        let values: [SQLValue] =
            [
                .text(purchase.name), .integer(purchase.price.cents), .text(purchase.price.currency),
                .time(purchase.bought), .text(purchase.key), .text(purchase.charge.provider),
                .text(purchase.charge.name), .text(purchase.charge.key),
            ] + author.values + [.text(reason)]
        return Statement(
            "INSERT OR IGNORE INTO refunds (id, account, tour, sealed) VALUES (?, ?, ?, ?)", .integer(row), account,
            tour, .sealed(values, Self.seal, row: row, bound: [account, tour]), changing: 1)
    }

    /// Changes nothing where none is under way.
    var removal: Statement { Statement("DELETE FROM refunds WHERE id = ?", Self.integer(purchase.id)) }

    private static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }
}
