internal import CairnWire

/// The sender's row of a message, written with the turn that sends it.
///
/// It is a timer of the sender: it fires when the message has to be delivered again, at its deadline, and when no home
/// accepts a copy any more.
struct OutgoingMessage: HomeTimer {
    static let kind: StaticText = "homes.message"

    /// The message's id.
    let subject: UInt64
    /// The envelope; empty = the message is decided and the effects of its outcome are written.
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
            // The message is decided, or its feature is no longer registered. Both rows of the message are deleted
            // together.
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

/// A message whose outcome its sender does not know yet.
struct SentMessage: Sendable {
    let envelope: MessageEnvelope
    let message: any DurableMessage
    /// The time between the next delivery and the one after it.
    var pause = firstPause * 2
    /// Why it is being withdrawn; nil = it is not being withdrawn.
    var failure: MessageFailure?

    /// The time between the first delivery and the second.
    static let firstPause = Duration.seconds(1)

    var delivery: MessageDelivery { MessageDelivery(envelope, message) }
}

/// The durable messages of one home, sent and received.
struct MessageTable: Sendable {
    /// When this life of the home began.
    private let began: LastingTime
    /// Sent messages whose outcome the home does not know.
    var sent: [MessageID: SentMessage] = [:]
    /// Decided messages whose rows are deleted when no home accepts a copy any more.
    var ending: Set<MessageID> = []
    /// Messages that this home has decided, kept until their deadline.
    private var heard: [MessageID: MessageOutcome] = [:]
    /// The same, in the order of arrival.
    private var heardUntil: [(id: MessageID, deadline: LastingTime)] = []
    /// Messages for which the store is being asked whether they are decided.
    var asking: Set<MessageID> = []

    init(began: LastingTime) { self.began = began }

    /// Whether no message keeps the home awake.
    var isEmpty: Bool { sent.isEmpty && ending.isEmpty && asking.isEmpty }

    /// The outcome of a message that was decided in this life of the home; nil = undecided.
    func outcome(of id: MessageID) -> MessageOutcome? { heard[id] }

    /// Whether an earlier life of the home may have decided it.
    func mayHaveHeard(_ envelope: MessageEnvelope) -> Bool { envelope.isRepeat || envelope.sent <= began }

    mutating func note(_ outcome: MessageOutcome, of envelope: MessageEnvelope, now: LastingTime) {
        while let first = heardUntil.first, first.deadline <= now { heard[heardUntil.removeFirst().id] = nil }
        heard[envelope.id] = outcome
        heardUntil.append((envelope.id, envelope.deadline))
    }
}

extension Turn {
    /// Registers a message of this home and returns the effects that send it.
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

    /// Withdraws a message that the receiver has not decided. Both homes may write at the same time: the first row on
    /// disk holds, and the store is then asked which one it is.
    mutating func withdraw(_ id: MessageID, _ failure: MessageFailure) -> [Effect] {
        guard let sent = messages.sent[id] else { return [] }
        messages.sent[id]?.failure = failure
        return [
            .write(HeardMessage.withdrawal(of: sent.envelope)),
            .inquire(HeardMessage.decision(about: id), MessageInquiry(id: id)),
            // Without an answer by this time the store is asked again.
            .delay(OutgoingMessage(sent.envelope), until: lasting + SentMessage.firstPause),
        ]
    }

    /// Handles the outcome of a message of this home; no effect if the home knows it already.
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
        // Effects that are written are not carried out again. Others may be, so the row stays.
        let isWritten = effects.contains(where: \.isKept)
        return effects + [
            isWritten
                ? .wake(at: end, OutgoingMessage(decided: id)) : .delay(OutgoingMessage(sent.envelope), until: end),
            .note(outcome == .accepted ? .messageAccepted : .messageFailed),
        ]
    }
}
