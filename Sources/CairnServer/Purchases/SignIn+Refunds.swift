internal import CairnAdaptors
package import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging

/// Paying purchases back, by operators (CMP-6). A refund is on disk before the provider is asked; a
/// refund of one charge is one refund, so the provider is asked again until it answers, also after a crash.
extension SignIn {
    /// Pays a purchase back, and ends what it gives a right to: with an entry in the ledger and one in the audit log,
    /// and a notification, in one unit.
    /// - Parameter isPaidBack: the money has gone back already, outside of the payment adaptor.
    /// - Returns: the purchase.
    /// - Throws: `provider_unavailable` when the provider does not answer. The refund is made as soon as it does.
    package func refund(
        _ id: PurchaseID, isPaidBack: Bool, by author: AccountAuthor, because reason: String
    ) async throws -> Purchase {
        let subject = Purchases.Subject(of: try await purchase(id, isPaidBack: isPaidBack))
        let refunded = try await services.purchases.only(.purchase(subject)) {
            let refund = Refund(of: try await purchase(id, isPaidBack: isPaidBack), by: author, because: reason)
            try await services.purchases.ledger.check(store)
            if isPaidBack { return try await record(refund) }
            guard !refund.purchase.charge.key.isEmpty else {
                throw Refusal(
                    .paymentInvalid, "its store pays it back, and not the payment adaptor",
                    component: Purchases.component, details: ["reason": "receipt"])
            }
            return try await settle(try await begin(refund))
        }
        guard let refunded else { throw Purchases.underWay }
        return refunded
    }

    private func purchase(_ id: PurchaseID, isPaidBack: Bool) async throws -> Purchase {
        var damage: [DamagedRow] = []
        let rows = try await store.read([Purchase.query(id)])[0]
        var known = Purchase.purchases(in: rows, into: &damage).first
        if let fault = damage.first {
            store.report(damage)
            guard let row = rows.first, let entered = try await entered(id, row) else { throw fault }
            if entered.refunded != nil { try await store.commit([entered.update]) }
            guard isPaidBack || entered.refunded != nil else {
                throw Refusal(
                    .paymentInvalid, "its record is damaged: restore it from a backup, or pay it back elsewhere",
                    component: Purchases.component, details: ["reason": "damaged"])
            }
            known = entered
        }
        guard let found = known else {
            throw Refusal(.notFound, "there is no such purchase", component: Purchases.component)
        }
        guard found.refunded == nil else {
            throw Refusal(.alreadyResolved, "it was paid back already", component: Purchases.component)
        }
        return found
    }

    /// What the ledger says of a purchase whose row is damaged. Whose it is, and of what, the row alone says, and its
    /// seal does not vouch for it: so it gives no right, and an operator decides. Nor does the ledger know the name by
    /// which the payment adaptor pays it back.
    private func entered(_ id: PurchaseID, _ row: Row) async throws -> Purchase? {
        let ledger = services.purchases.ledger
        guard let entry = try await ledger.purchase(identifiers.name(of: id), in: store) else { return nil }
        let refund = LedgerEntry.query(ofRefundOf: entry.charge, by: entry.provider)
        let refunded = try await store.read([refund])[0].first.map { row throws(DamagedRow) in try LedgerEntry(row) }
        return Purchase(
            id: id, account: AccountID(rawValue: UInt64(bitPattern: try row.integer(1))),
            tour: TourID(rawValue: UInt64(bitPattern: try row.integer(2))), name: entry.subject, price: entry.amount,
            bought: entry.written, key: "",
            charge: Purchase.Charge(provider: entry.provider, name: entry.charge, key: ""),
            refunded: refunded?.fields.written)
    }

    /// - Returns: the refund, or the one that was begun before.
    private func begin(_ refund: Refund) async throws -> Refund {
        if try await isCommitted([refund.insertion]) { return refund }
        guard let row = try await store.read([Refund.query(refund.purchase.id)])[0].first else { throw Self.overtaken }
        return try Refund(row)
    }

    /// Asks the provider to pay back, and enters it when that is done.
    /// - Returns: the purchase.
    func settle(_ refund: Refund) async throws -> Purchase {
        switch await ask("refund", about: refund.purchase.charge.key) {
        case .done?: return try await record(refund)
        case .refused(let code, _)?:
            try await store.commit([refund.removal])
            logger.error(
                "the payment adaptor has refused a refund",
                metadata: ["purchase": "\(identifiers.name(of: refund.purchase.id))", "code": "\(code)"])
            throw Refusal(
                .paymentInvalid, "the payment adaptor has refused the refund", component: Purchases.component,
                details: ["reason": "refused"])
        case nil: throw Purchases.unsettled
        }
    }

    private func record(_ refund: Refund) async throws -> Purchase {
        var purchase = refund.purchase
        var damage: [DamagedRow] = []
        let stored = Purchase.purchases(in: try await store.read([Purchase.query(purchase.id)])[0], into: &damage)
        purchase.formerKeys = stored.first?.formerKeys ?? []
        purchase.refunded = clock.now
        let entry = self.refund(of: purchase, at: clock.now)
        let ending = [audit(refund), refund.removal]
        let notice = notification(
            Notification.Draft(to: purchase.account, kind: .purchaseRefunded, label: purchase.name))
        let statements = [purchase.update, notice] + ending
        if try await services.purchases.ledger.write(by: self, { ([entry], statements) }) { return purchase }
        // The account is gone: the money has gone back all the same.
        guard try await services.purchases.ledger.write(by: self, { ([entry], ending) }) else { throw Self.overtaken }
        return purchase
    }

    private func audit(_ refund: Refund) -> Statement {
        let purchase = refund.purchase
        let words = purchase.price.text + (refund.reason.isEmpty ? "" : ": \(refund.reason)")
        return AuditRecord(
            id: identifiers.next(AuditTag.self, at: clock.now), account: purchase.account, author: refund.author,
            action: .purchaseRefund, from: .general, to: .general,
            reason: "\(identifiers.name(of: purchase.id)) \(words)", at: clock.now
        ).insertion(at: clock.lasting)
    }
}
