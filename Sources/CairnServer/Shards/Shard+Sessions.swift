internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// From open to closed: hello, the limits of a connection, goodbye (SES-2, SES-3, SES-12).
extension Shard {
    static let protocolVersion: UInt32 = 1
    /// The languages that the server writes.
    var languages: [String] { context.configuration.accounts.languages }
    /// A language tag has at most as many (RFC 5646 4.4.1).
    private static let languageCharactersMax = 35
    private static let component = "session"

    func session(_ connection: ConnectionID) -> Session? {
        let slot = Int(UInt32(truncatingIfNeeded: connection))
        guard slot < sessions.count, let session = sessions[slot], session.participant.connection == connection else {
            return nil
        }
        return session
    }

    func session(of participant: Participant) -> Session? {
        participant.place == place ? session(participant.connection) : nil
    }

    // MARK: Open and close

    /// - Parameter address: the client's; nil = unknown.
    func opened(_ connection: ConnectionID, format: WireFormat, from address: PeerAddress?) {
        let slot = Int(UInt32(truncatingIfNeeded: connection))
        while sessions.count <= slot { sessions.append(nil) }
        let participant = Participant(place: place, connection: connection, format: format)
        let session = Session(
            participant: participant, address: address, limits: context.configuration.connections, now: now)
        session.shared = sharedPace(of: session)
        sessions[slot] = session
        arriving.append(session)
    }

    func closed(_ connection: ConnectionID, code: UInt16) {
        guard let session = session(connection) else { return }
        sessions[Int(UInt32(truncatingIfNeeded: connection))] = nil
        appTerms.remove(connection)
        if Self.isCut(code) && !session.isDismissed && !isDraining && session.user != nil {
            detach(session)
        } else {
            leaveEverything(session)
            signOff(session)
        }
    }

    func signOff(_ session: Session) {
        guard let user = session.user else { return }
        let participant = session.participant
        session.becomesGuest()
        let work = AccountWork.disconnect(participant, session: user.session)
        dispatch(.account(user.account, work), to: .account(user.account))
    }

    /// Closes a connection for a reason that the client is told first.
    func close(_ session: Session, _ closure: Closure, reconnectAfter: Duration = .zero) {
        guard !session.isDismissed else { return }
        figures.closures[closure.name, default: 0] += 1
        session.stage = .dismissed(session.user)
        var item = WireItem()
        item.closing = closure.wire(reconnectAfter: reconnectAfter, message: session.texts.message(of: closure))
        send(item, to: session)
        loop.close(session.participant.connection, code: closure.code, reason: closure.name)
    }

    /// The transport is about to close a connection that broke one of its limits: the client is told why.
    func breached(_ connection: ConnectionID, _ rejection: TransportRejection) {
        guard let session = session(connection) else { return }
        let closure: Closure =
            switch rejection {
            case .messageBytes: .tooLarge
            case .frame: .notUTF8
            default: .policyViolation
            }
        figures.closures[closure.name, default: 0] += 1
        session.stage = .dismissed(session.user)
        var item = WireItem()
        item.closing = closure.wire(message: session.texts.message(of: closure))
        send(item, to: session)
    }

    // MARK: Messages

    /// Decodes a message within the rate limit. The limit is checked first, because decoding is the cost.
    func received(_ bytes: UnsafeRawBufferPointer, as format: WireFormat, from connection: ConnectionID) {
        guard let session = session(connection), !session.isDismissed else { return }
        guard format == session.participant.format else { return close(session, .wrongFrame) }
        switch pace(of: session, bytes: bytes.count) {
        case .taken: break
        case .refused(let wait):
            return tooFast(session, id: ClientEnvelopeDecoder.glimpse(idOf: bytes, format: format), wait: wait)
        case .closing:
            return close(session, .rateLimited, reconnectAfter: .seconds(5))
        }
        do {
            receive(try ClientEnvelopeDecoder.decode(bytes, format: format), from: session)
        } catch {
            refuse(session, id: error.id, error.refusal)
            if session.pace.noteUnreadable(now: now) { close(session, .badMessage, reconnectAfter: .seconds(5)) }
        }
    }

    private func receive(_ envelope: ClientEnvelope, from session: Session) {
        let message = SessionMessage(field: envelope.field)
        // A position leaves with the next batch. Everything else is waited for.
        if message != .position || envelope.id != 0 { loop.wasUrgent() }
        do {
            switch message {
            case .hello: try hello(envelope, from: session)
            case .position: try position(envelope, from: session)
            case .share: try share(envelope, from: session)
            case .signOut: try signOut(envelope, from: session)
            case .refresh: try refresh(envelope, from: session)
            case .selectRealm: try selectRealm(envelope, from: session)
            case .openTour: try openTour(envelope, from: session)
            case .closeTour: try closeTour(envelope, from: session)
            case .getSnapshot: try getSnapshot(envelope, from: session)
            case nil: try request(envelope, from: session)
            }
        } catch {
            refuse(session, id: envelope.id, explained(error, by: envelope.puzzling))
        }
    }

