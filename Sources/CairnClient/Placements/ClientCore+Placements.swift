public import CairnTime
public import CairnWire

/// Leaving things at places.
extension ClientCore {
    /// Places an object: answered with `placed`.
    /// - Parameters:
    ///   - realms: ids of sub-realms that share it; empty = it is public (PLC-3).
    ///   - key: nil = a new one. One of an earlier attempt, for instance from before the app was restarted, gives that
    ///     attempt's answer.
    public mutating func place(
        _ object: String, pose: WirePose, inscription: Inscription = Inscription(), realms: [String] = [],
        key: String? = nil, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        try ask(WirePlace(object, pose: pose, inscription, sharedIn: realms), key: key, now: now)
    }

    /// Moves, turns or resizes an own instance, or changes what is written on it, based on the version given: answered
    /// with `edited`, which leaves out words and data that the edit did not name.
    public mutating func edit(
        _ instance: WireInstance, to pose: WirePose, inscription: Inscription = Inscription(), now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        try ask(WireEdit(instance, to: pose, inscription), now: now)
    }

    /// Removes an own instance: answered with `removed`.
    public mutating func remove(_ instance: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        try ask(WireRemove(instance), now: now)
    }

    /// Asks for the details of an instance in view: answered with `selected`.
    public mutating func select(_ instance: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        try ask(WireSelect(instance), now: now)
    }
}

extension WirePlace {
    init(_ object: String, pose: WirePose, _ inscription: Inscription, sharedIn realms: [String]) {
        self.init()
        self.object = object
        self.pose = pose
        text = inscription.text ?? ""
        dataBytes = inscription.data ?? []
        self.realms = realms
    }
}

extension WireEdit {
    init(_ instance: WireInstance, to pose: WirePose, _ inscription: Inscription) {
        self.init()
        (self.instance, cell, version) = (instance.id, instance.cell, instance.version)
        self.pose = pose
        if let words = inscription.text { text = words }
        if let data = inscription.data { dataBytes = data }
    }
}

extension WireRemove {
    init(_ instance: WireInstance) {
        self.init()
        (self.instance, cell) = (instance.id, instance.cell)
    }
}

extension WireSelect {
    init(_ instance: WireInstance) {
        self.init()
        (self.instance, cell) = (instance.id, instance.cell)
    }
}
