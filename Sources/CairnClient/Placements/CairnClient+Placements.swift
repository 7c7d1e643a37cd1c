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
        try await ask(WirePlace(object, pose: pose, inscription, sharedIn: realms), key: key).instance
    }

    /// Moves, turns or resizes an own instance, or changes what is written on it. Throws `version_conflict` when it has
    /// changed since.
    /// - Parameter inscription: what it does not name stays; empty words or data are taken away.
    public func edit(
        _ instance: WireInstance, to pose: WirePose, inscription: Inscription = Inscription()
    ) async throws(Refusal) -> WireInstance {
        var edited = try await ask(WireEdit(instance, to: pose, inscription)).instance
        // The answer leaves out what the edit did not name.
        if inscription.text == nil { edited.text = instance.text }
        if inscription.data == nil { edited.data = instance.data }
        return edited
    }

    /// Removes an own instance. Removing again is success.
    public func remove(_ instance: WireInstance) async throws(Refusal) {
        _ = try await ask(WireRemove(instance))
    }

    /// The details of an instance in view.
    public func select(_ instance: WireInstance) async throws(Refusal) -> WireSelected {
        try await ask(WireSelect(instance))
    }
}
