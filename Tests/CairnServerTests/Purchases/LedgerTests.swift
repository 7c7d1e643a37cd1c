import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// The ledger of purchases, refunds and ad revenue (CMP-6).
@Suite("Ledger (CMP-6)", .timeLimit(.minutes(10)))
struct LedgerTests {
    private let stall: Stall

    init() async throws { stall = try await Stall.open() }

    @Test func revenue_isEnteredWithAnAuditEntry() async throws {
        try await stall.signIn.add(Self.revenue(day: "2026-11-01"), by: .operator(7))
        let entry = try #require(try await stall.ledger().first)
        #expect(entry.fields.kind == .revenue && entry.fields.day == "2026-11-01")
        #expect(entry.fields.amount == Money(cents: 12_345, currency: "CAD") && entry.fields.subject == "Ads Inc.")
        let audit = try #require(try await stall.signIn.audit(of: nil, countMax: 1).first)
        #expect(audit.action == .ledgerRevenue && audit.author == .operator(7))
        await stall.close()
    }

    @Test func badRevenue_isRefused() async throws {
        for (day, cents, currency, source) in [
            ("2026-13-01", 1, "CAD", "x"), ("2026-11-1", 1, "CAD", "x"), ("2026-11-01", 0, "CAD", "x"),
            ("2026-11-01", 1, "cad", "x"), ("2026-11-01", 1, "CAD", ""),
        ] {
            #expect(throws: Refusal.self) {
                try SignIn.Revenue(
                    day: day, cents: Int64(cents), currency: currency, source: source, reference: "")
            }
        }
        await #expect(throws: Refusal.self) {
            try await stall.signIn.add(Self.revenue(day: "9998-01-01"), by: .operator(1))
        }
        await stall.close()
    }

    @Test func entries_followOneAnother_overARestart() async throws {
        try await stall.signIn.add(Self.revenue(day: "2026-11-01"), by: .operator(1))
        let later = try await Stall.signIn(on: stall.world, stall.adaptors)
        try await later.add(Self.revenue(day: "2025-11-02"), by: .operator(1))
        let entries = try await stall.ledger()
        #expect(entries.map(\.number) == [1, 2] && entries[1].before == entries[0].mark)
        #expect(try await later.ledger(ofYear: 2_025, after: 0).entries.map(\.number) == [2])
        #expect(try await later.ledger(ofYear: 2_024, after: 0).entries.isEmpty)
        await stall.close()
    }

    @Test func manyWriters_leaveNoGap() async throws {
        let stall = stall
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { try? await stall.signIn.add(Self.revenue(day: "2026-11-01"), by: .operator(1)) }
            }
        }
        let entries = try await stall.ledger()
        #expect(entries.map(\.number) == Array(1...50))
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.mark == $1.before })
        await stall.close()
    }

    /// The mark is what anybody can compute from an export.
    @Test func mark_isTheHashOfTheFieldsAsNetstrings() {
        let fields = LedgerEntry.Fields(
            kind: .revenue, day: "2026-11-01", amount: Money(cents: 5, currency: "CAD"), reference: "r",
            subject: "Ads", written: WallTime(milliseconds: 1_790_000_000_000))
        let entry = LedgerEntry(number: 1, fields, after: "00")
        #expect(entry.mark == "58a7b7e648da519f554e898d285d6792987f6b34419b0308dfe9a793a43204c2")
        #expect(entry.values.count == LedgerEntry.columns.count)
    }

    private static func revenue(day: String) -> SignIn.Revenue {
        guard
            let revenue = try? SignIn.Revenue(
                day: day, cents: 12_345, currency: "CAD", source: "Ads Inc.", reference: "r-1")
        else { preconditionFailure("it is sound") }
        return revenue
    }
}
