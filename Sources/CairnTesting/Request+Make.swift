public import CairnCore
public import CairnFeatures
public import CairnWire

extension Request {
    /// A request with a typed body, taken through the same decoder as a client's.
    ///
    /// - Parameters:
    ///   - key: nil = one that no other id has.
    ///   - register: knows the kind. Traps for a body that no feature answers.
    public static func make(
        _ body: WireClientMessage.OneOf_Body, id: UInt32 = 1, key: String? = nil, from sender: Sender = .make(),
        register: FeatureRegister = Features.register
    ) -> Request {
        var message = WireClientMessage()
        message.id = id
        message.key = key ?? "key-\(id)"
        message.body = body
        let bytes = ClientMessageEncoder.encode(message, format: .proto)
        guard let envelope = try? ClientEnvelopeDecoder.decode(bytes, format: .proto),
            let kind = register.kind(field: envelope.field)
        else { preconditionFailure("no feature answers \(body)") }
        return Request(
            id: envelope.id, key: envelope.key, kind: kind, payload: envelope.payload, sender: sender)
    }
}

extension Rules {
    /// The shipped figures, with three presets and three reactions.
    public static func make(_ change: (inout Rules) -> Void = { _ in }) -> Rules {
        var rules = Rules()
        rules.presets = ["preset:flag", "preset:star", "preset:cairn"]
        rules.reactions = ["like", "love", "wow"]
        rules.feedbackCategories = ["bug", "idea"]
        rules.openActions = Features.register.openActions
        change(&rules)
        return rules
    }
}