    // MARK: Hello

    private func hello(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        let hello = try WireBody.decode(WireHello.self, from: envelope.payload)
        guard case .awaitingHello = session.stage else {
            throw Refusal(.invalidField, "hello was said before", component: Self.component)
        }
        session.speaks(String(hello.language.prefix(Self.languageCharactersMax)), among: languages)
        guard hello.version == Self.protocolVersion else {
            refuse(
                session, id: envelope.id,
                Refusal(
                    .unsupportedVersion, "this server speaks version \(Self.protocolVersion)",
                    component: Self.component, details: ["version": "\(Self.protocolVersion)"]))
            return close(session, .unsupportedVersion)
        }
        guard !refusesWhatIsNew else {
            let wait = overloadWait
            refuse(session, id: envelope.id, Refusal(.overloaded, component: Self.component, retryAfter: wait))
            return close(session, .overloaded, reconnectAfter: wait)
        }
        guard let frontEnd = FrontEnd(hello.frontEnd) else {
            throw Refusal(
                .invalidField, "frontEnd: 1 to 32 of a-z, 0-9, '-', '.' and '_', for instance \"realm\"",
                component: Self.component, details: ["field": "frontEnd"])
        }
        if hello.token.isEmpty && !hello.name.isEmpty { try admitName(session) }
        // What one says that was refused counts for no other: another person may say it.
        session.forgetSharing()
        session.cursors = [:]
        try setSharing(session, by: hello)
        if hello.shortPoses { loop.readsShort(session.participant.connection, true) }
        session.shiftsPositions = hello.shiftsPositions
        session.frontEnd = frontEnd
        for cursor in hello.cursors.prefix(64) {
            guard let topic = Topic(name: cursor.topic) else { continue }
            session.cursors[topic] = Cursor(epoch: cursor.epoch, sequence: cursor.sequence)
        }
        session.stage = .signingIn(
            Session.Hello(
                id: envelope.id, field: envelope.field, at: now, resuming: SessionID(hello.session),
                realm: hello.realm, notifiedCount: context.signIn.services.notifiedCount))
        // Messages that the client sends after hello wait in the socket until the sign-in is known.
        pause(session, true)
        let (participant, signIn) = (session.participant, context.signIn)
        // One task per hello: it waits for the disk, and a connection says hello once.
        Task {
            let outcome = await signIn.resolve(token: hello.token, name: hello.name)
            self.post { shard in
                shard.resolved(outcome, for: participant)
                shard.signOutOlder(than: outcome)
            }
        }
    }

    func resolved(_ outcome: SignIn.Outcome, for participant: Participant) {
        guard let session = session(of: participant), case .signingIn(var hello) = session.stage else {
            return forgo(outcome)
        }
        switch outcome {
        case .signedIn(let known) where context.suspensions[known.account] != nil:
            forgo(outcome)
            refuse(session, hello, context.suspensions.refusal(of: known.account) ?? Refusal(.accountSuspended))
            close(session, .accountSuspended)
        case .signedIn(let known) where isRevoked(known, since: hello.at):
            forgo(outcome)
            greetGuest(session, hello, tokenExpired: true)
        case .signedIn(let known):
            if known.isNew { count("accounts") }
            // An app's backend may have given the person another name.
            if known.isNew || known.appToken != nil { context.names.people.set(known.account, to: known.name) }
            guard admitSignIn(session, hello, of: known.account) else { return forgo(outcome) }
            let user = Session.User(
                account: known.account, name: known.name, token: known.token,
                session: context.identifiers.next(SessionTag.self, at: context.clock.now),
                role: role(of: known, since: hello.at), appToken: known.appToken)
            stopLooking(session)
            (hello.deviceKey, hello.ageAdvisory, hello.settings) = (known.deviceKey, known.ageAdvisory, known.settings)
            (hello.mayBeNotified, hello.hasNewToken) = (known.mayBeNotified, known.hasNewToken)
            hello.replacesTokens = known.replacesTokens
            goBy(known, in: session, since: hello.at)
            session.stage = .welcoming(user, hello)
            let work = AccountWork.connect(participant, session: user.session, resuming: hello.resuming)
            dispatch(.account(known.account, work), to: .account(known.account))
        case .guest(let expired):
            greetGuest(session, hello, tokenExpired: expired)
        case .refused(let refusal):
            pause(session, false)
            if hello.field == SessionMessage.hello.field {
                session.stage = .awaitingHello
                arriving.append(session)
            } else {
                session.stage = .guest
            }
            refuse(session, hello, refusal)
            if refusal.code == .rateLimited {
                close(session, .rateLimited, reconnectAfter: refusal.retryAfter ?? .zero)
            }
        }
    }

