internal import CairnCore
internal import CairnWire

/// Whether a person may walk a tour that has a price (TRT-5). The only place that knows what a purchase is.
enum TourPurchases {
    /// Asks for the purchase of a tour by a person.
    static func query(of account: AccountID, _ tour: TourID) -> Query {
        // Purchases are not recorded yet, so nobody has one.
        Query("SELECT 1 WHERE 0")
    }

    /// - Parameter rows: the answer to `query`.
    /// - Throws: `payment_required` for a tour with a price and without a purchase.
    static func check(_ version: PublishedTour, _ rows: [Row], in turn: Turn) throws(Refusal) {
        guard version.content.facts.price > 0, rows.isEmpty else { return }
        throw Runs.refusal(.paymentRequired, details: ["tour": turn.name(of: version.tour)])
    }
}
