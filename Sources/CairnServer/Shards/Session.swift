internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// One connection as its shard knows it. Confined to the shard.
///
/// Every connection has one, idle or not: what most of them never use is in `SessionExtras`, and small fields stand
/// beside each other, where they share a word.
final class Session {
    let participant: Participant
    /// Where it came from; nil = a proxy does not say.
    let address: PeerAddress?
    private(set) var sharing = Sharing()
    /// Whether it is a guest with a view (SES-14).
    var isLooking = false
    /// Whether it is a guest who was refused because the server sheds guests (QOS-5).
    var wasShed = false
    /// Whether others see the person.
    private(set) var shares = false
    /// Whether the live view has instances (PRF-7).
    var showsObjects = true
    /// Whether the person is told of tours nearby (PRX-1).
    var wantsTours = false
    var stage = Stage.awaitingHello
    /// A newer app token is being looked at.
    var isRefreshing = false
    /// An `EntranceCommand` is under way.
    var isEntering = false
    /// An `EntranceCommand` of the bulk lane is under way.
    var isSendingBulk = false
    /// Whether reading from the connection is paused.
    var isPaused = false
    var tracker = ViewTracker()
    /// Scopes beyond everyone's that the account holds. Its account grants and revokes them, and nothing else does.
    private(set) var scopes: Set<Scope> = []
    /// The scope whose instances the live view shows: everyone's, or one of `scopes` (VIS-5).
    var selection = Scope.everyone
    /// Topics that are followed or have been asked for; the number of a follow tells a late reply from the present one.
    var follows = FollowedTopics()
    var position: GeoPoint?
    /// When it was accepted.
    var positionTime = MonotonicTime.epoch
    /// How far off `position` may be, in metres; 0 = the device does not say. Infinite: it leads to no arrival. It came
    /// with a session that was taken over, or the device calls it invalid.
    var positionErrorMetres = Float.infinity
    var journey = Journey()
    var boards = Boards()
    /// Others see or count the person on a grid of this many metres; 0 = exactly (PRF-8).
    private(set) var gridMetres = LocationAccuracy.tenMetres.gridMetres
    /// Where others see or count the person; nil = exactly, or there is no position.
    var coarse: CoarsePlace?
    /// What `hello` said; nil before it.
    var frontEnd: FrontEnd?
    /// Whether the client follows when it is asked to send positions at other moments.
    var shiftsPositions = false
    /// The language that `hello` said, a tag by BCP 47.
    private var saidLanguage = ""
    private var saidTexts = Texts.english
    /// By the person's setting; nil = it does not say.
    private var chosenTexts: Texts?
    /// As the setting says; empty = as `hello` says.
    private var chosenLanguage = ""
    /// Requests that have no answer yet.
    var inFlight = 0
    var pace: MessagePace
    /// The rate limit that it shares: with its account's connections, before sign-in with those of its address.
    var shared: SharedPace?
    var positions: TokenBucket
    let openedAt: MonotonicTime
    /// Made on first need.
    private var extras: SessionExtras?

    enum Stage {
        case awaitingHello
        /// The sign-in is being looked up.
        indirect case signingIn(Hello)
        case guest
        /// Signed in. The account counts its devices, or another connection hands over its session.
        indirect case welcoming(User, Hello)
        case user(User)
        /// The server has ended the connection: nothing of it can be taken over, and nothing that it says counts.
        case dismissed(User?)
    }

    /// The request that `welcome` answers: a hello, or one that signs a guest in.
    struct Hello {
        let id: UInt32
        /// Its kind, as its field in the envelope.
        let field: UInt32
        /// When it came.
        let at: MonotonicTime
        /// The session that it wants to take over.
        let resuming: SessionID?
        /// The sub-realm that it wants to see; empty = none.
        var realm = ""
        /// `SignIn.Services.notifiedCount` before the look-up began.
        let notifiedCount: UInt64
        /// As the look-up has found.
        var mayBeNotified = true
        /// Whether the token was made for this connection, whose client gets it with the welcome.
        var hasNewToken = false
        /// Whether the token replaces others before the welcome.
        var replacesTokens = false
        /// What `welcome` tells beside the account; empty after a hello.
        var deviceKey = ""
        var ageAdvisory = false
        var settings: [WireSetting] = []
    }

    struct User: Sendable {
        let account: AccountID
        var name: String
        var token: String
        var session: SessionID
        var role = Role.general
        private var term: Term?

        /// In an object of its own, because most users have no term.
        private final class Term: Sendable {
            let value: AppTokenTerm

            init(_ value: AppTokenTerm) { self.value = value }
        }

        init(
            account: AccountID, name: String, token: String, session: SessionID, role: Role = .general,
            appToken: AppTokenTerm? = nil
        ) {
            (self.account, self.name, self.token, self.session, self.role) = (account, name, token, session, role)
            term = appToken.map(Term.init)
        }

