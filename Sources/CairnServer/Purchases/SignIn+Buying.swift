internal import CairnAdaptors
internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging

/// Buying, step by step (TRT-5). A charge is on disk before the provider is asked, and becomes a purchase and an entry
/// of the ledger in one unit when the provider has said that it is charged. After an interruption the provider is asked
/// about that charge again, by the charge's own name, and closes it if there is none.
extension SignIn {
    private var purchases: Purchases { services.purchases }

    /// The outcome of a charge.
    enum Settled: Sendable {
        case bought(Purchase)
        /// Nothing was charged, or it was paid back; nothing will be.
        case nothing
        /// The provider does not say.
        case unknown
    }

    /// The purchase of a tour, which is made if there is none.
    func buy(
        _ tour: TourID, at price: BuyTour.Price, by means: BuyTour.Means, for buyer: Buyer
    ) async throws -> Purchase {
        let (account, key) = (buyer.account, buyer.key)
        let subject = Purchases.Subject(account: account, tour: tour)
        let purchase: Purchase?? = try await onlyOnce(subject, key) {
            let bought = try await self.tour(boughtBy: key, of: account)
            guard bought == nil || bought == tour else { throw Purchases.keyReused }
            if let known = try await known(tour, of: account) { return try await answer(key, with: known) }
            guard try await record(of: account).role == .general else {
                throw Role.refusal(needing: [.general], component: Purchases.component)
            }
            // It bought this tour, and was paid back; a charge that came to nothing just now has bought none.
            if bought != nil, try await self.tour(boughtBy: key, of: account) != nil { throw Purchases.keyReused }
            try await purchases.ledger.check(store)
            let offer = try offer(of: tour, at: price, language: buyer.language)
            let attempt = try admitPayment(by: buyer)
            do {
                let purchase =
                    switch means {
                    case .method(let method): try await charge(offer, to: account, method, key: key)
                    case .receipt(let name, let data): try await take(data, of: name, for: offer, account, key: key)
                    }
                succeeded(attempt)
                return purchase
            } catch let refusal as Refusal where [.paymentDeclined, .paymentInvalid].contains(refusal.code) {
                failed(attempt)
                throw refusal
            } catch {
                abandoned(attempt)
                throw error
            }
        }
        guard case .some(.some(let purchase)) = purchase else { throw Purchases.underWay }
        return purchase
    }

    /// Runs the only task on a purchase, and on its key: of two tours at once the key buys one.
    private func onlyOnce(
        _ subject: Purchases.Subject, _ key: String, _ body: @Sendable () async throws -> Purchase
    ) async throws -> Purchase?? {
        try await purchases.only(.key(subject.account, key)) {
            try await purchases.only(.purchase(subject), body)
        }
    }

    /// The purchase that there is, or that an interrupted charge becomes.
    private func known(_ tour: TourID, of account: AccountID) async throws -> Purchase? {
        let answers = try await store.read([Purchase.query(account, tour), Payment.query(account, tour)])
        var damage: [DamagedRow] = []
        let known = Purchase.purchases(in: answers[0], into: &damage).first
        if let fault = damage.first { throw fault }
        if let known, known.refunded == nil { return known }
        guard let row = answers[1].first else { return nil }
        switch try await settle(try Payment(row)) {
        case .bought(let purchase): return purchase
        case .nothing: return nil
        case .unknown: throw Purchases.unsettled
        }
    }

    /// A key is one purchase: the tour that it has bought, or that it was answered with, or is buying; nil = none.
    private func tour(boughtBy key: String, of account: AccountID) async throws -> TourID? {
        let answers = try await store.read([
            Purchase.query(of: account, before: nil, rowsMax: Self.keysReadMax), Payment.query(of: account),
        ])
        var damage: [DamagedRow] = []
        let purchases = Purchase.purchases(in: answers[0], into: &damage)
        if let purchase = purchases.first(where: { $0.key == key || $0.formerKeys.contains(key) }) {
            return purchase.tour
        }
        // A damaged row is in the way of its own tour alone.
        let payments = answers[1].compactMap { row -> Payment? in
            do throws(DamagedRow) {
                return try Payment(row)
            } catch {
                damage.append(error)
                return nil
            }
        }
        store.report(damage)
        return payments.first { $0.key == key }?.offer.tour
    }

    /// Answers with a purchase that there is, and remembers that the key was answered with it.
    private func answer(_ key: String, with purchase: Purchase) async throws -> Purchase {
        guard purchase.key != key, !purchase.formerKeys.contains(key) else { return purchase }
        guard purchase.formerKeys.count < Purchase.formerKeysMax else {
            throw Refusal(
                .limitReached, "the tour is bought, as \(Purchase.formerKeysMax) keys were told",
                component: Purchases.component, details: ["limit": "\(Purchase.formerKeysMax)"])
        }
        var purchase = purchase
        purchase.formerKeys.append(key)
        guard try await isCommitted([purchase.update]) else { throw Purchases.underWay }
        return purchase
    }

    private static let keysReadMax = 1_000

