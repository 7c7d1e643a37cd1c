internal import CairnAdaptors
package import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging
internal import Synchronization

/// Charges under way, and what an earlier process has left of them (TRT-5).
///
/// One task at a time works on a charge: the request that began it, or `run`, which settles what was interrupted.
package actor Purchases {
    static let component = "purchases"
    /// An unknown tour, a draft and a withdrawn one answer alike.
    static let noTour = Refusal(.notFound, "there is no such tour", component: component)
    static let underWay = Refusal(
        .tryAgain, "a purchase of this tour is under way", component: component, retryAfter: .seconds(2))
    static let unsettled = Refusal(.providerUnavailable, component: component, retryAfter: .seconds(5))

    /// Whose purchase of what.
    struct Subject: Hashable, Sendable {
        let account: AccountID
        let tour: TourID
    }

    private nonisolated let shared = Mutex(PaymentFigures())
    private nonisolated let busy = Mutex<Set<Subject>>([])
    let ledger = Ledger()
    private static let pollPause = Duration.seconds(5)
    private static let rowsMax = 100

    package nonisolated var figures: PaymentFigures { shared.withLock { $0 } }

    nonisolated func note(_ body: (inout PaymentFigures) -> Void) { shared.withLock { body(&$0) } }

    /// Runs the only work on a purchase; nil = another one is at it.
    nonisolated func only<Value: Sendable>(
        _ subject: Subject, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        guard busy.withLock({ $0.insert(subject).inserted }) else { return nil }
        defer { _ = busy.withLock { $0.remove(subject) } }
        return try await body()
    }

    /// Settles charges that were interrupted, until the task is cancelled.
    package func run(for signIn: @escaping @Sendable () async -> SignIn) async {
        while !Task.isCancelled {
            await settle(for: await signIn())
            try? await Task.sleep(for: Self.pollPause)
        }
    }

    private func settle(for signIn: SignIn) async {
        guard let rows = try? await signIn.store.read([Payment.oldest(rowsMax: Self.rowsMax)])[0] else { return }
        note { $0.waiting = rows.count }
        for row in rows {
            do {
                let payment = try Payment(row)
                let subject = Subject(account: payment.account, tour: payment.offer.tour)
                _ = try await only(subject) {
                    // The request that was at it may have ended it meanwhile.
                    let query = Payment.query(payment.account, payment.offer.tour)
                    guard let row = try await signIn.store.read([query])[0].first else { return }
                    _ = try await signIn.settle(try Payment(row))
                }
            } catch let damage as DamagedRow {
                signIn.store.report([damage])
            } catch {
                signIn.logger.error("a charge cannot be settled now", metadata: ["cause": "\(error)"])
            }
        }
    }
}

/// What operators read of charges.
package struct PaymentFigures: Sendable {
    /// Charges that are not settled, at most 100 of them.
    var waiting = 0
    var bought: UInt64 = 0
    var refused: UInt64 = 0
    /// Charges that were paid back, because their account is gone.
    var refunded: UInt64 = 0
    /// Calls without an answer, after which the provider is asked what has become of the charge.
    var unanswered: UInt64 = 0

    fileprivate typealias Row = Metric<PaymentFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<PaymentFigures>] {
        [
            Row("payments", in: queues, unit: "charges", "charges of which it is not settled what became of them") {
                .level($0.waiting)
            }
            .family(.gauge, "cairn.payments.waiting"),
            Row(unit: "purchases", "purchases that were paid and stored") { .count($0.bought) }
                .family(.counter, "cairn.purchases"),
            Row(unit: "attempts", "purchases that the provider has declined") { .count($0.refused) }
                .family(.counter, "cairn.payments.declined"),
            Row(unit: "charges", "charges that were paid back, because their account was deleted meanwhile") {
                .count($0.refunded)
            }
            .family(.counter, "cairn.payments.refunded"),
            Row(unit: "calls", "calls of the payment adaptor without an answer") { .count($0.unanswered) }
                .family(.counter, "cairn.payments.unanswered"),
        ]
    }
}