        /// How long the sign-in holds; nil = the token is the server's own.
        var appToken: AppTokenTerm? {
            get { term?.value }
            set { term = newValue.map(Term.init) }
        }
    }

    init(participant: Participant, address: PeerAddress?, limits: Configuration.Connections, now: MonotonicTime) {
        self.participant = participant
        self.address = address
        openedAt = now
        (pace, positions) = Self.buckets(limits, now: now)
    }

    /// Goes by other limits from now on.
    func apply(_ limits: Configuration.Connections, now: MonotonicTime) {
        (pace, positions) = Self.buckets(limits, now: now)
    }

    private static func buckets(
        _ limits: Configuration.Connections, now: MonotonicTime
    ) -> (pace: MessagePace, positions: TokenBucket) {
        let positions = Double(limits.positionsPerSecond)
        return (
            MessagePace(
                messagesPerSecond: limits.messagesPerSecond, messagesBurst: limits.messagesBurst,
                bytesPerSecond: limits.bytesAllowedPerSecond, bytesBurst: limits.bytesAllowedAtOnce, now: now),
            TokenBucket(rate: positions, burst: positions, now: now)
        )
    }

    /// Goes by what the connection or the person now says about sharing the position.
    /// - Parameter initially: the accuracy of those who have not chosen.
    func goBy(_ sharing: Sharing, initially: LocationAccuracy) {
        self.sharing = sharing
        shares = sharing.isOn
        let gridMetres = sharing.gridMetres(initially: initially)
        guard gridMetres != self.gridMetres else { return }
        self.gridMetres = gridMetres
        coarse = nil
    }

    /// What the client says about its language from now on.
    /// - Parameter languages: those that the server writes.
    func speaks(_ language: String, among languages: [String]) {
        saidLanguage = language
        saidTexts = Texts.of(language, among: languages)
    }

    /// The person's setting; empty = as `hello` says.
    func chooses(_ language: String, among languages: [String]) {
        chosenTexts = language.isEmpty ? nil : Texts.of(language, among: languages)
        chosenLanguage = language
    }

    /// The language of what the server writes here: by the person's setting, else by `hello` (ACS-1).
    var language: String { chosenTexts?.language ?? saidLanguage }

    /// The language of what others have written in several, such as tours: also one that the server does not write.
    var readLanguage: String { chosenLanguage.isEmpty ? saidLanguage : chosenLanguage }

    /// The texts of that language.
    var texts: Texts { chosenTexts ?? saidTexts }

    /// The place that others may learn of the person; nil = there is no position.
    var shownPlace: Coordinate? { gridMetres > 0 ? coarse?.middle : position?.coordinate }

    /// The account has been granted a scope.
    /// - Returns: false when the session knew.
    func add(_ scope: Scope) -> Bool {
        guard scopes.insert(scope).inserted else { return false }
        if let absentee = scope.absentee { absent.insert(absentee) }
        if let entered = scope.space { space = entered }
        return true
    }

    /// The account's right to a scope has ended.
    /// - Returns: false when it had none.
    func remove(_ scope: Scope) -> Bool {
        guard scopes.remove(scope) != nil else { return false }
        if let absentee = scope.absentee { absent.remove(absentee) }
        if scope.space == space { space = scopes.lazy.compactMap(\.space).first }
        return true
    }

    /// The key by which a follow of a topic is sent its items.
    func key(of topic: Topic, _ follow: Follow?) -> FanOutKey {
        FanOutKey(topic, for: follow?.isExcerpt == true ? participant.connection : nil)
    }

    /// The scope of the topics of cells that the session follows.
    var shown: Scope { isLooking ? .guests : showsObjects ? selection : .nothing }

    /// Whether the account has a right to a scope.
    func holds(_ scope: Scope) -> Bool {
        if scope == .guests || isLooking { return scope == .guests && isLooking }
        return scope == .everyone || scope == .nothing || scopes.contains(scope)
    }

    /// Whether a command of the lane is under way.
    subscript(entering lane: EntranceLane) -> Bool {
        get { lane == .bulk ? isSendingBulk : isEntering }
        set { if lane == .bulk { isSendingBulk = newValue } else { isEntering = newValue } }
    }

    /// Whether a sign-in or another `EntranceCommand` that has the connection to itself is under way: nothing is read
    /// of it until the answer.
    var isHeldByEntrance: Bool {
        switch stage {
        case .signingIn, .welcoming: true
        case .awaitingHello, .guest, .user, .dismissed: isEntering
        }
    }

    /// The refusal of a request that needs an account, on a connection without one: `not_signed_in` for a guest, else
    /// `hello_required`.
    func refusalWithoutAccount(component: String) -> Refusal {
        if case .guest = stage { return Refusal(.notSignedIn, component: component) }
        return Refusal(.helloRequired, "say hello first", component: component)
    }