    private func offer(of tour: TourID, at price: BuyTour.Price, language: String) throws -> Offer {
        guard let offer = names.offer(of: tour, in: language, currency: currency) else { throw Purchases.noTour }
        guard offer.price.cents > 0 else {
            throw Refusal(
                .invalidField, "tour: it is free", component: Purchases.component,
                details: ["field": "tour", "reason": "free"])
        }
        guard price.isThat(of: offer) else {
            throw Refusal(
                .versionConflict, "the price is another one by now", component: Purchases.component,
                details: ["price": "\(offer.price.cents)", "currency": offer.price.currency])
        }
        return offer
    }

    // MARK: Charges

    private func charge(
        _ offer: Offer, to account: AccountID, _ method: String, key: String
    ) async throws -> Purchase {
        let payment = Payment(
            id: identifiers.next(PurchaseTag.self, at: clock.now), account: account, offer: offer,
            charge: Secret.make(), key: key, begun: clock.now)
        guard try await isCommitted([payment.insertion]) else { throw Purchases.underWay }
        let call = AdaptorCall(
            id: payment.charge, action: "charge",
            fields: [
                "key": .text(payment.charge), "amount": .number(offer.price.cents),
                "currency": .text(offer.price.currency), "for": .text(offer.name), "method": .text(method),
            ])
        let answer: AdaptorAnswer
        do throws(AdaptorFailure) {
            answer = try await services.adaptors.call(.payment, call)
        } catch {
            if error.isBeforeSending {
                try await store.commit([payment.removal])
                throw Purchases.unsettled
            }
            purchases.note { $0.unanswered += 1 }
            guard case .bought(let purchase) = try await settle(payment) else { throw Purchases.unsettled }
            return purchase
        }
        switch answer {
        case .done(let fields): return try await record(payment, chargedAs: fields["charge"])
        case .refused(let code, _):
            try await store.commit([payment.removal])
            purchases.note { $0.refused += 1 }
            let isInvalid = code == Refusal.Code.paymentInvalid.rawValue
            throw Refusal(isInvalid ? .paymentInvalid : .paymentDeclined, component: Purchases.component)
        }
    }

    /// Asks the provider what has become of a charge. One that is not made is closed: the provider makes it no more.
    func settle(_ payment: Payment) async throws -> Settled {
        switch await ask("settle", about: payment) {
        case .done(let fields) where fields["state"] == "charged":
            return try await finish(payment, chargedAs: fields["charge"])
        case .done(let fields) where fields["state"] == "closed":
            try await store.commit([payment.removal])
            return .nothing
        default: return .unknown
        }
    }

    private func ask(_ action: String, about payment: Payment) async -> AdaptorAnswer? {
        await ask(action, about: payment.charge)
    }

    /// - Parameter charge: our name of it.
    func ask(_ action: String, about charge: String) async -> AdaptorAnswer? {
        // Beside the charge, which may still be under way.
        let call = AdaptorCall(
            id: Secret.make(), action: action, fields: ["key": .text(charge)])
        return try? await services.adaptors.call(.payment, call)
    }

    private func record(_ payment: Payment, chargedAs charge: String?) async throws -> Purchase {
        switch try await finish(payment, chargedAs: charge) {
        case .bought(let purchase): return purchase
        case .nothing: throw Purchases.noTour
        case .unknown: throw Purchases.unsettled
        }
    }

    /// Stores a purchase that was charged; pays it back where the account is gone, or the tour.
    private func finish(_ payment: Payment, chargedAs charge: String?) async throws -> Settled {
        let purchase = try await purchase(of: payment, chargedAs: charge ?? payment.charge)
        let entry = entry(of: purchase)
        let isThere = names.tours.maker(of: purchase.tour) != nil
        if isThere, let stored = try await store(purchase, entry, payment) { return .bought(stored) }
        switch await ask("refund", about: payment) {
        case .done?: break
        case .refused?:
            // It is theirs, for operators to pay back.
            if !isThere, let stored = try await store(purchase, entry, payment) { return .bought(stored) }
            return .unknown
        case nil: return .unknown
        }
        let refund = refund(of: purchase, at: entry.written)
        _ = try await purchases.ledger.write(by: self) { ([entry, refund], [payment.removal]) }
        purchases.note { $0.refunded += 1 }
        logger.notice("a charge was paid back: its account or its tour is gone")
        return .nothing
    }

    /// What a charge has become. A name that the provider has given to another charge as well is made one of its own:
    /// the ledger has each charge once.
    private func purchase(of payment: Payment, chargedAs charge: String) async throws -> Purchase {
        let purchase = payment.purchase(at: clock.now, chargedAs: charge)
        let query = LedgerEntry.query(ofCharge: purchase.charge.name, by: purchase.charge.provider)
        guard try await !store.read([query])[0].isEmpty else { return purchase }
        let own = identifiers.name(of: payment.id)
        logger.error("the payment adaptor has named two charges alike", metadata: ["purchase": "\(own)"])
        return payment.purchase(at: clock.now, chargedAs: "\(charge.prefix(80)) \(own)")
    }

