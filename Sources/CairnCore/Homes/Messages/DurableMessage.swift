public import CairnWire

/// A message between homes with a certain outcome: the receiver handles it exactly once, even if either home dies, or
/// the sender learns that it was never handled. The sending home is the teller in names.
///
/// `Effect.send` stores it with the writes of the sender's turn. It is delivered when they are on disk, and again after
/// growing pauses until it is decided: the receiver has accepted or declined it, or the sender has withdrawn it at its
/// deadline. The sender then learns the outcome, once. Decision 0020 has the protocol.
public protocol DurableMessage: Sendable {
    /// Unique for ever, begins with the feature's name: "things.handing".
    static var kind: StaticText { get }
    /// The time after which the sender withdraws an undecided message.
    static var lifetime: Duration { get }

    /// The content, as it is stored and as another node would get it. It states a final value and not a difference, so
    /// that handling it does not depend on the present state.
    func payload(in turn: Turn) -> [UInt8]
    /// Reads `payload`. The bytes come from the disk and may be damaged.
    init(payload: [UInt8], in turn: Turn) throws(ColumnFault)

    /// The receiver decides, in a separate turn. Verdict and effects are on disk together, or neither is.
    func heard(in turn: inout Turn) -> MessageVerdict
    /// The sender has woken and does not know the outcome yet. Called before the home's first turn, after the stored
    /// state is restored. It changes memory only.
    func recalled(in turn: inout Turn)
    /// The receiver has accepted it, on disk.
    ///
    /// Effects that write something are carried out once. Effects that write nothing leave at once and may be carried
    /// out again after a crash, so they must follow from stored state.
    func delivered(in turn: inout Turn) -> [Effect]
    /// The message will never be accepted. The rule for effects is that of `delivered`.
    func failed(_ failure: MessageFailure, in turn: inout Turn) -> [Effect]
}

/// Names a message between homes.
public typealias MessageID = Identifier<MessageTag>

/// Marks the type `MessageID`; it has no values.
public enum MessageTag {}

/// A receiver's decision about a message.
public enum MessageVerdict: Sendable {
    case accepted([Effect])
    case declined([Effect])
}

/// Why a message will never be accepted.
public enum MessageFailure: UInt32, Sendable {
    /// The receiver has declined it.
    case declined = 1
    /// The receiver could not handle it in time. It may be sent again.
    case notHeard
    /// The receiver's store has refused the writes of the acceptance for good, because of a bug.
    case refused
}

/// The outcome of a message: the first decision on disk holds.
enum MessageOutcome: UInt32, Sendable {
    case accepted = 1
    case declined
    /// The sender has withdrawn it.
    case withdrawn
}

/// A message with its address, as it is stored and delivered.
struct MessageEnvelope: Sendable {
    let id: MessageID
    let teller: HomeAddress
    let receiver: HomeAddress
    let kind: String
    /// When the turn that sends it ran.
    let sent: LastingTime
    /// From this time on the receiver ignores the message.
    let deadline: LastingTime
    let payload: [UInt8]
    /// The message was read from the disk: the receiver may have decided it in an earlier life.
    var isRepeat = false

    /// How long after the deadline the receiver's row of a message is kept, in case another node's clock is behind.
    static let clockMargin = Duration.seconds(1)

    /// The time from which no home accepts a copy of the message.
    var end: LastingTime { deadline + Self.clockMargin }

    init(
        id: MessageID, from teller: HomeAddress, to receiver: HomeAddress, kind: String, sent: LastingTime,
        deadline: LastingTime, payload: [UInt8]
    ) {
        self.id = id
        self.teller = teller
        self.receiver = receiver
        self.kind = kind
        self.sent = sent
        self.deadline = deadline
        self.payload = payload
    }

    init(bytes: [UInt8]) throws(ColumnFault) {
        guard let wire = try? WireBody.decode(WireHomeMessage.self, from: bytes),
            let teller = HomeAddress(name: wire.teller), let receiver = HomeAddress(name: wire.receiver)
        else { throw ColumnFault(1, .unreadable) }
        self.init(
            id: MessageID(rawValue: wire.id), from: teller, to: receiver, kind: wire.kind,
            sent: LastingTime(milliseconds: wire.sent), deadline: LastingTime(milliseconds: wire.deadline),
            payload: wire.payloadBytes)
        isRepeat = wire.isRepeat
    }

    var bytes: [UInt8] {
        var wire = WireHomeMessage()
        wire.id = id.rawValue
        wire.teller = teller.name
        wire.receiver = receiver.name
        wire.kind = kind
        wire.sent = sent.milliseconds
        wire.deadline = deadline.milliseconds
        wire.payloadBytes = payload
        wire.isRepeat = isRepeat
        return WireBody.encode(wire)
    }
}
