public import CairnCore
public import CairnFeatures
public import CairnWire

extension Request {
    /// A request with a typed body, which passes the same decoders as a client's. Traps for a body that no feature
    /// handles, or that its feature refuses at decoding.
    ///
    /// - Parameter key: nil = a key that is unique to the id.
    public static func make(
        _ body: WireClientMessage.OneOf_Body, id: UInt32 = 1, key: String? = nil, from sender: Sender = .make(),
        register: FeatureRegister = Features.register
    ) -> Request {
        do throws(Refusal) {
            return try decoding(body, id: id, key: key, from: sender, register: register)
        } catch {
            preconditionFailure("\(body): \(error)")
        }
    }

    /// A request like `make`'s, for bodies that may be refused.
    /// - Throws: the refusal that the session would send.
    public static func decoding(
        _ body: WireClientMessage.OneOf_Body, id: UInt32 = 1, key: String? = nil, from sender: Sender = .make(),
        register: FeatureRegister = Features.register
    ) throws(Refusal) -> Request {
        var message = WireClientMessage()
        message.id = id
        message.key = key ?? "key-\(id)"
        message.body = body
        let bytes = ClientMessageEncoder.encode(message, format: .proto)
        let envelope: ClientEnvelope
        do throws(BadMessage) {
            envelope = try ClientEnvelopeDecoder.decode(bytes, format: .proto)
        } catch {
            throw error.refusal
        }
        return Request(
            id: envelope.id, key: envelope.key,
            command: try register.command(field: envelope.field, payload: envelope.payload),
            payload: envelope.payload, sender: sender)
    }
}

extension Settings {
    /// The default settings, with changes.
    public static func make(_ change: (inout Settings) -> Void = { _ in }) -> Settings {
        var settings = Settings()
        change(&settings)
        return settings
    }
}