    func greetGuest(_ session: Session, _ hello: Session.Hello, tokenExpired: Bool) {
        pause(session, false)
        session.stage = .guest
        if tokenExpired { session.forgetSharing() }
        var welcome = describedLimits()
        welcome.role = Role.guest.rawValue
        welcome.tokenExpired = tokenExpired
        reply(session, id: hello.id, .welcome(welcome))
        answered(hello.field, since: hello.at, isRefused: false)
    }

    /// The account has counted its devices.
    func welcome(_ participant: Participant, isAdmitted: Bool) {
        guard let session = session(of: participant), session.user != nil else { return }
        guard !isAdmitted else { return admitted(session) }
        pause(session, false)
        if case .welcoming(let user, let hello) = session.stage {
            if hello.hasNewToken { forgo(user.token) }
            let limit = context.configuration.connections.perAccountMax
            refuse(
                session, hello,
                Refusal(
                    .tooManyConnections, "the account has \(limit) connections", component: Self.component,
                    details: ["limit": "\(limit)"]))
        }
        session.becomesGuest()
        close(session, .tooManyConnections)
    }

    /// Welcomes the person who has signed in, unless the connection has been ended meanwhile.
    func greet(_ session: Session, resumed: Bool) {
        guard case .welcoming(let user, let hello) = session.stage else { return }
        session.stage = .user(user)
        engagement.note(user.account, at: context.clock.now)
        presence.arrived(now: now)
        var welcome = describedLimits()
        welcome.role = user.role.rawValue
        if let organisation = organisation(of: user) { welcome.organisation = organisation }
        if let term = user.appToken {
            welcome.expires = term.expires.milliseconds
            appTerms.set(session.participant.connection, until: term.expires)
        }
        welcome.account = context.identifiers.name(of: user.account)
        welcome.name = user.name
        welcome.token = user.token
        welcome.session = user.session.description
        welcome.resumed = resumed
        welcome.deviceKey = hello.deviceKey
        welcome.ageAdvisory = hello.ageAdvisory
        welcome.settings = hello.settings
        reply(session, id: hello.id, .welcome(welcome))
        answered(hello.field, since: hello.at, isRefused: false)
        selectFirst(hello.realm, session)
        followOwn(session, user)
        if hello.mayBeNotified || hello.notifiedCount != context.signIn.services.notifiedCount {
            deliverNotifications(to: session.participant)
        }
    }

    private func describedLimits() -> WireWelcome {
        var welcome = WireWelcome()
        welcome.serverTime = context.clock.now.milliseconds
        welcome.limits = context.limits
        return welcome
    }

    // MARK: Requests

    private func request(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        guard let type = context.register.command(field: envelope.field) else {
            guard let entrance = EntranceRegister.command(field: envelope.field) else { throw unknownKind(envelope) }
            return try enter(envelope, as: entrance, from: session)
        }
        guard !isDraining else {
            throw Refusal(.serverShutdown, component: Self.component, retryAfter: .seconds(1))
        }
        let sender = try sender(session, asking: type)
        guard envelope.id != 0 else {
            throw Refusal(
                .missingField, "id: a \(type.kind.name) needs a request id", component: Self.component,
                details: ["field": "id"])
        }
        if type.isChange {
            guard !envelope.key.isEmpty else {
                throw Refusal(
                    .missingField, "key: a \(type.kind.name) needs an idempotency key", component: Self.component,
                    details: ["field": "key"])
            }
            try admitMore(component: Self.component)
        }
        let request = Request(
            id: envelope.id, key: envelope.key,
            command: try context.register.command(field: envelope.field, payload: envelope.payload),
            payload: envelope.payload, sender: sender, receivedAt: now)
        try countByAddress(type.kind, from: session.address)
        let home = request.isChange ? nil : try request.home(settings: context.settings, register: context.register)
        figures.requests += 1
        startRequest(envelope, of: session)
        begin(request, at: home)
    }

    /// Stops or resumes reading from a connection: what has no room here waits at the sender (design.md section 3).
    func pause(_ session: Session, _ paused: Bool) {
        guard session.isPaused != paused else { return }
        session.isPaused = paused
        loop.pause(session.participant.connection, paused)
    }
}
