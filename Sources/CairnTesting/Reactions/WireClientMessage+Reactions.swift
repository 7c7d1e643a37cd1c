public import CairnWire

extension WireClientMessage.OneOf_Body {
    /// React to an instance; an empty reaction withdraws.
    public static func reacting(_ reaction: String, to instance: WireInstance) -> Self {
        var body = WireReact()
        body.instance = instance.id
        body.cell = instance.cell
        body.reaction = reaction
        return .react(body)
    }

    /// List who has reacted to an instance; an empty reaction is any.
    public static func listing(reactionsTo instance: WireInstance, only reaction: String = "") -> Self {
        var body = WireListReactions()
        body.instance = instance.id
        body.cell = instance.cell
        body.reaction = reaction
        return .listReactions(body)
    }
}
