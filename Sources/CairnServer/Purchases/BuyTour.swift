internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnTime
internal import CairnWire

/// Buys a priced tour (TRT-5).
struct BuyTour: EntranceCommand {
    static let sender = EntranceSender.inWorld
    /// The provider takes seconds, in which the person goes on walking.
    static let lane = EntranceLane.bulk

    private let tour: String
    private let price: Price
    private let means: Means

    /// The price that the person was shown.
    struct Price: Sendable {
        let cents: Int64
        /// Empty = the client does not say.
        let currency: String

        func isThat(of offer: Offer) -> Bool {
            offer.price.cents == cents && (currency.isEmpty || currency == offer.price.currency)
        }
    }

    /// How the person pays.
    enum Means: Sendable {
        case method(String)
        /// Paid already, at a store.
        case receipt(store: String, data: String)
    }

    private static let methodBytesMax = 4_096
    private static let receiptBytesMax = 16_384

    init(_ body: WireBuyTour) throws(Refusal) {
        guard !body.tour.isEmpty else { throw Self.missing("tour") }
        (tour, price) = (body.tour, Price(cents: Int64(body.price), currency: body.currency))
        switch body.means {
        case .method(let method)?:
            guard !method.isEmpty else { throw Self.missing("method") }
            guard method.utf8.count <= Self.methodBytesMax else { throw Self.invalid("method") }
            means = .method(method)
        case .receipt(let receipt)?:
            guard !receipt.data.isEmpty else { throw Self.missing("receipt") }
            let isName = receipt.store.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
            guard (1...32).contains(receipt.store.utf8.count), isName else { throw Self.invalid("store") }
            guard receipt.data.utf8.count <= Self.receiptBytesMax else { throw Self.invalid("receipt") }
            means = .receipt(store: receipt.store, data: receipt.data)
        case nil: throw Self.missing("method")
        }
    }

    private static func missing(_ field: String) -> Refusal {
        Refusal(.missingField, component: Purchases.component, details: ["field": field])
    }

    private static func invalid(_ field: String) -> Refusal {
        Refusal(
            .invalidField, component: Purchases.component, details: ["field": field])
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        guard !applicant.key.isEmpty else {
            throw Refusal(
                .missingField, "key: a \(Self.kind.name) needs an idempotency key", component: Purchases.component,
                details: ["field": "key"])
        }
        guard let tour: TourID = signIn.identifiers.identifier(named: tour) else { throw Purchases.noTour }
        let purchase = try await signIn.buy(tour, at: price, by: means, for: Buyer(applicant))
        return .answered(.purchase(purchase.wire(signIn.identifiers)))
    }
}

/// Who buys, by which request.
struct Buyer: Sendable {
    let account: AccountID
    /// Of which failures are counted, beside the account's.
    let address: LimitKey
    /// The idempotency key of the request.
    let key: String
    /// In which the tour's name is kept, BCP 47.
    let language: String
    let now: MonotonicTime
}

extension Buyer {
    init(_ applicant: Applicant) throws(Refusal) {
        account = try applicant.requireUser().account
        (address, key, language) = (applicant.addressKey, applicant.key, applicant.language)
        now = applicant.now
    }
}

/// Lists the own purchases that were not paid back.
struct ListPurchases: EntranceCommand {
    static let sender = EntranceSender.inWorld

    private static let pageRows = 50
    private let body: WireListPurchases

    init(_ body: WireListPurchases) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let last: PurchaseID? = signIn.identifiers.identifier(named: body.after)
        guard body.after.isEmpty || last != nil else {
            throw Refusal(
                .invalidField, "after: not the next of a page", component: Purchases.component,
                details: ["field": "after"])
        }
        let query = Purchase.query(of: try applicant.requireUser().account, before: last, rowsMax: Self.pageRows + 1)
        var damage: [DamagedRow] = []
        let rows = try await signIn.store.read([query])[0]
        let page = rows.prefix(Self.pageRows)
        let purchases = Purchase.purchases(in: Array(page), into: &damage)
        signIn.store.report(damage)
        var list = WirePurchaseList()
        list.purchases = purchases.filter { $0.refunded == nil }.map { $0.wire(signIn.identifiers) }
        // A damaged row is left out of the page, but not of the count.
        if rows.count > Self.pageRows, let last = try page.last?.integer(0) {
            list.next = signIn.identifiers.name(of: PurchaseID(rawValue: UInt64(bitPattern: last)))
        }
        return .answered(.purchaseList(list))
    }
}

extension Purchase {
    fileprivate func wire(_ identifiers: IdentifierIssuer) -> WirePurchase {
        var wire = WirePurchase()
        wire.id = identifiers.name(of: id)
        wire.tour = identifiers.name(of: tour)
        wire.name = name
        wire.price = UInt32(clamping: price.cents)
        wire.currency = price.currency
        wire.bought = bought.milliseconds
        return wire
    }
}
