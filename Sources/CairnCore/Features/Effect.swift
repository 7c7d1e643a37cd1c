public import CairnWire

/// An output of a turn. Effects leave in turn order, and only when the turn's writes are on disk (invariant 4).
///
/// Effects are copied on their way, so large payloads are references.
public enum Effect: Sendable {
    /// Answer a request, the turn's own or one that it carried over from another home.
    case answer(Request, Answer)
    /// Answer a change with a success whose stored reply an earlier turn has written (`Turn.reply`).
    indirect case confirm(Request, Request.Result)
    /// Publish to the followers of the topics that the publication names.
    indirect case publish(Publication)
    /// Show the followers of a scope's topic something of the volatile lane: the newest counts, nothing is numbered,
    /// and who reads slowly may miss it.
    indirect case show(Scope, WireItem)
    /// Write to the store.
    case write(Statement)
    /// Send another home a message at most once: it is lost when either of the two dies.
    case tell(HomeAddress, any HomeMessage)
    /// Send another home a durable message: it is stored until the other home accepts or declines it.
    case send(HomeAddress, any DurableMessage)
    /// Query the store and resume the request with the answers (`Command.resume`). They include what earlier turns of
    /// this home have written.
    case ask([Query], Request)
    /// Read an asset, and resume the request with the reading's result: one row with one value. No row: the sender has
    /// no such asset. A refusal by the reading is the answer.
    case read(AssetID, by: AssetReading, Request)
    /// Query the store and continue with the answer, without a request.
    case inquire(Query, any HomeInquiry)
    /// Hand an unanswered request to another home, which decides it.
    case hand(Request, HomeAddress)
    /// Set a timer. It replaces one of the same kind and subject
    /// and wakes the home if it sleeps.
    case wake(at: LastingTime, any HomeTimer)
    /// Cancel a timer; no effect when there is none.
    case cancel(any HomeTimer.Type, subject: UInt64 = 0)
    /// Move a timer that is set, in memory only. After a restart of the home it fires at the stored time.
    case delay(any HomeTimer, until: LastingTime)
    /// Grant a person the right to a scope: the person's devices may then see its instances. The turn's rows record the
    /// same right (`Membership`); an account that is not in memory now reads it there later. The turn's answer leaves
    /// when every loop knows of the right.
    case admit(AccountID, to: Scope)
    /// End this right. The turn's answer leaves when no loop sends the person anything of the scope any more (SUB-5,
    /// SUB-6).
    ///
    /// `Scope.absence(of:)` is granted and ended alike: the answer leaves when no loop sends the person anything of the
    /// absent one.
    case expel(AccountID, from: Scope)
    /// List an open sub-realm under this name for searches; nil = do not list it (SUB-12).
    case list(RealmID, as: String?)
    /// Offer a published tour to everybody, in lists and to who is near; nil = do so no longer (TRM-7, TRM-10).
    case offer(TourID, as: OfferedTour?)
    /// Store a notification with the turn's other writes, and notify the recipient's connected devices when it is on
    /// disk (NTF-1).
    indirect case notify(Notification.Draft)
    /// Delete a notification with the turn's other writes, because what it told of was taken back. When that is on disk
    /// the recipient's connected devices learn how many are unread (FRD-4).
    indirect case takeBack(Notification)
    /// Count an event for operators.
    case note(HomeEvent)
    /// Add one to an engagement count, one of the feature's `counts` (STA-4).
    case count(StaticText)
}

/// Events in homes that operators' metrics count.
public enum HomeEvent: Hashable, Sendable {
    /// A timer has fired, with its delay.
    case timerFired(late: Duration)
    case messageSent
    /// A message was not decided in time and is delivered again.
    case messageResent
    case messageAccepted
    /// A message will never be accepted: it was declined or withdrawn.
    case messageFailed
    /// A person has reached this step of a way of numbered steps, or has left the way there.
    case step(JourneyStep, Int)
    /// The answer to a change was too long to be stored: a retry is refused with `answer_lost`.
    case replyTooLong
    /// A change was refused because its sender has stored as many bytes of replies as a day allows.
    case replyBytesRefused
}

