public import CairnWire

/// What a turn wants done. Effects leave in turn order, and only when the turn's writes are on disk (invariant 4).
public enum Effect: Sendable {
    /// Answer a request, the turn's own or one that it carried over from another home.
    case answer(Request, Answer)
    /// Tell all followers of the topics that it is for.
    case publish(Publication)
    /// Keep a change.
    case write(Statement)
    /// Tell another home.
    case tell(HomeAddress, any HomeMessage)
    /// Ask the store, and go on with the request when it has answered: `Command.resume`. What earlier turns of this
    /// home have written is in the answer.
    case ask(Query, Request)
    /// Have another home decide a request that has turned out to be its business. It has no answer yet.
    case hand(Request, HomeAddress)
    /// Have the home woken at a time, lasting milliseconds since 1970 (`Turn.lasting`). A timer of the same kind and
    /// subject is replaced.
    case wake(at: Int64, any HomeTimer)
    /// Take a timer back; nothing when there is none.
    case cancel(any HomeTimer.Type, subject: UInt64 = 0)
    /// One more of what developers want to know about, by one of the feature's `counts` (STA-4).
    case count(StaticText)
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

/// What homes say to one another.
public protocol HomeMessage: Sendable {
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
