internal import CairnCore
internal import CairnWire

extension Account {
    /// A notification is on disk: each device is sent what it has not received. A device that connects later reads it
    /// by itself, so nothing is lost when no device is there.
    ///
    /// Nothing is said of what a person has caused who is absent for this one, not even that the number of unread ones
    /// has to be looked at (FRD-7).
    func notifyDevices(about person: AccountID?) {
        if let person, rights.scopes.contains(.absence(of: person)) { return }
        for device in devices.open {
            shard.assumeIsolated { $0.dispatch(.connection(device, .notified), to: device.place) }
        }
    }
}
