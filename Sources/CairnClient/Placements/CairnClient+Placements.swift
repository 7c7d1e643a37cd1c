public import CairnWire

/// Leaving things at places.
extension CairnClient {
    /// Places an object. Returns when it is on the server's disk.
    /// - Parameters:
    ///   - inscription: words and the app's own data to put on it (PLC-16).
    ///   - realms: ids of sub-realms that share it; empty = it is public (PLC-3).
    ///   - key: of an attempt before the app was restarted; nil = a new one.
    public func place(
        _ object: String, pose: WirePose, inscription: Inscription = Inscription(), realms: [String] = [],
        key: String? = nil
    ) async throws(Refusal) -> WireInstance {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.place(object, pose: pose, inscription: inscription, realms: realms, key: key, now: now)
        }
        guard case .placed(let placed) = result else { throw Self.otherAnswer }
        return placed.instance
    }

    /// Moves, turns or resizes an own instance, or changes what is written on it. Throws `version_conflict` when it has
    /// changed since.
    /// - Parameter inscription: what it does not name stays; empty words or data are taken away.
    public func edit(
        _ instance: WireInstance, to pose: WirePose, inscription: Inscription = Inscription()
    ) async throws(Refusal) -> WireInstance {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.edit(instance, to: pose, inscription: inscription, now: now)
        }
        guard case .edited(var edited) = result else { throw Self.otherAnswer }
        // The answer leaves out what the edit did not name.
        if inscription.text == nil { edited.instance.text = instance.text }
        if inscription.data == nil { edited.instance.data = instance.data }
        return edited.instance
    }

    /// Removes an own instance. Removing again is success.
    public func remove(_ instance: WireInstance) async throws(Refusal) {
        let result = try await answer { (core, now) throws(Refusal) in try core.remove(instance, now: now) }
        guard case .removed = result else { throw Self.otherAnswer }
    }

    /// The details of an instance in view.
    public func select(_ instance: WireInstance) async throws(Refusal) -> WireSelected {
        let result = try await answer { (core, now) throws(Refusal) in try core.select(instance, now: now) }
        guard case .selected(let selected) = result else { throw Self.otherAnswer }
        return selected
    }
}
