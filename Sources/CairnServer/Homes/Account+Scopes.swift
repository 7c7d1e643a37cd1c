internal import CairnCore
internal import CairnStore

/// The person's rights to scopes. The account grants and revokes them, for every device in the same order.
extension Account {
    /// Grants a scope to all devices of the person.
    func grant(_ scope: Scope) {
        guard rights.grant(scope) else { return }
        for device in devices { grant([scope], to: device) }
    }

    /// Revokes a scope. `done` is called when no device of the person can get another byte of it: every loop has
    /// removed their connections from it, dropped what waited for them, and answered.
    func revoke(_ scope: Scope, done: @escaping @Sendable () -> Void) {
        rights.end(scope)
        shard.assumeIsolated { [id] in $0.revokeEverywhere(scope, of: id, done: done) }
    }

    /// Grants all scopes of the person to a new device.
    func grantAll(to device: Participant) {
        if !rights.scopes.isEmpty { grant(rights.scopes, to: device) }
    }

    /// Reads once of which homes the person is a member, if any feature has members.
    func readRights() {
        let questions = host.context.register.rights(of: id)
        guard !questions.isEmpty, rights.beginReading() else { return }
        shard.assumeIsolated { shard in
            shard.read([questions]) { answers in self.assumeIsolated { $0.add(rights: answers.first ?? []) } }
        }
    }

    private func add(rights answers: [[Row]]) {
        var damage: [DamagedRow] = []
        let new = rights.add(stored: host.context.register.scopes(in: answers, &damage))
        host.context.store.report(damage)
        guard !new.isEmpty else { return }
        for device in devices { grant(new, to: device) }
    }

    private func grant(_ scopes: Set<Scope>, to device: Participant) {
        shard.assumeIsolated { [id] in $0.dispatch(.connection(device, .grant(scopes, of: id)), to: device.place) }
    }
}
