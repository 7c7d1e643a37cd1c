package import CairnCore
internal import CairnStore
package import CairnWire

/// Which entries of the audit log are asked for.
package struct AuditFilter: Sendable {
    /// About this account alone; nil = about all.
    package var account: AccountID?
    package var organisation: OrganisationID?
    /// The id of what the entry is about beside accounts and organisations (`AuditRecord.subject`); nil = entries with
    /// any subject or none.
    package var subject: String?
    /// Nil = any.
    package var actions: Set<AuditRecord.Action>?
    /// Each is a part of the author's name, in any case.
    package var author: [String] = []
    /// From this moment on, and before that one.
    package var from: WallTime?
    package var to: WallTime?
    /// Older than this entry: the end of the page before.
    package var before: AuditID?

    package init() {}

    /// - Parameter author: as answers name them.
    func takes(_ record: AuditRecord, by author: String) -> Bool {
        if let organisation, record.organisation != organisation { return false }
        if let actions, !actions.contains(record.action) { return false }
        if let from, record.at < from { return false }
        if let to, record.at >= to { return false }
        if let subject, record.subject?.id != subject { return false }
        return self.author.isEmpty || self.author.allSatisfy { author.lowercased().contains($0.lowercased()) }
    }
}

/// Entries of the audit log, the newest first.
package struct AuditPage: Sendable {
    package fileprivate(set) var records: [AuditRecord] = []
    /// Older entries are asked for with it (`AuditFilter.before`); nil = there are none.
    package fileprivate(set) var next: AuditID?
}

extension SignIn {
    /// Entries that one question reads. A filter that takes few is answered with what it took of these, and with the
    /// place at which the next question goes on.
    private static let auditRowsMax = 20_000
    /// Entries in memory at a time.
    private static let auditPageRows = 1_000

    /// The newest entries that a filter takes. Authors and reasons are sealed, so they are read one by one.
    package func audit(_ filter: AuditFilter, countMax: Int) async throws -> AuditPage {
        var (page, read, before) = (AuditPage(), 0, filter.before)
        while read < Self.auditRowsMax {
            let count = Self.auditPageRows
            let rows = try await store.read([
                AuditRecord.query(of: filter.account, below: before, countMax: count)
            ])[0]
            var damage: [DamagedRow] = []
            let records = AuditRecord.records(in: rows, into: &damage)
            store.report(damage)
            for record in records where filter.takes(record, by: record.author.name(by: identifiers)) {
                guard page.records.count < countMax else {
                    page.next = page.records.last?.id
                    return page
                }
                page.records.append(record)
            }
            guard rows.count == count, let last = try? rows.last?.integer(0) else { return page }
            before = AuditID(rawValue: UInt64(bitPattern: last))
            read += rows.count
        }
        page.next = before
        return page
    }

    /// The newest entries, about one account or all.
    package func audit(of account: AccountID?, countMax: Int) async throws -> [AuditRecord] {
        var filter = AuditFilter()
        filter.account = account
        return try await audit(filter, countMax: countMax).records
    }

    /// The newest entries about an organisation.
    package func audit(of organisation: OrganisationID) async throws -> [AuditRecord] {
        var filter = AuditFilter()
        filter.organisation = organisation
        return try await audit(filter, countMax: Self.listedMax).records
    }

    /// The newest entries whose subject has an id: an instance or a tour.
    package func audit(ofSubject id: String) async throws -> [AuditRecord] {
        var filter = AuditFilter()
        filter.subject = id
        return try await audit(filter, countMax: Self.listedMax).records
    }
}

extension AccountAuthor {
    /// As answers name them: an operator by their words, others by their id.
    package func name(by identifiers: IdentifierIssuer) -> String {
        switch self {
        case .operator(let number): "\(number)"
        case .named(let name): name
        case .admin(let account), .member(let account): identifiers.name(of: account)
        }
    }
}
