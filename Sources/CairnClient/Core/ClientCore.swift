public import CairnGeo
public import CairnTime
public import CairnWire

/// A client without its socket: bytes of server messages in, events out; calls in, bytes to send out.
///
/// It does no I/O, starts no thread and knows no clock but the `now` it is given (of any origin), so that an app's
/// actor, a load bot and a test drive the same code. After any call, send the messages of `takeOutgoing`, and call
/// `wake` at `nextWake`.
///
/// It keeps what must survive a cut: who the user is, the view with its cursors, and every request without an answer.
public struct ClientCore: Sendable {
    /// How far the session is.
    public enum Phase: Hashable, Sendable {
        /// No connection.
        case offline
        /// `hello` is sent, `welcome` has not come.
        case greeting
        /// Requests are taken.
        case live
    }

    public internal(set) var phase = Phase.offline
    public internal(set) var profile: ClientProfile
    /// The last welcome; survives a cut.
    public internal(set) var welcome: WireWelcome?
    /// The instances around the user.
    public internal(set) var view = LiveView()
    /// The run that the user is on, as last told; nil = none (TRT-5).
    public internal(set) var run: WireRun?
    /// The people around the user, by cell. Empty in `PresenceMode.raw`.
    public internal(set) var rosters: [CellID: Roster] = [:]
    /// Values that short batches omit, by the numbers of cells.
    var headings: [UInt32: PresenceBatch.Heading] = [:]
    public let format: WireFormat
    public let presence: PresenceMode
    public let limits: ClientLimits
    public let reconnect: ReconnectPolicy

    var generator: SeededGenerator
    var ledger = RequestLedger()
    var outgoing: [[UInt8]] = []
    /// The newest position, which each new connection sends again.
    var position: WirePosition?
    /// Request id of the last `hello`.
    var helloID: UInt32 = 0
    /// The server's goodbye on the present connection.
    var closing: WireClosing?
    /// Connections in a row that failed or ended soon.
    var attempts = 0
    /// When a connection ended whose hello was not answered: it may still arrive, behind a later one's.
    var helloLostAt: MonotonicTime?
    var openedAt: MonotonicTime = .epoch
    /// When topics that the connection has not continued leave the view; nil = none are waiting.
    var dropUnconfirmedAt: MonotonicTime?
    /// When a guest's position is sent again that the server has put off; nil = none is.
    var lookAt: MonotonicTime?
    var knownNotifications = KnownNotifications()
    /// Requests that the client itself makes. No caller waits for their answers.
    var acknowledgements: Set<RequestTicket> = []

    /// How long after a welcome the server may take to continue the topics that are still in view.
    static let confirmationMax: Duration = .seconds(10)
    /// How long a hello may be on its way.
    private static let helloMax: Duration = .seconds(60)

    /// - Parameter seed: of idempotency keys and pauses. Keys must never repeat for an account, so an app takes a
    ///   random one each time; a fixed one makes a test repeatable.
    public init(
        profile: ClientProfile, format: WireFormat = .proto, presence: PresenceMode = .full,
        limits: ClientLimits = ClientLimits(), reconnect: ReconnectPolicy = ReconnectPolicy(),
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.profile = profile
        self.format = format
        self.presence = presence
        self.limits = limits
        self.reconnect = reconnect
        generator = SeededGenerator(seed: seed)
    }

    /// When to call `wake`; nil = nothing waits for the clock.
    public var nextWake: MonotonicTime? {
        guard phase == .live else { return nil }
        var next = ledger.nextWake
        if let drop = dropUnconfirmedAt { next = min(drop, next ?? drop) }
        if let look = lookAt { next = min(look, next ?? look) }
        return next
    }

    /// Requests without an answer.
    public var unansweredCount: Int { ledger.count }

    /// Removes and returns the messages to send, in order: one WebSocket message each, binary for `.proto`, text for
    /// `.json`.
    public mutating func takeOutgoing() -> [[UInt8]] {
        guard !outgoing.isEmpty else { return [] }
        defer { outgoing = [] }
        return outgoing
    }

    /// Sends requests whose pause is over, and lets go of topics that a new connection did not continue.
    public mutating func wake(now: MonotonicTime) -> [ClientEvent] {
        guard phase == .live else { return [] }
        for message in ledger.takeDue(now: now) { emit(message) }
        lookIfDue(now: now)
        guard let drop = dropUnconfirmedAt, drop <= now else { return [] }
        dropUnconfirmedAt = nil
        return view.unconfirmedTopics.sorted().flatMap { unfollow($0) }
    }

    /// Drops the cursor of a topic whose state cannot be trusted: the next connection gets a new snapshot of it.
    public mutating func distrust(_ topic: String) {
        view.distrust(topic)
    }

    func encode(_ message: WireClientMessage) -> [UInt8] {
        ClientMessageEncoder.encode(message, format: format)
    }

    mutating func emit(_ message: WireClientMessage) {
        outgoing.append(encode(message))
    }

    // MARK: The connection's life

    /// The connection is open: sends hello, with the session and cursors to resume from.
    public mutating func connectionOpened(now: MonotonicTime) {
        phase = .greeting
        openedAt = now
        closing = nil
        outgoing = []
        helloID = ledger.nextID()
        var hello = WireHello()
        hello.version = 1
        hello.frontEnd = profile.frontEnd
        hello.language = profile.language
        hello.deviceClass = profile.deviceClass
        hello.token = profile.token
        hello.name = profile.name
        if let shares = profile.sharesPosition { hello.sharePosition = shares }
        if let accuracy = profile.shareAccuracyMetres { hello.shareAccuracy = accuracy }
        hello.cursors = view.cursors
        hello.session = welcome?.session ?? ""
        hello.realm = profile.realm
        hello.shortPoses = format == .proto
        hello.shiftsPositions = true
        var message = WireClientMessage()
        message.id = helloID
        message.hello = hello
        emit(message)
    }

    /// The connection has ended, or could not be opened (then with code 1006).
    public mutating func connectionClosed(code: UInt16, now: MonotonicTime) -> Reconnection {
        let isByOurselves = isTakenOverByItself(code: code, now: now)
        if phase == .greeting { helloLostAt = now }
        let wasStable = phase == .live && now - openedAt >= reconnect.stableAfter
        let attempt = wasStable ? 0 : attempts
        attempts = attempt + 1
        phase = .offline
        outgoing = []
        dropUnconfirmedAt = nil
        lookAt = nil
        ledger.disconnect()
        view.disconnect()
        defer { closing = nil }
        return reconnect.reconnection(
            code: isByOurselves ? Self.abnormalClosure : code, closing: isByOurselves ? nil : closing,
            attempt: attempt, using: &generator)
    }

    /// Whether the session was taken over by a hello of this client that was on its way for longer than a later one.
    /// Then the client takes it back; once, because nothing of its own is on its way after that.
    private mutating func isTakenOverByItself(code: UInt16, now: MonotonicTime) -> Bool {
        guard code == Closure.sessionTakenOver.code, let lost = helloLostAt else { return false }
        helloLostAt = nil
        return now - lost < Self.helloMax
    }

    /// The code of a connection that ended without one (RFC 6455, section 7.1.5).
    private static let abnormalClosure: UInt16 = 1_006
}
