internal import CairnCore
internal import CairnWire
internal import Synchronization

/// The demo's own walkers, whom guests see because they are nobody (SES-14). The process that runs the demo marks them;
/// no message of a client does. Empty in every other world.
final class Walkers: Sendable {
    private let accounts = Mutex<Set<AccountID>>([])

    /// Marks an account, before its first position.
    func mark(_ account: AccountID) { accounts.withLock { _ = $0.insert(account) } }

    func contains(_ account: AccountID) -> Bool { accounts.withLock { $0.contains(account) } }

    var isEmpty: Bool { accounts.withLock(\.isEmpty) }
}

extension ServerContext {
    /// Marks a person as a walker of the demo's own, before their first position.
    /// - Parameter account: its name on the wire; another text marks nobody.
    package func markWalker(_ account: String) {
        guard let id: AccountID = identifiers.identifier(named: account) else { return }
        walkers.mark(id)
    }
}
