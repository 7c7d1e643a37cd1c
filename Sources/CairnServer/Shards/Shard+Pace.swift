internal import CairnConfiguration
internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// How fast clients may send, each connection and those of one account or address together (SES-12).
extension Shard {
    /// Charges a message to the shared rate limit of its account or address, and to the connection's own.
    func pace(of session: Session, bytes count: Int) -> MessagePace.Verdict {
        guard session.user != nil else {
            // The address is charged for refused messages too: a new connection would have a fresh limit of its own.
            let verdict = session.shared?.take(bytes: count, now: now) ?? .taken
            return verdict == .taken ? session.pace.take(bytes: count, now: now) : verdict
        }
        // A message that the connection's own limit refuses takes nothing from the account's other connections.
        let verdict = session.pace.take(bytes: count, now: now)
        return verdict == .taken ? session.shared?.take(bytes: count, now: now) ?? .taken : verdict
    }

    /// Time until a connection may send half of what it may send at once: zero, if it has sent little.
    func waitForHalf(_ session: Session) -> Duration {
        max(session.pace.waitForHalf(now: now), session.shared?.waitForHalf(now: now) ?? .zero)
    }

    /// The pace that a connection shares with others.
    func sharedPace(of session: Session) -> SharedPace? {
        guard let user = session.user else {
            return context.doors.paces.ofStrangers(at: session.address, context.configuration.listen, now: now)
        }
        return sharedPace(of: user.account)
    }

    private func sharedPace(of account: AccountID) -> SharedPace {
        context.doors.paces.ofAccount(
            account, context.configuration.connections,
            signInsPerMinute: context.configuration.listen.signInsPerMinutePerAccount, now: now)
    }

    /// Counts a sign-in: what a connection costs that comes, looks and goes is no message.
    /// - Returns: whether the connection may stay; else it has been told when to come back, and is closed.
    func admitSignIn(_ session: Session, _ hello: Session.Hello, of account: AccountID) -> Bool {
        let shared = sharedPace(of: account)
        session.shared = shared
        guard let wait = shared.signIn(now: now) else { return true }
        refuse(session, hello, Self.tooManySignIns(wait, context.configuration))
        close(session, .rateLimited, reconnectAfter: wait)
        return false
    }

    private static func tooManySignIns(_ wait: Duration, _ configuration: Configuration) -> Refusal {
        let limit = configuration.listen.signInsPerMinutePerAccount
        return Refusal(
            .rateLimited, "the account signs in more than \(limit) times a minute", component: "session",
            retryAfter: wait, details: ["limit": "\(limit)"])
    }

    /// What asks, on any thread, whether an account may be signed in to once more now. It counts nothing: `admitSignIn`
    /// does, when the sign-in is on disk. One that would be refused then writes nothing.
    func paceOfSignIns() -> @Sendable (AccountID) -> Refusal? {
        let (paces, configuration, loop) = (context.doors.paces, context.configuration, loop)
        return { account in
            let shared = paces.ofAccount(
                account, configuration.connections,
                signInsPerMinute: configuration.listen.signInsPerMinutePerAccount, now: loop.now)
            return shared.waitForSignIn(now: loop.now).map { Self.tooManySignIns($0, configuration) }
        }
    }

    /// Counts a sign-in by name, which makes a token and perhaps an account, to the strangers of its address.
    func admitName(_ session: Session) throws(Refusal) {
        guard let wait = session.shared?.signIn(now: now) else { return }
        throw Refusal(
            .rateLimited, "too many sign-ins by name from this address", component: "session",
            retryAfter: wait)
    }

    /// Counts a message to the quotas of the address that it comes from.
    func countByAddress(_ kind: MessageKind, from address: PeerAddress?) throws(Refusal) {
        let quotas = context.register.addressQuotas(counting: kind)
        guard !quotas.isEmpty else { return }
        try context.doors.quotas.admit(
            quotas, from: address, settings: context.settings, now: context.clock.lasting)
    }

    func tooFast(_ session: Session, id: UInt32, wait: Duration) {
        let limits = context.configuration.connections
        refuse(
            session, id: id,
            Refusal(
                .rateLimited,
                "more than \(limits.messagesPerSecond) messages or \(limits.bytesAllowedPerSecond) bytes a second",
                component: "session", retryAfter: wait))
    }
}
