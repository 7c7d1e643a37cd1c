internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// Work that one loop has another loop do for clients. A value with a codec, so that the other loop may be on another
/// node; within a process it is passed as it is.
///
/// Work that concerns this process alone is a closure (`Shard.post`) and has no codec: operators' questions
/// (`StatsRoom.ask`), answers and outcomes of the store, ends of tasks.
enum ShardWork: Sendable {
    /// For a home, which wakes for it.
    case home(HomeAddress, HomeWork)
    /// For the presence of a cell.
    case cell(CellID, CellWork)
    /// For the people in a space.
    indirect case space(SpaceID, SpaceWork)
    /// For the devices of an account.
    case account(AccountID, AccountWork)
    /// For the followers of a topic on that loop.
    case topic(Topic, TopicWork)
    /// For one connection, if it is still there.
    case connection(Participant, ConnectionWork)
    /// For the loop that holds a session.
    case session(SessionWork)
    /// For all sessions of the loop.
    case sessions(SessionsWork)
    /// A loop answers the barrier of this number: it has granted or ended the right.
    case rightChanged(barrier: UInt64, by: Place)
    /// An account has granted or ended a right on every loop, for the loop of the home that decided so.
    case rightsDone(number: UInt64)
    /// A home has set a timer, which is on disk: for the loop that wakes homes in time.
    case timerSet(HomeAddress, due: LastingTime)
}

/// Work for the presence of a cell.
enum CellWork: Sendable {
    case enter(
        Participant, of: AccountID, as: PresenceBoard.Person?, at: PoseSample, standing: Coordinate)
    case move(Participant, to: PoseSample, standing: Coordinate)
    /// A person stands in the cell and is shown in another one.
    case watch(Participant, of: AccountID, standing: Coordinate)
    /// A session was taken over by another connection.
    case replace(Participant, with: Participant)
    case leave(Participant)
    /// A follower who missed batches is told who is here.
    case sendKeyframe(Scope, to: Participant, of: AccountID, number: UInt64)
}

/// Work for the volatile part of a space.
enum SpaceWork: Sendable {
    case move(Movement)
}

/// Work for an account: its devices and their changes.
enum AccountWork: Sendable {
    /// A change on its way to the home that decides.
    case receive(Request)
    /// The home has decided.
    case decided(Request, Answer)
    case connect(Participant, session: SessionID, resuming: SessionID?)
    /// The session that a connection wanted to take over was gone.
    case beganAnew(Participant, session: SessionID)
    case detach(Participant)
    case disconnect(Participant, session: SessionID)
    /// A home grants the person a right or ends it; the loop of the home learns when all loops have done so.
    case change(RightChange, number: UInt64, at: Place)
    /// The person has a new notification, which is on disk.
    /// - Parameter about: the person whose action it reports; nil = it reports no person's.
    case notified(about: AccountID?)

    /// Whether an account that is not in memory is made for it.
    var isForAnyAccount: Bool {
        switch self {
        case .receive, .decided, .connect: true
        // An account reads its rights when it is made.
        // Devices read their notifications when they connect.
        case .beganAnew, .detach, .disconnect, .change, .notified: false
        }
    }
}

/// Work for the followers of a topic.
enum TopicWork: Sendable {
    case event(EncodedItem)
    case presence(EncodedItem)
    /// By the group of receivers; nil = that group is told nothing.
    case crowd([EncodedItem?])
    /// How many others there are: what to tell whom, and each count encoded.
    case count(HiddenCount.News, [Int: EncodedItem])
}

/// Work for one connection: from its account, from homes that it follows and from homes that it has asked.
enum ConnectionWork: Sendable {
    /// The account has counted its devices.
    case welcome(isAdmitted: Bool)
    /// The answer to one of its requests.
    case answer(AnswerToRequest)
    /// A home has answered `follow`: the state of the topic, or of the account's excerpt of it. The number tells a late
    /// answer from a fresh one.
    case follow(Topic, number: UInt64, group: UInt16, isExcerpt: Bool, items: [[UInt8]])
    /// From here on the follow of this number gets the account's excerpt; first these items.
    case beginExcerpt(Topic, number: UInt64, ExcerptItems)
    /// For a follower that gets an excerpt.
    indirect case excerpt(Topic, TopicWork)
    /// A home goes by who is absent, as `HomeWork.change` of this number told it.
    case absencesKnown(number: UInt64)
    /// What of a topic a home presents to the person, for the snapshot of this number.
    indirect case presented(Topic, number: UInt64, WireWorldSnapshot)
    /// The people who are in a cell, for a follower who missed batches.
    case keyframe([UInt8], of: Topic, number: UInt64)
    /// Where the person stands decides what they are told of a crowd.
    case group(CellID, UInt16)
    /// The person's poses would come at better moments with this shift.
    case shiftPositions(Duration)
    /// Another device of the person has brought a thing of theirs into a cell.
    case ownInstance(WireInstance)
    case grant(Set<Scope>, of: AccountID)
    /// The person has notifications, or a count of them, that the connection has not been sent.
    case notified
}

/// What a follower is sent when its excerpt of a topic begins or changes.
struct ExcerptItems: Sendable {
    /// Nil = it needs a snapshot.
    let events: [[UInt8]]?
    /// The people who leave and join; nil = none.
    let presence: [UInt8]?
    /// Whether what waits in the outbox may be of a person who is absent now.
    let revokes: Bool
}

/// The answer to a request, on its way to the connection that asked.
struct AnswerToRequest: Sendable {
    let requestID: UInt32
    /// `MessageKind.field`.
    let field: UInt32
    /// As of the request: the moment is the connection's own loop's.
    let receivedAt: MonotonicTime
    let answer: Answer

    init(_ answer: Answer, to request: Request) {
        self.init(
            requestID: request.id, field: request.kind.field, receivedAt: request.receivedAt, answer: answer)
    }

    init(requestID: UInt32, field: UInt32, receivedAt: MonotonicTime, answer: Answer) {
        self.requestID = requestID
        self.field = field
        self.receivedAt = receivedAt
        self.answer = answer
    }
}

/// Work for a session whose client was cut or resumes.
enum SessionWork: Sendable {
    /// Another connection of the account goes on with it.
    case surrender(SessionID, of: Participant, to: Participant)
    /// Here is the state of a session that another connection had; nil = it was gone.
    indirect case adopt(Session.State?, from: Participant, to: Participant)
    /// The cut session ends: no connection can take it over any more.
    case giveUp(SessionID)
}

/// Work for all matching sessions of a loop.
enum SessionsWork: Sendable {
    /// Sessions that signed in with an older token of the app are signed out.
    case signOut(AccountID, issuedBefore: WallTime)
    /// A home that lost a change is read anew: its followers get a fresh snapshot.
    case renewFollowers(of: HomeAddress)
    /// A right of an account begins or ends; the loop of the barrier learns when that is so here.
    case change(RightChange, barrier: UInt64, at: Place)
}
