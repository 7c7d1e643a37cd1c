internal import CairnCore
internal import CairnWire

/// Whether a person may walk a tour that has a price (TRT-5).
enum TourPurchases {
    /// Asks for the purchase of a tour by a person.
    static func query(of account: AccountID, _ tour: TourID) -> Query { TourReading.query(of: account, tour) }

    /// - Parameter rows: the answer to `query`.
    /// - Throws: `payment_required` for a tour with a price and without a purchase.
    static func check(_ tour: TourID, price: UInt32, _ rows: [Row], in turn: inout Turn) throws(Refusal) {
        guard price > 0 else { return }
        let purchases = turn.read(rows, of: Purchase.table, Purchase.init(stored:))
        guard purchases.allSatisfy({ $0.refunded != nil }) else { return }
        throw Runs.refusal(.paymentRequired, details: ["tour": turn.name(of: tour)])
    }
}
