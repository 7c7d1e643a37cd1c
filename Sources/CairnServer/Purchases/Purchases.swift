internal import CairnAdaptors
package import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging
internal import Synchronization

/// Charges and refunds under way, and what an earlier process has left of them (TRT-5, CMP-6).
///
/// One task at a time works on a purchase: the request that began it, or `run`, which settles what was interrupted.
package actor Purchases {
    static let component = "purchases"
    /// An unknown tour, a draft and a withdrawn one answer alike.
    static let noTour = Refusal(.notFound, "there is no such tour", component: component)
    static let underWay = Refusal(
        .tryAgain, "a purchase of this tour is under way", component: component, retryAfter: .seconds(2))
    static let unsettled = Refusal(.providerUnavailable, component: component, retryAfter: .seconds(5))

    static let keyReused = Refusal(.keyReused, "the key was used for another request", component: component)

    /// What one task at a time works on.
    enum Work: Hashable, Sendable {
        case purchase(Subject)
        /// One key of an account buys one tour.
        case key(AccountID, String)
        /// One receipt buys once, whoever shows it, and as a receipt of whichever store.
        case receipt(transaction: String)
    }

    /// Whose purchase of what.
    struct Subject: Hashable, Sendable {
        let account: AccountID
        let tour: TourID

        init(account: AccountID, tour: TourID) { (self.account, self.tour) = (account, tour) }

        init(of purchase: Purchase) { self.init(account: purchase.account, tour: purchase.tour) }
    }

    private nonisolated let shared = Mutex(PaymentFigures())
    private nonisolated let busy = Mutex<Set<Work>>([])
    let ledger = Ledger()
    private static let pollPause = Duration.seconds(5)
    private static let rowsMax = 100

    package nonisolated var figures: PaymentFigures { shared.withLock { $0 } }

    nonisolated func note(_ body: (inout PaymentFigures) -> Void) { shared.withLock { body(&$0) } }

    /// Runs the only task on a work; nil = another one is at it.
    nonisolated func only<Value: Sendable>(
        _ work: Work, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        guard busy.withLock({ $0.insert(work).inserted }) else { return nil }
        defer { _ = busy.withLock { $0.remove(work) } }
        return try await body()
    }

    /// Settles charges and refunds that were interrupted, until the task is cancelled.
    /// - Parameter refunded: called when a refund has been entered.
    package func run(
        refunded: @escaping @Sendable (Purchase) async -> Void = { _ in },
        for signIn: @escaping @Sendable () async -> SignIn
    ) async {
        while !Task.isCancelled {
            let present = await signIn()
            await settleCharges(for: present)
            for purchase in await settleRefunds(for: present) { await refunded(purchase) }
            try? await Task.sleep(for: Self.pollPause)
        }
    }

    private func settleCharges(for signIn: SignIn) async {
        guard let rows = try? await signIn.store.read([Payment.oldest(rowsMax: Self.rowsMax)])[0] else { return }
        note { $0.waiting = rows.count }
        for row in rows {
            _ = await settled("a charge", for: signIn) {
                let payment = try Payment(row)
                return try await self.only(.purchase(Subject(account: payment.account, tour: payment.offer.tour))) {
                    // The request that was at it may have ended it meanwhile.
                    let query = Payment.query(payment.account, payment.offer.tour)
                    guard let row = try await signIn.store.read([query])[0].first else { return }
                    _ = try await signIn.settle(try Payment(row))
                }
            }
        }
    }

    /// - Returns: the purchases that are paid back now.
    private func settleRefunds(for signIn: SignIn) async -> [Purchase] {
        guard let rows = try? await signIn.store.read([Refund.oldest(rowsMax: Self.rowsMax)])[0] else { return [] }
        note { $0.refundsWaiting = rows.count }
        var ended: [Purchase] = []
        for row in rows {
            let purchase = await settled("a refund", for: signIn) { () -> Purchase? in
                let purchase = try Refund(row).purchase
                let refunded = try await self.only(.purchase(Subject(of: purchase))) { () -> Purchase? in
                    // The command that was at it may have ended it meanwhile.
                    guard let row = try await signIn.store.read([Refund.query(purchase.id)])[0].first else {
                        return nil
                    }
                    return try await signIn.settle(try Refund(row))
                }
                return refunded ?? nil
            }
            if let purchase { ended.append(purchase) }
        }
        return ended
    }

    /// What `body` gives; nil after a failure, which is logged where it is not the provider's.
    private func settled<Value: Sendable>(
        _ what: String, for signIn: SignIn, _ body: () async throws -> Value?
    ) async -> Value? {
        do {
            return try await body()
        } catch let damage as DamagedRow {
            signIn.store.report([damage])
        } catch is Refusal {
            // The provider is asked again, unless it has refused, which is logged.
        } catch {
            signIn.logger.error("\(what) cannot be settled now", metadata: ["cause": "\(error)"])
        }
        return nil
    }
}

/// The metrics of charges.
package struct PaymentFigures: Sendable {
    /// Charges that are not settled, at most 100 of them.
    var waiting = 0
    /// Refunds that are not settled, at most 100 of them.
    var refundsWaiting = 0
    var bought: UInt64 = 0
    var refused: UInt64 = 0
    /// Charges that were paid back, because their account or tour is gone.
    var refunded: UInt64 = 0
    /// Calls without an answer, after which the provider is asked what has become of the charge.
    var unanswered: UInt64 = 0

    fileprivate typealias Row = Metric<PaymentFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<PaymentFigures>] {
        [
            Row("payments", in: queues, unit: "charges", "charges with an unknown outcome") {
                .level($0.waiting)
            }
            .family(.gauge, "cairn.payments.waiting"),
            Row(unit: "refunds", "refunds that the payment adaptor has not answered") { .level($0.refundsWaiting) }
                .family(.gauge, "cairn.refunds.waiting"),
            Row(unit: "purchases", "purchases that were paid and stored") { .count($0.bought) }
                .family(.counter, "cairn.purchases"),
            Row(unit: "attempts", "purchases that the provider has declined") { .count($0.refused) }
                .family(.counter, "cairn.payments.declined"),
            Row(unit: "charges", "charges that were paid back, because their account or tour was deleted meanwhile") {
                .count($0.refunded)
            }
            .family(.counter, "cairn.payments.refunded"),
            Row(unit: "calls", "calls of the payment adaptor without an answer") { .count($0.unanswered) }
                .family(.counter, "cairn.payments.unanswered"),
        ]
    }
}
