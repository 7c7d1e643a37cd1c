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
        try await note(action, on: name, about: [nil], organisation, by: author, because: reason)
    }

    /// Notes in the audit log what is about to be done, likewise.
    /// - Parameters:
    ///   - subject: the id of an instance, a tour or a purchase, as clients are told it (`AuditRecord.subject`); empty
    ///     = it is about none.
    ///   - accounts: an entry about each; nil = about something that is no account.
    package func note(
        _ action: AuditRecord.Action, on subject: String = "", about accounts: [AccountID?],
        _ organisation: OrganisationID? = nil, by author: AccountAuthor, because reason: String
    ) async throws {
        let reason = [subject, reason].filter { !$0.isEmpty }.joined(separator: " ")
        let entries = accounts.map { account in
            AuditRecord(
                id: identifiers.next(AuditTag.self, at: clock.now), account: account, author: author, action: action,
                from: .general, to: .general, organisation: organisation, reason: reason, at: clock.now
            ).insertion(at: clock.lasting)
        }
        if !entries.isEmpty { try await store.commit(entries) }
    }
}
