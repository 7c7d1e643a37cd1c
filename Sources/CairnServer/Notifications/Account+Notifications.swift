internal import CairnCore

extension Account {
    /// A notification is on disk: each device is sent what it has not received. A device that connects later reads it
    /// by itself, so nothing is lost when no device is there.
    func notifyDevices() {
        for device in devices.open {
            shard.assumeIsolated { $0.dispatch(.connection(device, .notified), to: device.place) }
        }
    }
}