    var user: User? {
        switch stage {
        case .user(let user), .welcoming(let user, _): user
        case .dismissed(let user): user
        case .awaitingHello, .signingIn, .guest: nil
        }
    }

    var isDismissed: Bool { if case .dismissed = stage { true } else { false } }

    /// The same person, with another session or a newer sign-in.
    func becomes(_ user: User) {
        switch stage {
        case .welcoming(_, let hello): stage = .welcoming(user, hello)
        case .dismissed: stage = .dismissed(user)
        case .awaitingHello, .signingIn, .guest, .user: stage = .user(user)
        }
    }

    /// Forgets the settings and the connection's own word about sharing: they are one person's, and the next one who
    /// signs in here has their own.
    func forgetSharing() { (sharing, shares) = (Sharing(), false) }

    /// The connection is a guest's from now on: it loses its user, rights, selection and notifications, and what it
    /// said for the person.
    func becomesGuest() {
        stage = isDismissed ? .dismissed(nil) : .guest
        forgetSharing()
        journey = Journey()
        proof = nil
        scopes = []
        absent = []
        space = nil
        (chosenTexts, chosenLanguage) = (nil, "")
        selection = .everyone
        showsObjects = true
        wantsTours = false
        toursAsked = [:]
        notifications = NotificationDelivery()
    }

    /// The sender of a request from here; nil for a guest.
    var sender: Sender? {
        user.map { user in
            Sender(
                participant: participant, account: user.account, name: user.name, position: position,
                view: tracker.view, scopes: scopes, shownPlace: shownPlace, language: readLanguage)
        }
    }

    /// The user as others in the cell see them; nil = counted only.
    func person(_ identifiers: IdentifierIssuer) -> PresenceBoard.Person? {
        guard shares, let user else { return nil }
        return PresenceBoard.Person(
            id: identifiers.name(of: user.account), name: user.name, gridMetres: gridMetres)
    }
}

// MARK: - What few sessions have

/// Setting what is the case anyway makes no block.
extension Session {
    private var madeExtras: SessionExtras {
        if let extras { return extras }
        let made = SessionExtras()
        extras = made
        return made
    }

    /// The people who are absent for the account (FRD-7), as `scopes` says it.
    private(set) var absent: Set<AccountID> {
        get { extras?.absent ?? [] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.absent = newValue } }
    }

    /// The space that the person is in, as `scopes` says it; nil = they are in the world (SES-13).
    private(set) var space: SpaceID? {
        get { extras?.space }
        set { if extras != nil || newValue != nil { madeExtras.space = newValue } }
    }

    /// What the client said it holds, until the topic is followed.
    var cursors: [Topic: Cursor] {
        get { extras?.cursors ?? [:] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.cursors = newValue } }
    }

    /// The tours near which the client was told to be, the nearest first.
    var nearTours: [TourID] {
        get { extras?.nearTours ?? [] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.nearTours = newValue } }
    }

    /// The tours of which the account was asked to tell the person, and when.
    var toursAsked: [TourID: MonotonicTime] {
        get { extras?.toursAsked ?? [:] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.toursAsked = newValue } }
    }

    /// What the next ID token has to carry; empty = none was made.
    var nonce: String {
        get { extras?.nonce ?? "" }
        set { if extras != nil || !newValue.isEmpty { madeExtras.nonce = newValue } }
    }

    /// What was proved on the connection, beyond its token; nil = nothing.
    var proof: SessionExtras.Proof? {
        get { extras?.proof }
        set { if extras != nil || newValue != nil { madeExtras.proof = newValue } }
    }

    var notifications: NotificationDelivery {
        get { extras?.notifications ?? NotificationDelivery() }
        set { if extras != nil || newValue != NotificationDelivery() { madeExtras.notifications = newValue } }
    }

    /// The last snapshot that was asked for; nil = none.
    var worldSnapshot: WorldSnapshotTaking? {
        get { extras?.worldSnapshot }
        set { if extras != nil || newValue != nil { madeExtras.worldSnapshot = newValue } }
    }

    /// JSON messages of requests that have no answer yet, by their ids, that hold a name that we do not know: at most
    /// as many as `requestsInFlightMax`, of `JSONUnknownName.messageBytesMax` each.
    var puzzling: [UInt32: [UInt8]] {
        get { extras?.puzzling ?? [:] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.puzzling = newValue } }
    }

    /// The newest position that came faster than the limit; it is taken when the bucket has a token again.
    var waitingPosition: WaitingPosition? {
        get { extras?.waitingPosition }
        set { if extras != nil || newValue != nil { madeExtras.waitingPosition = newValue } }
    }
}