    /// Stores a purchase with its entry in the ledger, in place of the charge that was under way.
    /// - Returns: what is stored; nil = the account is gone.
    private func store(
        _ purchase: Purchase, _ entry: LedgerEntry.Fields, _ payment: Payment?
    ) async throws -> Purchase? {
        for _ in 0..<Self.attemptsMax {
            guard let row = try await store.read([AccountRecord.query(purchase.account)])[0].first else { return nil }
            let account = try AccountRecord(row)
            guard !account.isClosed else { return nil }
            // The stored charge was paid back: else nothing would have been charged again.
            var damage: [DamagedRow] = []
            let rows = try await store.read([Purchase.query(purchase.account, purchase.tour)])[0]
            let former = Purchase.purchases(in: rows, into: &damage).filter { $0.refunded != nil }
            var purchase = purchase
            purchase.formerKeys = former.flatMap { $0.formerKeys + [$0.key] }
            let statements =
                [account.check] + former.map(\.removal) + [purchase.insertion] + (payment.map { [$0.removal] } ?? [])
            if try await purchases.ledger.write(by: self, { ([entry], statements) }) {
                purchases.note { $0.bought += 1 }
                return purchase
            }
        }
        throw Self.overtaken
    }

    private func entry(of purchase: Purchase) -> LedgerEntry.Fields {
        LedgerEntry.Fields(
            kind: .purchase, day: purchase.bought.day, amount: purchase.price,
            reference: identifiers.name(of: purchase.id), subject: purchase.name, provider: purchase.charge.provider,
            charge: purchase.charge.name, written: purchase.bought)
    }

    func refund(of purchase: Purchase, at now: WallTime) -> LedgerEntry.Fields {
        LedgerEntry.Fields(
            kind: .refund, day: now.day, amount: Money(cents: -purchase.price.cents, currency: purchase.price.currency),
            reference: identifiers.name(of: purchase.id), subject: purchase.name, provider: purchase.charge.provider,
            charge: purchase.charge.name, written: now)
    }

    // MARK: Receipts of stores

    /// Takes a receipt in place of a charge: the person has paid at the store. A receipt buys once, also when its buyer
    /// is gone.
    private func take(
        _ data: String, of name: String, for offer: Offer, _ account: AccountID, key: String
    ) async throws -> Purchase {
        guard receiptStores.contains(name) else {
            throw Refusal(
                .invalidField, "store: receipts of this store are not taken", component: Purchases.component,
                details: ["field": "store", "reason": "unknown"])
        }
        let call = AdaptorCall(
            id: Secret.make(), action: "check",
            fields: [
                "store": .text(name), "data": .text(data), "product": .text(identifiers.name(of: offer.tour)),
                "amount": .number(offer.price.cents), "currency": .text(offer.price.currency),
            ])
        guard let answer = try? await services.adaptors.call(.receipts, call) else { throw Purchases.unsettled }
        guard case .done(let fields) = answer, let transaction = fields["transaction"], !transaction.isEmpty,
            transaction.utf8.count <= 100
        else {
            purchases.note { $0.refused += 1 }
            throw Refusal(.paymentInvalid, component: Purchases.component, details: ["reason": "receipt"])
        }
        // The adaptor says whose receipt it is, or it buys once at whichever store it is shown as one of.
        guard [nil, name].contains(fields["store"]) else {
            throw Refusal(.paymentInvalid, component: Purchases.component, details: ["reason": "store"])
        }
        // Before the settings named stores clients did, as they liked: such a name may stand for any store.
        let former = try await purchases.ledger.providers(in: store).subtracting(receiptStores)
        let stores = former.union(fields["store"] == nil ? receiptStores : [name])
        let purchase = Purchase(
            id: identifiers.next(PurchaseTag.self, at: clock.now), account: account, tour: offer.tour,
            name: offer.name, price: offer.price, bought: clock.now, key: key,
            charge: Purchase.Charge(provider: name, name: transaction, key: ""))
        // Of two people with one receipt the second finds it used.
        for _ in 0..<Self.receiptTurnsMax {
            let stored: Purchase?? = try await purchases.only(.receipt(transaction: transaction)) {
                let known = try await store.read(stores.map { LedgerEntry.query(ofCharge: transaction, by: $0) })
                guard known.allSatisfy(\.isEmpty) else {
                    throw Refusal(
                        .paymentInvalid, "this receipt was used before", component: Purchases.component,
                        details: ["reason": "used"])
                }
                return try await store(purchase, entry(of: purchase), nil)
            }
            switch stored {
            case .some(.some(let purchase)): return purchase
            case .some(.none): throw Refusal(.notSignedIn, component: Purchases.component)
            case .none: try await Task.sleep(for: Self.receiptPause)
            }
        }
        throw Purchases.underWay
    }

    private static let receiptTurnsMax = 100
    private static let receiptPause = Duration.milliseconds(20)
}

extension AdaptorFailure {
    /// Whether the call has certainly not reached the adaptor.
    fileprivate var isBeforeSending: Bool {
        switch self {
        case .off, .queueFull, .unsendable: true
        case .stopped, .timeLimit, .died, .failed, .repeated: false
        }
    }
}
