internal import CairnCore
internal import CairnStore
package import CairnWire

/// The operators' actions on tours.
extension SignIn {
    /// Notes in the audit log what is about to be done to a tour. On disk when it returns: nothing is done unnoted.
    /// - Parameter name: of the tour, as clients are told it.
    package func note(
        _ action: AuditRecord.Action, onTour name: String, of organisation: OrganisationID, by author: AccountAuthor,
        because reason: String
    ) async throws {
        let entry = AuditRecord(
            id: identifiers.next(AuditTag.self, at: clock.now), account: nil, author: author, action: action,
            from: .general, to: .general, organisation: organisation,
            reason: reason.isEmpty ? name : "\(name) \(reason)", at: clock.now)
        try await store.commit([entry.insertion(at: clock.lasting)])
    }
}
