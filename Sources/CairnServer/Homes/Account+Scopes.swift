internal import CairnCore

/// What a person may see beyond what everyone does. The account decides it, device by device, in one order.
extension Account {
    /// From now on all the person's devices see what is for a scope.
    func grant(_ scope: Scope) {
        guard scopes.insert(scope).inserted else { return }
        for device in devices { grant([scope], to: device) }
    }

    /// Takes a scope away. `done` is called when no device of the person can get another byte of it: every loop has
    /// taken their connections out, thrown away what waited for them, and answered.
    func revoke(_ scope: Scope, done: @escaping @Sendable () -> Void) {
        scopes.remove(scope)
        shard.assumeIsolated { [id] in $0.revokeEverywhere(scope, of: id, done: done) }
    }

    /// A device has come: it sees what the person may.
    func grantAll(to device: Participant) {
        if !scopes.isEmpty { grant(scopes, to: device) }
    }

    private func grant(_ scopes: Set<Scope>, to device: Participant) {
        shard.assumeIsolated { [id] in $0.dispatch(.connection(device, .grant(scopes, of: id)), to: device.place) }
    }
}
