import CairnCore
import CairnWire

@testable import CairnRoot
@testable import CairnServer

/// What features will do with rights, by hand.
extension RunningServer {
    /// The account that a client knows by this name.
    func account(named name: String) -> AccountID? { context.identifiers.identifier(named: name) }

    /// What clients call a realm.
    func name(of realm: RealmID) -> String { context.identifiers.name(of: realm) }

    private func home(of account: AccountID) -> Shard {
        shards[context.directory.place(of: .account(account))?.loop ?? 0]
    }

    /// Lets an account see what is for a scope.
    func grant(_ scope: Scope, to account: AccountID) async {
        await withCheckedContinuation { continuation in
            home(of: account).post { shard in
                shard.account(account).assumeIsolated { $0.grant(scope) { continuation.resume() } }
            }
        }
    }

    /// Takes a scope from an account; returns when every loop has answered.
    func revoke(_ scope: Scope, of account: AccountID) async {
        await withCheckedContinuation { continuation in
            home(of: account).post { shard in
                shard.account(account).assumeIsolated { $0.revoke(scope) { continuation.resume() } }
            }
        }
    }
}
