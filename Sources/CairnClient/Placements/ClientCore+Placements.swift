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
        var body = WirePlace()
        body.object = object
        body.pose = pose
        body.text = inscription.text ?? ""
        body.dataBytes = inscription.data ?? []
        body.realms = realms
        return try ask(.place(body), key: key ?? makeKey(), now: now)
    }

    /// Moves, turns or resizes an own instance, or changes what is written on it, based on the version given: answered
    /// with `edited`, which leaves out words and data that the edit did not name.
    public mutating func edit(
        _ instance: WireInstance, to pose: WirePose, inscription: Inscription = Inscription(), now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        var body = WireEdit()
        body.instance = instance.id
        body.cell = instance.cell
        body.version = instance.version
        body.pose = pose
        if let text = inscription.text { body.text = text }
        if let data = inscription.data { body.dataBytes = data }
        return try ask(.edit(body), key: makeKey(), now: now)
    }

    /// Removes an own instance: answered with `removed`.
    public mutating func remove(_ instance: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        var body = WireRemove()
        body.instance = instance.id
        body.cell = instance.cell
        return try ask(.remove(body), key: makeKey(), now: now)
    }

    /// Asks for the details of an instance in view: answered with `selected`.
    public mutating func select(_ instance: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        var body = WireSelect()
        body.instance = instance.id
        body.cell = instance.cell
        return try ask(.select(body), key: "", now: now)
    }
}
