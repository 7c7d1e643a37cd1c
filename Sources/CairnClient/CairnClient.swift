public import CairnTime
public import CairnWire

/// Options of a client that the server does not decide.
public struct ClientOptions: Sendable {
    /// Binary for apps; JSON to look at by hand.
    public var format = WireFormat.proto
    public var limits = ClientLimits()
    public var reconnect = ReconnectPolicy()
    /// Events that wait for a slow reader of `CairnClient.events`. Beyond it the oldest are dropped and counted. The
    /// view is complete all the same; a reader that missed events reads the view again.
    public var eventsMax = 1_024
    /// Messages that wait for the client itself. Beyond it the client cuts the connection and resumes from the cursors.
    public var inboxMessagesMax = 4_096

    public init() {}
}

/// A client of a Cairn server, as an app uses it.
///
/// It keeps a session alive: after a cut it reconnects, resumes every topic from its cursor, and sends unanswered
/// requests again with the same key (SES-11, PLC-8). Calls wait for the answer and return a typed result or throw the
/// server's `Refusal`. Temporary refusals are retried and never thrown. The client's own refusals have the component
/// `client` and one of these codes: `unreachable`, `client_closed`, `cancelled`, `limit_reached`.
///
/// ```swift
/// let client = CairnClient(url: url, profile: ClientProfile(name: "ada"))
/// try await client.connect()
/// await client.move(to: WirePosition(here, heightMetres: 40))
/// let instance = try await client.place("preset:heart", pose: WirePose(pose))
/// for await event in client.events { ... }
/// ```
public actor CairnClient {
    /// All events from the creation of the client to its end, for one reader. See `ClientOptions.eventsMax`.
    public nonisolated let events: AsyncStream<ClientEvent>

    let url: ServerURL
    let options: ClientOptions
    let transport: any ClientTransport
    let time: ClientTime
    var core: ClientCore
    var link = Link.none
    /// Number of the connection; late messages of earlier connections have a lower one.
    var linkNumber: UInt64 = 0
    var waiters: [RequestTicket: CheckedContinuation<RequestAnswer, Never>] = [:]
    var greeters: [CheckedContinuation<Result<WireWelcome, Refusal>, Never>] = []
    /// Whether there has been a session: only then does the client reconnect automatically.
    var hasBeenLive = false
    var wakeSetFor: MonotonicTime?
    /// When `sendPositions` sends the next one; nil = it has never run.
    var positionTimer: PositionTimer?
    private let eventSink: AsyncStream<ClientEvent>.Continuation
    /// Events that were dropped because the app did not read them in time.
    public private(set) var eventsDropped: UInt64 = 0

    enum Link {
        case none
        /// Being opened, or open.
        case connection(any ClientConnection)
        /// Between two connections.
        case pausing(Task<Void, Never>)
    }

    /// - Parameters:
    ///   - transport: by default `WebSocketTransport.shared`.
    ///   - time: for tests.
    public init(
        url: ServerURL, profile: ClientProfile, options: ClientOptions = ClientOptions(),
        transport: (any ClientTransport)? = nil, time: ClientTime = .continuous
    ) {
        self.url = url
        self.options = options
        self.transport = transport ?? WebSocketTransport.shared
        self.time = time
        core = ClientCore(
            profile: profile, format: options.format, limits: options.limits, reconnect: options.reconnect)
        (events, eventSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(options.eventsMax))
    }

    deinit {
        eventSink.finish()
        if case .connection(let connection) = link { connection.close(code: 1_000) }
        if case .pausing(let task) = link { task.cancel() }
    }

    // MARK: The view

    /// The last welcome: role, account, limits. Nil before the first.
    public var welcome: WireWelcome? { core.welcome }

    public var isLive: Bool { core.phase == .live }

    /// Everything in view; it survives cuts.
    public var view: LiveView { core.view }

    /// People in view who share their position. A person who has just crossed a border may be there twice.
    public var people: [PresentPerson] { core.rosters.values.flatMap { $0.people } }

    /// Requests without an answer.
    public var unansweredCount: Int { core.unansweredCount }

    func tell(_ event: ClientEvent) {
        if case .dropped = eventSink.yield(event) { eventsDropped += 1 }
    }
}

/// A client's clock, and a way to wait.
public struct ClientTime: Sendable {
    public let now: @Sendable () -> MonotonicTime
    /// Returns at the time, or earlier when the task is cancelled.
    public let sleep: @Sendable (_ until: MonotonicTime) async -> Void

    public init(
        now: @escaping @Sendable () -> MonotonicTime,
        sleep: @escaping @Sendable (_ until: MonotonicTime) async -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's own clock, which also runs while the machine sleeps.
    public static let continuous: ClientTime = {
        let start = ContinuousClock.now
        @Sendable func now() -> MonotonicTime { .epoch + (ContinuousClock.now - start) }
        return ClientTime(now: now) { until in
            // After a cancellation the waiter checks the clock or the task.
            try? await Task.sleep(for: max(.zero, until - now()))
        }
    }()
}
