internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Synchronization

/// The accounts that have, or have had since the start, a right beyond everyone's scope. Of others nothing is read when
/// they sign in. Usable from any thread.
final class RightHolders: Sendable {
    /// Nil = everybody may have one.
    private let accounts: Mutex<Set<AccountID>?>

    /// Reads who has rights.
    init(of register: FeatureRegister, in store: Store) async throws {
        guard let queries = register.rightHolders else {
            accounts = Mutex(nil)
            return
        }
        let answers = queries.isEmpty ? [] : try await store.read(queries)
        let numbers = answers.joined().compactMap { try? $0.integer(0) }
        accounts = Mutex(Set(numbers.map { AccountID(rawValue: UInt64(bitPattern: $0)) }))
    }

    /// Whether rights of the account have to be read.
    func mayHold(_ account: AccountID) -> Bool { accounts.withLock { $0?.contains(account) ?? true } }

    /// A home grants a right, which is on disk. Noted before the account learns of it: an account that is not in memory
    /// now reads its rights when its person signs in.
    func note(_ account: AccountID) { accounts.withLock { _ = $0?.insert(account) } }
}
