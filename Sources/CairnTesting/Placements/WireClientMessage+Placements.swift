public import CairnWire

extension WireClientMessage.OneOf_Body {
    /// Place a preset.
    public static func placing(
        _ object: String = "preset:flag", _ pose: WirePose = .make(), text: String = "", data: [UInt8] = [],
        realms: [String] = []
    ) -> Self {
        var body = WirePlace()
        body.object = object
        body.realms = realms
        body.pose = pose
        body.text = text
        body.dataBytes = data
        return .place(body)
    }

    /// Move, turn or resize an instance, or change what is written on it.
    public static func editing(
        _ instance: WireInstance, to pose: WirePose, version: UInt32? = nil, text: String? = nil, data: [UInt8]? = nil
    ) -> Self {
        var body = WireEdit()
        body.instance = instance.id
        body.cell = instance.cell
        body.version = version ?? instance.version
        body.pose = pose
        if let text { body.text = text }
        if let data { body.dataBytes = data }
        return .edit(body)
    }

    /// Remove an instance.
    public static func removing(_ instance: WireInstance) -> Self {
        var body = WireRemove()
        body.instance = instance.id
        body.cell = instance.cell
        return .remove(body)
    }

    /// Ask for an instance's details.
    public static func selecting(_ instance: WireInstance) -> Self {
        var body = WireSelect()
        body.instance = instance.id
        body.cell = instance.cell
        return .select(body)
    }
}