/// What operators count of ways of numbered steps, such as the stops of tours (TRT-12).
public enum JourneyStep: String, CaseIterable, Hashable, Sendable {
    case begun, reached, completed, abandoned
}

/// One change, published to each topic of the home that belongs to the audience.
public struct Publication: Sendable {
    public let audience: Audience
    public let change: WireEvent.OneOf_Change
    /// The instance that changed.
    public let object: InstanceID
    /// The person whose it is, or of whom it tells; nil = no person's, and no absence hides it.
    public let owner: AccountID?
    /// Its state in later snapshots; nil = gone.
    public let state: WireInstance?

    package init(
        audience: Audience, change: WireEvent.OneOf_Change, object: InstanceID, owner: AccountID?, state: WireInstance?
    ) {
        self.audience = audience
        self.change = change
        self.object = object
        self.owner = owner
        self.state = state
    }

    /// A change of the home itself, for instance of a run or a sub-realm. It is in no snapshot.
    /// - Parameter person: the only person that the change is about; nil = it is about nobody. Followers for whom that
    ///   person is absent do not get the change.
    public init<Tag>(
        ofHome id: Identifier<Tag>, _ change: WireEvent.OneOf_Change, to audience: Audience,
        about person: AccountID? = nil
    ) {
        self.init(
            audience: audience, change: change, object: InstanceID(rawValue: id.rawValue), owner: person, state: nil)
    }

    /// A change of an instance.
    /// - Parameter audience: who learns of it; nil = the instance's audience.
    public init(
        of record: ObjectRecord, _ change: WireEvent.OneOf_Change, to audience: Audience? = nil, state: WireInstance?
    ) {
        self.init(
            audience: audience ?? record.audience, change: change, object: record.id, owner: record.owner,
            state: state)
    }
}

extension Publication {
    /// An instance is new to its audience.
    /// - Parameter state: the instance as everybody sees it.
    public static func entry(of record: ObjectRecord, as state: WireInstance) -> Publication {
        var entered = WireEntered()
        entered.instance = state
        return Publication(of: record, .entered(entered), state: state)
    }

    /// An instance is gone.
    public static func departure(of record: ObjectRecord) -> Publication {
        var left = WireLeft()
        left.instance = record.wire.id
        return Publication(of: record, .left(left), state: nil)
    }
}

/// A message between homes. It may be lost and it may come twice; use `DurableMessage` where it must arrive.
public protocol HomeMessage: Sendable {
    /// Unique for ever, begins with the feature's name.
    static var kind: StaticText { get }
    /// The message as bytes, for a home on another node.
    var payload: [UInt8] { get }
    /// Reads `payload`.
    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault)

    /// Applies the message in the receiving home. It cannot be refused: the sending home has decided.
    func heard(in turn: inout Turn) -> [Effect]
    /// Effects in place of `hear` when the receiving home has lost changes or does not wake; writes are not allowed
    /// among them. Nil = the message reports an event in another home: this home applies it late rather than never,
    /// even after its own turns were lost, and writes nothing because of it.
    var ifNotHeard: [Effect]? { get }
}

extension HomeMessage {
    public var ifNotHeard: [Effect]? { nil }
}

/// The continuation of a query of a home (`Effect.inquire`).
public protocol HomeInquiry: Sendable {
    /// Handles the answer, which includes the writes of the home's earlier turns.
    /// - Parameter rows: nil = the store cannot be asked.
    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect]
    /// As in `HomeMessage`: the effects in place of `answered` when the home has lost changes in the meantime.
    var ifNotHeard: [Effect]? { get }
}

extension Effect {
    /// Whether it changes the disk or publishes a change.
    var needsDisk: Bool {
        switch self {
        case .write, .send, .wake, .delay, .cancel, .publish, .admit, .expel, .list, .offer, .notify, .takeBack:
            true
        case .answer, .confirm, .tell, .ask, .read, .inquire, .hand, .note, .count, .show: false
        }
    }

    var isPublication: Bool { if case .publish = self { true } else { false } }

    /// Whether it writes data of a feature.
    var isKept: Bool {
        switch self {
        case .write, .send, .notify, .takeBack: true
        case .answer(let request, .success): request.isChange
        default: false
        }
    }
}
