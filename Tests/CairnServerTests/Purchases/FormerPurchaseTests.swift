import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// Purchases of worlds before, and those whose row is damaged (TRT-5, B8).
@Suite("Purchases of before", .timeLimit(.minutes(10)))
struct FormerPurchaseTests {
    private let stall: Stall

    init() async throws { stall = try await Stall.open() }

    /// Before the settings named stores a client could show a receipt as one of any store.
    @Test(arguments: ["App Store", "shop"])
    func receiptThatWasUsedUnderAnotherName_buysNoMore(name: String) async throws {
        let ada = try await stall.account(1)
        let entry = LedgerEntry.Fields(
            kind: .purchase, day: "2026-01-01", amount: Money(cents: 499, currency: "CAD"), reference: "before",
            subject: "Old port", provider: name, charge: "t-9", written: stall.signIn.clock.now)
        let isWritten = try await stall.signIn.services.purchases.ledger.write(by: stall.signIn, { ([entry], []) })
        #expect(isWritten)
        let used = await stall.refusal { try await stall.buy(by: ada, stall.receipt("t-9", of: Stall.tour)) }
        #expect(used?.code == .paymentInvalid && used?.details["reason"] == "used")
        _ = try await stall.buy(by: ada, stall.receipt("t-8", of: Stall.tour))
        // What was entered since is found as well.
        let providers = try await stall.signIn.services.purchases.ledger.providers(in: stall.signIn.store)
        #expect(providers == [name, "app-store"])
        await stall.close()
    }

    /// B8: it gives no right and nobody is charged again for it, until an operator has paid it back.
    @Test func damagedPurchase_isPaidBackByAnOperator_andTheTourCanBeBoughtAgain() async throws {
        let ada = try await stall.account(1)
        let bought = try await stall.buy(by: ada, key: "one")
        try await stall.signIn.store.commit([Statement("UPDATE purchases SET sealed = zeroblob(90)")])
        await #expect(throws: (any Error).self) { try await stall.buy(by: ada, key: "two") }
        let byAdaptor = await stall.refusal {
            try await stall.signIn.refund(bought.id, isPaidBack: false, by: .operator(1), because: "Rain")
        }
        #expect(byAdaptor?.details["reason"] == "damaged")
        let refunded = try await stall.signIn.refund(bought.id, isPaidBack: true, by: .operator(1), because: "Rain")
        #expect(refunded.price == bought.price && refunded.name == bought.name && refunded.account == ada)
        #expect(try await stall.ledger().map(\.fields.amount.cents) == [499, -499])
        // Damaged again, it is known by the ledger as paid back.
        try await stall.signIn.store.commit([Statement("UPDATE purchases SET sealed = zeroblob(90)")])
        let twice = await stall.refusal {
            try await stall.signIn.refund(bought.id, isPaidBack: true, by: .operator(1), because: "Rain")
        }
        #expect(twice?.code == .alreadyResolved)
        let again = try await stall.buy(by: ada, key: "three")
        #expect(again.id != bought.id && again.refunded == nil)
        #expect(try stall.charges() == [.charged, .charged])
        await stall.close()
    }
}
