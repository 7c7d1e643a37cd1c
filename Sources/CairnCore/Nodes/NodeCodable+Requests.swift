public import CairnWire

// What people ask for and what they are answered, and what many are told.

extension Sender: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(participant, account, name, position, view, scopes, shownPlace, language)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            participant: try decoder.get(), account: try decoder.get(), name: try decoder.get(),
            position: try decoder.get(), view: try decoder.get(), scopes: try decoder.get(),
            shownPlace: try decoder.get(), language: try decoder.get())
    }
}

extension Request: NodeCodable {
    /// The body travels as the client wrote it; its command is made of it again.
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(id, key, kind.field, sender)
        encoder.put(bytes: payload)
        encoder.put(moment: receivedAt)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let (id, key) = (try decoder.get(UInt32.self), try decoder.get(String.self))
        let field = try decoder.get(UInt32.self)
        let (sender, payload) = (try decoder.get(Sender.self), try decoder.bytes())
        let receivedAt = try decoder.moment()
        do throws(Refusal) {
            let command = try decoder.register.command(field: field, payload: payload)
            self.init(
                id: id, key: key, command: command, payload: payload, sender: sender, receivedAt: receivedAt)
        } catch {
            throw .unreadable
        }
    }
}

extension Refusal: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(code.rawValue, text, component, retryAfter, details)
    }

    /// The code's own texts are the register's.
    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let name = try decoder.get(String.self)
        let code = decoder.register.refusals.first { $0.rawValue == name } ?? Code(rawValue: name)
        self.init(code, try decoder.get(), component: try decoder.get())
        retryAfter = try decoder.get()
        details = try decoder.get()
    }
}

extension Refusal.Text: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(pieces) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(pieces: try decoder.get())
    }
}

extension Refusal.Text.Piece: NodeCodable {
    private enum Kind: UInt8 {
        case words, plain, text
    }

    public func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .words(let words): encoder.put(Kind.words.rawValue, words)
        case .plain(let plain): encoder.put(Kind.plain.rawValue, plain)
        case .text(let text): encoder.put(Kind.text.rawValue, text)
        }
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch Kind(rawValue: try decoder.get()) {
        case .words: self = .words(try decoder.get())
        case .plain: self = .plain(try decoder.get())
        case .text: self = .text(try decoder.get())
        case nil: throw .outOfRange
        }
    }
}

extension Answer: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .success(let result): Self.encode(Kind.success, result, to: &encoder)
        case .unchanged(let result): Self.encode(Kind.unchanged, result, to: &encoder)
        case .refusal(let refusal): encoder.put(Kind.refusal, refusal)
        }
    }

    private enum Kind {
        static let refusal: UInt8 = 0
        static let success: UInt8 = 1
        static let unchanged: UInt8 = 2
    }

    private static func encode(_ kind: UInt8, _ result: Request.Result, to encoder: inout NodeEncoder) {
        var reply = WireReply()
        reply.result = result
        encoder.put(kind)
        encoder.put(message: reply)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let kind = try decoder.get(UInt8.self)
        guard kind != Kind.refusal else {
            self = .refusal(try decoder.get())
            return
        }
        guard kind <= Kind.unchanged, let result = try decoder.message(WireReply.self).result else {
            throw .unreadable
        }
        self = kind == Kind.success ? .success(result) : .unchanged(result)
    }
}

extension EncodedItem: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(bytes: proto)
        encoder.put(json, short)
    }

    public convenience init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(encodedProto: try decoder.bytes(), json: try decoder.get(), short: try decoder.get())
    }
}

extension PoseSample: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(coordinate, heightMetres, orientation, accuracyMetres)
        encoder.put(moment: at)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            coordinate: try decoder.get(), heightMetres: try decoder.get(), orientation: try decoder.get(),
            accuracyMetres: try decoder.get(), at: try decoder.moment())
    }
}

extension PresenceBoard.Person: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(id, name, gridMetres) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(id: try decoder.get(), name: try decoder.get(), gridMetres: try decoder.get())
    }
}
