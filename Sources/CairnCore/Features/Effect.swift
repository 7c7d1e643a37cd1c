public import CairnWire

/// What a turn wants done. Effects leave in turn order, and only when the turn's writes are on disk (invariant 4).
public enum Effect: Sendable {
    /// Answer a request, the turn's own or one that it carried over from another home.
    case answer(Request, Answer)
    /// Tell all followers of the topics that it is for.
    case publish(Publication)
    /// Keep a change.
    case write(Statement)
    /// Tell another home. What is told does not outlive the process: it may be lost when one of the two dies.
    case tell(HomeAddress, any HomeMessage)
    /// Tell another home for certain.
    case send(HomeAddress, any DurableMessage)
    /// Ask the store, and go on with the request when it has answered: `Command.resume`. What earlier turns of this
    /// home have written is in the answer.
    case ask(Query, Request)
    /// Ask the store, and go on with its answer.
    case inquire(Query, any HomeInquiry)
    /// Have another home decide a request that has turned out to be its business. It has no answer yet.
    case hand(Request, HomeAddress)
    /// Have the home woken at a time, lasting milliseconds since 1970 (`Turn.lasting`). A timer of the same kind and
    /// subject is replaced.
    case wake(at: Int64, any HomeTimer)
    /// Take a timer back; nothing when there is none.
    case cancel(any HomeTimer.Type, subject: UInt64 = 0)
    /// Have a timer that is set fire at another time. Its row stays as it is: in another life of the home the timer
    /// fires at the time that is stored.
    case delay(any HomeTimer, until: Int64)
    /// Something for operators to count.
    case note(HomeEvent)
    /// One more of what developers want to know about, by one of the feature's `counts` (STA-4).
    case count(StaticText)
}

/// What operators count of homes.
public enum HomeEvent: Hashable, Sendable {
    /// A timer of a feature has fired, so long after its time.
    case timerFired(lateMilliseconds: Int64)
    case messageSent
    /// A message was not decided in time and is delivered again.
    case messageResent
    case messageAccepted
    /// A message will never be accepted: it was declined or withdrawn.
    case messageFailed
}

/// One change, for each topic of the home that its audience has.
public struct Publication: Sendable {
    public let audience: Audience
    public let change: WireEvent.OneOf_Change
    /// The instance that changed.
    public let object: InstanceID
    /// Its state for those who come later; nil = gone.
    public let state: WireInstance?

    public init(audience: Audience, change: WireEvent.OneOf_Change, object: InstanceID, state: WireInstance?) {
        self.audience = audience
        self.change = change
        self.object = object
        self.state = state
    }
}

extension Publication {
    /// An instance is new to its audience.
    /// - Parameter state: the instance as everybody sees it.
    public static func entry(of record: ObjectRecord, as state: WireInstance) -> Publication {
        var entered = WireEntered()
        entered.instance = state
        return Publication(audience: record.audience, change: .entered(entered), object: record.id, state: state)
    }

    /// An instance is gone.
    public static func departure(of record: ObjectRecord) -> Publication {
        var left = WireLeft()
        left.instance = record.wire.id
        return Publication(audience: record.audience, change: .left(left), object: record.id, state: nil)
    }
}

/// What homes say to one another. It may be lost, and it may come twice: what has to arrive is a `DurableMessage`.
public protocol HomeMessage: Sendable {
    /// Unique for ever, begins with the feature's name.
    static var kind: StaticText { get }
    /// All that it says, for a home on another node.
    var payload: [UInt8] { get }
    /// Reads `payload`.
    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault)

    /// What it does in the home that hears it. It is past refusing: the other home has decided.
    func heard(in turn: inout Turn) -> [Effect]
    /// What is done in place of hearing it when the receiving home cannot: it has lost changes, or does not wake. No
    /// writes are among it. Nil = the message tells what has happened elsewhere: a home hears it whatever became of
    /// its own turns, late rather than never, and writes nothing because of it.
    var ifNotHeard: [Effect]? { get }
}

extension HomeMessage {
    public var ifNotHeard: [Effect]? { nil }
}

/// What a home goes on with when the store has answered (`Effect.inquire`).
public protocol HomeInquiry: Sendable {
    /// What earlier turns of the home have written is in the answer.
    /// - Parameter rows: nil = the store cannot be asked.
    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect]
    /// As of a message (`HomeMessage`): what is done where the home has lost changes meanwhile.
    var ifNotHeard: [Effect]? { get }
}

extension Effect {
    /// Whether it changes what is on disk, or tells of a change.
    var needsDisk: Bool {
        switch self {
        case .write, .send, .wake, .delay, .cancel, .publish: true
        case .answer, .tell, .ask, .inquire, .hand, .note, .count: false
        }
    }

    var isPublication: Bool { if case .publish = self { true } else { false } }

    /// Whether it writes what is the feature's own.
    var isKept: Bool {
        switch self {
        case .write, .send: true
        case .answer(let request, .success): request.isChange
        default: false
        }
    }
}
