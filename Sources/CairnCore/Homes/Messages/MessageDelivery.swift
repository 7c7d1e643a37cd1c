internal import CairnWire

/// A copy of a durable message on its way to the receiver. Several copies may arrive, at any time and in any order.
struct MessageDelivery: HomeMessage {
    static let kind: StaticText = "homes.delivery"

    let envelope: MessageEnvelope
    /// The decoded message; nil = it arrived as bytes.
    private let message: (any DurableMessage)?

    init(_ envelope: MessageEnvelope, _ message: (any DurableMessage)?) {
        self.envelope = envelope
        self.message = message
    }

    var payload: [UInt8] { envelope.bytes }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        self.init(try MessageEnvelope(bytes: payload), nil)
    }

    /// A receiver that has lost changes or does not wake decides nothing and reports that to the sender, which may
    /// withdraw the message.
    var ifNotHeard: [Effect]? { [.tell(envelope.teller, MessageUnheard(id: envelope.id, failure: .notHeard))] }

    func heard(in turn: inout Turn) -> [Effect] {
        // The sender is withdrawing the message, or knows its outcome already.
        guard turn.lasting < envelope.deadline else { return [] }
        if let outcome = turn.messages.outcome(of: envelope.id) { return [acknowledgement(outcome)] }
        guard turn.messages.mayHaveHeard(envelope) else { return decide(in: &turn) }
        guard turn.messages.asking.insert(envelope.id).inserted else { return [] }
        return [.inquire(HeardMessage.decision(about: envelope.id), self)]
    }

    private func decide(in turn: inout Turn) -> [Effect] {
        let verdict: MessageVerdict
        do throws(ColumnFault) {
            verdict = try decoded(in: turn).heard(in: &turn)
        } catch {
            verdict = .declined([])
        }
        let (outcome, effects): (MessageOutcome, [Effect]) =
            switch verdict {
            case .accepted(let effects): (.accepted, effects)
            case .declined(let effects): (.declined, effects)
            }
        turn.messages.note(outcome, of: envelope, now: turn.lasting)
        return effects + [.write(HeardMessage.insertion(outcome, of: envelope)), acknowledgement(outcome)]
    }

    private func decoded(in turn: Turn) throws(ColumnFault) -> any DurableMessage {
        if let message { return message }
        return try turn.register.decoded(envelope, in: turn)
    }

    private func acknowledgement(_ outcome: MessageOutcome) -> Effect {
        .tell(envelope.teller, MessageAcknowledgement(id: envelope.id, outcome: outcome))
    }
}

/// The store has answered whether the receiver decided the message in an earlier life.
extension MessageDelivery: HomeInquiry {
    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        turn.messages.asking.remove(envelope.id)
        // The next copy of the message asks the store again.
        guard let rows, turn.lasting < envelope.deadline else { return [] }
        if let outcome = turn.messages.outcome(of: envelope.id) { return [acknowledgement(outcome)] }
        guard !rows.isEmpty else { return decide(in: &turn) }
        guard let outcome = HeardMessage.outcome(in: rows, &turn) else { return [] }
        turn.messages.note(outcome, of: envelope, now: turn.lasting)
        return [acknowledgement(outcome)]
    }
}

/// Reports the receiver's decision, which is on disk, to the sender.
struct MessageAcknowledgement: HomeMessage {
    static let kind: StaticText = "homes.acknowledgement"

    let id: MessageID
    let outcome: MessageOutcome

    init(id: MessageID, outcome: MessageOutcome) {
        self.id = id
        self.outcome = outcome
    }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let fate = try? WireBody.decode(WireHomeMessageFate.self, from: payload),
            let outcome = MessageOutcome(rawValue: fate.fate)
        else { throw ColumnFault(0, .unreadable) }
        self.init(id: MessageID(rawValue: fate.id), outcome: outcome)
    }

    var payload: [UInt8] { WireHomeMessageFate.bytes(of: id, outcome.rawValue) }

    /// A home that has lost changes asks again when it is loaded again.
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] { turn.conclude(id, outcome) }
}

/// Reports that the receiver could not handle one copy. It may have handled another.
struct MessageUnheard: HomeMessage {
    static let kind: StaticText = "homes.unheard"

    let id: MessageID
    let failure: MessageFailure

    init(id: MessageID, failure: MessageFailure) {
        self.id = id
        self.failure = failure
    }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let fate = try? WireBody.decode(WireHomeMessageFate.self, from: payload),
            let failure = MessageFailure(rawValue: fate.fate)
        else { throw ColumnFault(0, .unreadable) }
        self.init(id: MessageID(rawValue: fate.id), failure: failure)
    }

    var payload: [UInt8] { WireHomeMessageFate.bytes(of: id, failure.rawValue) }

    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard let sent = turn.messages.sent[id], sent.failure == nil else { return [] }
        return turn.withdraw(id, failure)
    }
}

/// Asks the store for the outcome of a message that its sender has tried to withdraw.
struct MessageInquiry: HomeInquiry {
    let id: MessageID

    var ifNotHeard: [Effect]? { [] }

    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        guard let rows, let outcome = HeardMessage.outcome(in: rows, &turn) else { return [] }
        return turn.conclude(id, outcome)
    }
}

extension WireHomeMessageFate {
    fileprivate static func bytes(of id: MessageID, _ fate: UInt32) -> [UInt8] {
        var wire = WireHomeMessageFate()
        wire.id = id.rawValue
        wire.fate = fate
        return WireBody.encode(wire)
    }
}
