internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWire

/// Sign-ins that hold for as long as a token of the app's backend does (ACC-12).
extension Shard {
    private static let component = "sign-in"

    // MARK: A newer token

    func refresh(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        guard let user = session.user else { throw session.refusalWithoutAccount(component: Self.component) }
        guard envelope.id != 0 else {
            throw Refusal(
                .missingField, "id: a refresh needs a request id", component: Self.component, details: ["field": "id"])
        }
        let body = try WireBody.decode(WireRefresh.self, from: envelope.payload)
        guard user.appToken != nil else {
            throw Refusal(
                .forbidden, "this connection did not sign in with a token of the app's backend",
                component: Self.component)
        }
        guard !session.isRefreshing else {
            throw Refusal(.tryAgain, "a newer token is being looked at", component: Self.component)
        }
        session.isRefreshing = true
        let (participant, id, start, signIn) = (session.participant, envelope.id, now, context.signIn)
        // One task at a time per connection: it waits for its turn and for the disk.
        Task {
            let outcome = await signIn.resolve(appToken: body.token)
            self.post { shard in
                shard.refreshed(outcome, of: participant, since: start, requestID: id)
                shard.signOutOlder(than: outcome)
            }
        }
    }

    private func refreshed(
        _ outcome: SignIn.Outcome, of participant: Participant, since start: MonotonicTime, requestID id: UInt32
    ) {
        guard let session = session(of: participant) else { return }
        session.isRefreshing = false
        // It may have signed out, or expired, meanwhile.
        guard let user = session.user else {
            return refuse(session, id: id, session.refusalWithoutAccount(component: Self.component))
        }
        switch outcome {
        case .guest: refuse(session, id: id, Refusal(.tokenExpired, component: Self.component))
        case .refused(let refusal): refuse(session, id: id, refusal)
        case .signedIn(let known) where isOutdated(known, since: start):
            refuse(session, id: id, SignIn.refusal(.revoked))
        case .signedIn(let known):
            guard known.account == user.account, let term = known.appToken else {
                return refuse(session, id: id, SignIn.refusal(.account))
            }
            session.becomes(
                Session.User(
                    account: user.account, name: known.name, token: known.token, session: user.session,
                    role: known.role, appToken: term))
            appTerms.set(participant.connection, until: term.expires)
            var refreshed = WireRefreshed()
            refreshed.expires = term.expires.milliseconds
            reply(session, id: id, .refreshed(refreshed))
        }
    }

    // MARK: The end of a token

    /// Called about once a second.
    func endExpiredSignIns() {
        let now = context.clock.now
        for connection in appTerms.takeDue(now: now) {
            // It may have signed out, and in by another way.
            guard let session = session(connection), let term = session.user?.appToken, term.expires <= now else {
                continue
            }
            makeGuest(session, because: .tokenExpired)
        }
    }

    /// A token told that its account was signed out everywhere: what was opened with older ones ends, on every loop.
    /// It is on disk, so it holds whatever becomes of the connection that showed the token: refused, or gone.
    /// A connection that refreshes has its newer token before.
    func signOutOlder(than outcome: SignIn.Outcome) {
        guard case .signedIn(let known) = outcome, let time = known.appToken?.revokedBefore, time > .epoch else {
            return
        }
        let work = ShardWork.sessions(.signOut(known.account, issuedBefore: time))
        for place in context.directory.places { dispatch(work, to: place) }
    }

    func signOut(_ account: AccountID, issuedBefore time: WallTime) {
        outdated.note(account, issuedBefore: time, at: now)
        func isOlder(_ user: Session.User?) -> Bool {
            guard let user, user.account == account else { return false }
            return OutdatedSignIns.isOlder(user.appToken, than: time)
        }
        for case let session? in sessions where isOlder(session.user) { makeGuest(session, because: .tokenInvalid) }
        endDetached(isOlder)
    }

    /// Whether a sign-in was looked up before its account was signed out everywhere by a newer token.
    func isOutdated(_ known: SignIn.SignedIn, since start: MonotonicTime) -> Bool {
        outdated.contains(known.account, known.appToken, since: start)
    }

    /// Ends a sign-in that its client did not end, and says so.
    func makeGuest(_ session: Session, because code: Refusal.Code) {
        let texts = session.texts
        becomeGuest(session)
        count("signedOut")
        var item = WireItem()
        item.signedOut.code = code.rawValue
        item.signedOut.message = texts.message(of: code)
        send(item, to: session)
    }
}
