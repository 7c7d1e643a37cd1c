internal import CairnCore
internal import CairnStore

/// The person's rights to scopes. The account grants and revokes them, for every device in the same order.
extension Account {
    /// Grants a scope. `done` is called when every device of the person may see what is in it.
    func grant(_ scope: Scope, done: @escaping @Sendable () -> Void) {
        rights.grant(scope)
        change(RightChange(id, scope, isGrant: true), done: done)
    }

    /// Revokes a scope. `done` is called when no device of the person can get another byte of it: every loop has
    /// removed their connections from it, dropped what waited for them, and answered.
    func revoke(_ scope: Scope, done: @escaping @Sendable () -> Void) {
        rights.end(scope)
        change(RightChange(id, scope, isGrant: false), done: done)
    }

    private func change(_ right: RightChange, done: @escaping @Sendable () -> Void) {
        shard.assumeIsolated { $0.changeEverywhere(right, done: done) }
    }

    /// Grants all scopes of the person to a new device.
    func grantAll(to device: Participant) {
        if !rights.scopes.isEmpty { grant(rights.scopes, to: device) }
    }

    /// Reads once of which homes the person is a member, if the person may be one of any. Devices are welcomed
    /// afterwards: a person who is welcomed has all their rights.
    func readRights() {
        let questions = host.context.register.rights(of: id)
        guard !questions.isEmpty, host.context.rightHolders.mayHold(id), rights.beginReading() else { return }
        shard.assumeIsolated { shard in
            shard.read([questions]) { answers in self.assumeIsolated { $0.add(rights: answers.first ?? []) } }
        }
    }

    private func add(rights answers: [[Row]]) {
        var damage: [DamagedRow] = []
        let context = host.context
        rights.add(stored: context.register.scopes(of: id, in: answers, context.settings, &damage))
        host.context.store.report(damage)
        connectThoseWhoWait()
    }

    private func grant(_ scopes: Set<Scope>, to device: Participant) {
        shard.assumeIsolated { [id] in $0.dispatch(.connection(device, .grant(scopes, of: id)), to: device.place) }
    }
}
