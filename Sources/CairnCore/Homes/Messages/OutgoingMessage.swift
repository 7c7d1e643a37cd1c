internal import CairnWire

/// Keeps a message until it is decided: the row that the teller writes with the turn that sends it.
///
/// A timer of the teller: it fires when the message has to be delivered again, when its deadline has come, and when
/// nobody can hear a copy of it any more.
struct OutgoingMessage: HomeTimer {
    static let kind: StaticText = "homes.message"

    /// The message's id.
    let subject: UInt64
    /// The envelope; empty = the message is decided and what came of it is written.
    let payload: [UInt8]

    init(_ envelope: MessageEnvelope) {
        self.init(subject: envelope.id.rawValue, payload: envelope.bytes)
    }

    init(decided id: MessageID) {
        self.init(subject: id.rawValue, payload: [])
    }

    init(subject: UInt64, payload: [UInt8]) {
        self.subject = subject
        self.payload = payload
    }

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        let id = MessageID(rawValue: subject)
        guard let message = turn.messages.sent[id] else {
            // Decided, or of a feature of before. Both rows of the message go together.
            turn.messages.ending.remove(id)
            return [.write(HeardMessage.deletion(of: id))]
        }
        guard turn.lasting < message.envelope.deadline, message.failure == nil else {
            return turn.withdraw(id, message.failure ?? .notHeard)
        }
        turn.messages.sent[id]?.pause *= 2
        return [
            .tell(message.envelope.receiver, message.delivery), .note(.messageResent),
            .delay(self, until: min(turn.lasting + message.pause, message.envelope.deadline)),
        ]
    }
}

/// A message of which its teller does not know yet what has become.
struct SentMessage: Sendable {
    let envelope: MessageEnvelope
    let message: any DurableMessage
    /// From the next delivery to the one after it.
    var pause = firstPause * 2
    /// Why it is being withdrawn; nil = it is not.
    var failure: MessageFailure?

    /// From the first delivery to the second.
    static let firstPause = Duration.seconds(1)

    var delivery: MessageDelivery { MessageDelivery(envelope, message) }
}

/// The messages of one home: what it has sent and what it has heard.
struct MessageTable: Sendable {
    /// When this life of the home began.
    private let began: LastingTime
    /// Sent and not decided, as far as the home knows.
    var sent: [MessageID: SentMessage] = [:]
    /// Decided; their rows go when nobody can hear a copy any more.
    var ending: Set<MessageID> = []
    /// Decided here, until their deadline.
    private var heard: [MessageID: MessageOutcome] = [:]
    /// The same, in the order in which they came.
    private var heardUntil: [(id: MessageID, deadline: LastingTime)] = []
    /// The store is being asked whether they were heard.
    var asking: Set<MessageID> = []

    init(began: LastingTime) { self.began = began }

    /// Whether the home has to stay awake for a message.
    var isEmpty: Bool { sent.isEmpty && ending.isEmpty && asking.isEmpty }

    /// What has been decided about a message in this life of the home; nil = nothing.
    func outcome(of id: MessageID) -> MessageOutcome? { heard[id] }

    /// Whether an earlier life may have heard it.
    func mayHaveHeard(_ envelope: MessageEnvelope) -> Bool { envelope.isRepeat || envelope.sent <= began }

    mutating func note(_ outcome: MessageOutcome, of envelope: MessageEnvelope, now: LastingTime) {
        while let first = heardUntil.first, first.deadline <= now { heard[heardUntil.removeFirst().id] = nil }
        heard[envelope.id] = outcome
        heardUntil.append((envelope.id, envelope.deadline))
    }
}

extension Turn {
    /// Keeps a message of this home, and gives what sends it.
    mutating func send(_ message: any DurableMessage, to receiver: HomeAddress) -> [Effect] {
        let envelope = MessageEnvelope(
            id: newIdentifier(), from: home, to: receiver, kind: type(of: message).kind.text, sent: lasting,
            deadline: lasting + type(of: message).lifetime, payload: message.payload(in: self))
        let sent = SentMessage(envelope: envelope, message: message)
        messages.sent[envelope.id] = sent
        return [
            .wake(at: lasting + SentMessage.firstPause, OutgoingMessage(envelope)), .tell(receiver, sent.delivery),
            .note(.messageSent),
        ]
    }

    /// Has a message decided that its receiver has not decided. Both may try at once: the first that is on disk holds,
    /// and then the store is asked which that was.
    mutating func withdraw(_ id: MessageID, _ failure: MessageFailure) -> [Effect] {
        guard let sent = messages.sent[id] else { return [] }
        messages.sent[id]?.failure = failure
        return [
            .write(HeardMessage.withdrawal(of: sent.envelope)),
            .inquire(HeardMessage.decision(about: id), MessageInquiry(id: id)),
            // Should nobody answer, it is asked again.
            .delay(OutgoingMessage(sent.envelope), until: lasting + SentMessage.firstPause),
        ]
    }

    /// A message of this home is decided; nothing where the home knew.
    mutating func conclude(_ id: MessageID, _ outcome: MessageOutcome) -> [Effect] {
        guard let sent = messages.sent.removeValue(forKey: id) else { return [] }
        messages.ending.insert(id)
        let effects: [Effect] =
            switch outcome {
            case .accepted: sent.message.delivered(in: &self)
            case .declined: sent.message.failed(.declined, in: &self)
            case .withdrawn: sent.message.failed(sent.failure ?? .notHeard, in: &self)
            }
        let end = sent.envelope.end
        // What is written is not done again; what is not may be.
        let isWritten = effects.contains(where: \.isKept)
        return effects + [
            isWritten
                ? .wake(at: end, OutgoingMessage(decided: id)) : .delay(OutgoingMessage(sent.envelope), until: end),
            .note(outcome == .accepted ? .messageAccepted : .messageFailed),
        ]
    }
}
