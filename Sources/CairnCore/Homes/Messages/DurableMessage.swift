public import CairnWire

/// What one home says to another for certain: it is heard once though either home dies, or it is known not to have
/// been heard.
///
/// `Effect.send` keeps it with the writes of the teller's turn. It is delivered when they are on disk, and again after
/// pauses that grow until it is decided: the receiver has accepted or declined it, or the teller has withdrawn it at
/// its deadline. The teller then learns which, once. Decision 0020 has the protocol.
public protocol DurableMessage: Sendable {
    /// Unique for ever, begins with the feature's name: "things.handing".
    static var kind: StaticText { get }
    /// How long it may take until it is decided. Then the teller withdraws it.
    static var lifetime: Duration { get }

    /// All that it says, as it is stored and as another node would get it. Its meaning is absolute: what is to be, and
    /// not what is to change.
    func payload(in turn: Turn) -> [UInt8]
    /// Reads `payload`. What is in it is the disk's word.
    init(payload: [UInt8], in turn: Turn) throws(ColumnFault)

    /// The receiver decides, in a turn of its own. Verdict and effects are on disk together, or neither is.
    func heard(in turn: inout Turn) -> MessageVerdict
    /// The teller has woken, and what became of the message is not known yet. Comes before the home's first turn, after
    /// what is stored has been restored. It changes memory alone.
    func recalled(in turn: inout Turn)
    /// The receiver has accepted it, on disk.
    ///
    /// Where the effects write something, they are done once. Where they write nothing, they leave at once, and after
    /// a crash they may be done again, so they have to follow from what is stored.
    func delivered(in turn: inout Turn) -> [Effect]
    /// It will never be accepted. For the effects `delivered` says what holds.
    func failed(_ failure: MessageFailure, in turn: inout Turn) -> [Effect]
}

/// Names a message between homes.
public typealias MessageID = Identifier<MessageTag>

/// What a `MessageID` is of; never made.
public enum MessageTag {}

/// What a receiver decides about a message.
public enum MessageVerdict: Sendable {
    case accepted([Effect])
    case declined([Effect])
}

/// Why a message will never be accepted.
public enum MessageFailure: UInt32, Sendable {
    /// The receiver has declined it.
    case declined = 1
    /// The receiver could not hear it in time. It may be sent again.
    case notHeard
    /// The disk of the receiver will never take what accepting it writes: a fault of ours.
    case refused
}

/// What has been decided about a message: the first decision on disk holds.
enum MessageOutcome: UInt32, Sendable {
    case accepted = 1
    case declined
    /// By the teller.
    case withdrawn
}

/// A message with its address, as it is stored and delivered.
struct MessageEnvelope: Sendable {
    let id: MessageID
    let teller: HomeAddress
    let receiver: HomeAddress
    let kind: String
    /// When the teller decided to send it.
    let sent: LastingTime
    /// From then on the receiver does not hear it.
    let deadline: LastingTime
    let payload: [UInt8]
    /// It was read from the disk: the receiver may have heard it in an earlier life.
    var isRepeat = false

    /// After the deadline the receiver's note of a message stays for so long, in case another node's clock is behind.
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
