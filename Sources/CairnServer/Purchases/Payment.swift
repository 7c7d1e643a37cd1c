internal import CairnCore
internal import CairnWire

/// A charge that is under way: what is to become a purchase (TRT-5). It is stored before the provider is asked, and
/// goes in the unit that stores the purchase, or when it is certain that nothing was charged.
struct Payment: Hashable, Sendable {
    /// The id that the purchase will have.
    let id: PurchaseID
    let account: AccountID
    let offer: Offer
    /// By which the provider knows the charge: a secret of this charge, never used for another.
    let charge: String
    /// The idempotency key of the request.
    let key: String
    let begun: WallTime

    private static let seal = Seal("payments")

    static let migration = Migration(
        "payments-1",
        """
        CREATE TABLE payments (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, tour INTEGER NOT NULL, sealed BLOB NOT NULL,
            UNIQUE (account, tour)
        ) STRICT
        """)

    static let table = StoredTable(
        "payments", of: .account, columns: ["id", "account", "tour", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        erasure: [.kept(because: "a charge under way ends as a purchase or is paid back, within minutes (TRT-5)")],
        export: .nothing(because: "within minutes it is a purchase, which is exported, or nothing")
    ) { row throws(ColumnFault) in
        _ = try Payment(stored: row)
        return []
    }

    private static let ofTour = table.query("WHERE account = ? AND tour = ?")
    private static let ofAccount = table.query("WHERE account = ? ORDER BY id LIMIT 100")
    private static let firstOnes = table.query("ORDER BY id LIMIT ?")

    /// Query for the charge of a tour to an account that is under way: one row, or none.
    static func query(_ account: AccountID, _ tour: TourID) -> Query { ofTour.about(integer(account), integer(tour)) }

    /// Query for the charges to an account that are under way.
    static func query(of account: AccountID) -> Query { ofAccount.about(integer(account)) }

    /// Query for those that are under way, the oldest first.
    static func oldest(rowsMax: Int) -> Query { firstOnes.about(.integer(Int64(rowsMax))) }

    static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM payments WHERE id < ?", bound)
    }

    init(id: PurchaseID, account: AccountID, offer: Offer, charge: String, key: String, begun: WallTime) {
        (self.id, self.account, self.offer) = (id, account, offer)
        (self.charge, self.key, self.begun) = (charge, key, begun)
    }

    /// Reads a row of a query.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try Payment(stored: row) }
    }

    private init(stored row: Row) throws(ColumnFault) {
        let id = PurchaseID(rawValue: UInt64(bitPattern: try row.integer(0)))
        let account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        let tour = TourID(rawValue: UInt64(bitPattern: try row.integer(2)))
        self = try row.within(3) { sealed throws(ColumnFault) in
            let price = Money(cents: try sealed.integer(1, in: 1...Int64.max), currency: try sealed.text(2))
            return Payment(
                id: id, account: account, offer: Offer(tour: tour, name: try sealed.text(0), price: price),
                charge: try sealed.text(3), key: try sealed.text(4), begun: try sealed.wallTime(5))
        }
    }

    /// Fails when a charge of the tour to the account is under way.
    var insertion: Statement {
        let (account, tour) = (Self.integer(account), Self.integer(offer.tour))
        let row = Int64(bitPattern: id.rawValue)
        let values: [SQLValue] = [
            .text(offer.name), .integer(offer.price.cents), .text(offer.price.currency), .text(charge), .text(key),
            .time(begun),
        ]
        return Statement(
            "INSERT OR IGNORE INTO payments (id, account, tour, sealed) VALUES (?, ?, ?, ?)", .integer(row), account,
            tour, .sealed(values, Self.seal, row: row, bound: [account, tour]), changing: 1)
    }

    /// Fails when it has ended already.
    var removal: Statement {
        Statement("DELETE FROM payments WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)), changing: 1)
    }

    /// The outcome.
    /// - Parameter name: the provider's, of the charge.
    func purchase(at now: WallTime, chargedAs name: String) -> Purchase {
        Purchase(
            id: id, account: account, tour: offer.tour, name: offer.name, price: offer.price, bought: now, key: key,
            charge: Purchase.Charge(provider: "payment", name: String(name.prefix(100)), key: charge))
    }

    private static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }
}
