internal import CairnCore
internal import CairnStore
package import CairnWire

/// The operators' actions that change no account.
extension SignIn {
    /// Notes in the audit log what is about to be done to a tour. On disk when it returns: nothing is done unnoted.
    /// - Parameter name: of the tour, as clients are told it.
    package func note(
        _ action: AuditRecord.Action, onTour name: String, of organisation: OrganisationID, by author: AccountAuthor,
        because reason: String
    ) async throws {
        try await note(
            action, about: [nil], organisation, by: author, because: reason.isEmpty ? name : "\(name) \(reason)")
    }

    /// Notes in the audit log what is about to be done, likewise.
    /// - Parameter accounts: an entry about each; nil = about something that is no account.
    package func note(
        _ action: AuditRecord.Action, about accounts: [AccountID?], _ organisation: OrganisationID? = nil,
        by author: AccountAuthor, because reason: String
    ) async throws {
        let entries = accounts.map { account in
            AuditRecord(
                id: identifiers.next(AuditTag.self, at: clock.now), account: account, author: author, action: action,
                from: .general, to: .general, organisation: organisation, reason: reason, at: clock.now
            ).insertion(at: clock.lasting)
        }
        if !entries.isEmpty { try await store.commit(entries) }
    }
}
