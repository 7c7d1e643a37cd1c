internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Providers' accounts that were linked once (ACC-13).
extension SignIn {
    /// The account that a provider's account signed in to and was unlinked from within `accounts.undoDays`: it leads
    /// back there, so that whoever unlinks it does not get the account for good. Nil = there is none.
    ///
    /// One that had been linked for a shorter time does not sign in again, since it may be a stranger's that the person
    /// has got rid of. Neither does one that a reset or an operator's sign-out has ended: whoever owns the account
    /// links it again. One that has led back counts as linked since before.
    /// - Throws: `forbidden` for such a one.
    func account(ofFormer identity: AccessChange.Identity) async throws -> AccountID? {
        let entries = entries(try await store.read([AccessRecord.query(identity, after: undoLimit)])[0])
            .filter { !$0.isUndone }
        guard let last = entries.first else { return nil }
        switch last.change {
        case .providerUnlinked:
            let wasLinkedLately = entries.contains { entry in
                if case .providerLinked = entry.change { entry.account == last.account } else { false }
            }
            guard !wasLinkedLately else { throw Self.unlinked }
            return last.account
        case .providerEnded: throw Self.unlinked
        default: return nil
        }
    }

    private static let unlinked = forbidden(
        "this provider's account was unlinked: sign in as otherwise, and link it again", reason: "unlinked")
}
