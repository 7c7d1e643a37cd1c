internal import CairnAdaptors
package import CairnCore
internal import CairnStore
package import CairnWire

/// Paying purchases back, by operators (CMP-6).
extension SignIn {
    /// Pays a purchase back, and ends what it gives a right to: with an entry in the ledger and one in the audit log,
    /// and a notification, in one unit. The provider is asked first, and a refund of one charge is one refund: where a
    /// crash comes in between, the operator repeats the command.
    /// - Parameter isPaidBack: the money has gone back already, outside of the payment adaptor.
    /// - Returns: the purchase.
    package func refund(
        _ id: PurchaseID, isPaidBack: Bool, by author: AccountAuthor, because reason: String, on shards: [Shard]
    ) async throws -> Purchase {
        let found = try await purchase(id)
        let subject = Purchases.Subject(account: found.account, tour: found.tour)
        let refunded = try await services.purchases.only(subject) {
            var purchase = try await purchase(id)
            try await services.purchases.ledger.check(store)
            if !isPaidBack { try await payBack(purchase) }
            purchase.refunded = clock.now
            let entry = refund(of: purchase, at: clock.now)
            let audit = audit(purchase, author, reason)
            let notice = notification(
                Notification.Draft(to: purchase.account, kind: .purchaseRefunded, label: purchase.name))
            let statements = [purchase.update, notice, audit]
            if try await services.purchases.ledger.write(by: self, { ([entry], statements) }) { return purchase }
            // The account is gone: the money has gone back all the same.
            guard try await services.purchases.ledger.write(by: self, { ([entry], [audit]) }) else {
                throw Self.overtaken
            }
            return purchase
        }
        guard let refunded else { throw Purchases.underWay }
        await Shard.notify([refunded.account], on: shards)
        return refunded
    }

    private func purchase(_ id: PurchaseID) async throws -> Purchase {
        var damage: [DamagedRow] = []
        let rows = try await store.read([Purchase.query(id)])[0]
        let found = Purchase.purchases(in: rows, into: &damage).first
        if let fault = damage.first { throw fault }
        guard let found else {
            throw Refusal(.notFound, "there is no such purchase", component: Purchases.component)
        }
        guard found.refunded == nil else {
            throw Refusal(.alreadyResolved, "it was paid back already", component: Purchases.component)
        }
        return found
    }

    private func payBack(_ purchase: Purchase) async throws {
        guard !purchase.charge.key.isEmpty else {
            throw Refusal(
                .paymentInvalid, "its store pays it back, and not the payment adaptor", component: Purchases.component,
                details: ["reason": "receipt"])
        }
        guard case .done? = await ask("refund", about: purchase.charge.key) else { throw Purchases.unsettled }
    }

    private func audit(_ purchase: Purchase, _ author: AccountAuthor, _ reason: String) -> Statement {
        AuditRecord(
            id: identifiers.next(AuditTag.self, at: clock.now), account: purchase.account, author: author,
            action: .purchaseRefund, from: .general, to: .general,
            reason: "\(identifiers.name(of: purchase.id)) \(purchase.price.text) \(reason)", at: clock.now
        ).insertion(at: clock.lasting)
    }
}
