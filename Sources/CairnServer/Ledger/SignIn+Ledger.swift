internal import CairnCore
internal import CairnStore
package import CairnWire

/// The operators' actions on the ledger (CMP-6).
extension SignIn {
    /// Ad revenue, as an operator enters it.
    package struct Revenue: Sendable {
        let day: String
        let amount: Money
        let source: String
        let reference: String

        /// - Parameters:
        ///   - day: `2026-11-24`, not in the future.
        ///   - source: the advertising network, 1 to 100 characters.
        ///   - reference: what the operator finds it by, 0 to 100 characters.
        package init(
            day: String, cents: Int64, currency: String, source: String, reference: String
        ) throws(Refusal) {
            guard Self.isDay(day) else {
                throw Self.fault("day", "a day as 2026-11-24")
            }
            guard currency.wholeMatch(of: /[A-Z]{3}/) != nil else { throw Self.fault("currency", "as CAD") }
            guard (1...1_000_000_000_000).contains(cents.magnitude) else {
                throw Self.fault("cents", "hundredths of the currency, below 0 for a correction")
            }
            guard (1...100).contains(source.count) else { throw Self.fault("source", "1 to 100 characters") }
            guard reference.count <= 100 else { throw Self.fault("reference", "at most 100 characters") }
            (self.day, self.source, self.reference) = (day, source, reference)
            amount = Money(cents: cents, currency: currency)
        }

        /// A day of the calendar, in a year that can be exported.
        private static func isDay(_ text: String) -> Bool {
            guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
                let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
                (1970...9999).contains(year), (1...12).contains(month)
            else { return false }
            let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            return (1...days[month - 1]).contains(day)
        }

        private static func fault(_ field: String, _ wants: String) -> Refusal {
            Refusal(
                .invalidField, "\(field): \(wants)", component: SignIn.component, details: ["field": field])
        }
    }

    /// Enters ad revenue, with an entry in the audit log.
    /// - Returns: the number of the entry.
    package func add(_ revenue: Revenue, by author: AccountAuthor) async throws {
        let now = clock.now
        guard revenue.day <= now.day else {
            throw Refusal(
                .invalidField, "day: it is yet to come", component: Self.component, details: ["field": "day"])
        }
        let fields = LedgerEntry.Fields(
            kind: .revenue, day: revenue.day, amount: revenue.amount, reference: revenue.reference,
            subject: revenue.source, written: now)
        let audit = AuditRecord(
            id: identifiers.next(AuditTag.self, at: now), account: nil, author: author, action: .ledgerRevenue,
            from: .general, to: .general, reason: "\(revenue.amount.text) \(revenue.source)", at: now
        ).insertion(at: clock.lasting)
        guard try await services.purchases.ledger.write(by: self, { ([fields], [audit]) }) else {
            throw Self.overtaken
        }
    }

    /// A page of the entries of a year, in order.
    /// - Parameter number: those behind this one.
    /// - Returns: the entries, and the number behind which the next page begins; nil = there is none.
    package func ledger(ofYear year: Int, after number: Int64) async throws -> (entries: [LedgerEntry], next: Int64?) {
        let rows = try await store.read([LedgerEntry.query(after: number, rowsMax: Self.ledgerPageRows)])[0]
        let entries = try rows.map { row throws(DamagedRow) in try LedgerEntry(row) }
        let isLast = rows.count < Self.ledgerPageRows
        return (entries.filter { $0.fields.day.hasPrefix("\(year)-") }, isLast ? nil : entries.last?.number)
    }

    private static let ledgerPageRows = 200
}
