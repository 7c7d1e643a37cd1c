internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
package import CairnWire

/// Revoking tokens and ending the sign-ins that used them (ACC-6, ROL-5).
extension Shard {
    private static let component = "session"
    /// How long a hello may be under way that began before its token was revoked.
    private static let revokedKept: Duration = .seconds(60)

    /// Revokes the connection's token. When the answer comes, the token is no longer good and no connection goes by it.
    func signOut(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        guard let user = session.user else { throw session.refusalWithoutAccount(component: Self.component) }
        becomeGuest(session)
        let (participant, id, signIn, shards) = (session.participant, envelope.id, context.signIn, peers)
        Task {
            let refusal: Refusal?
            do throws(Refusal) {
                try await Self.revoke([user.token], signIn: signIn, on: shards)
                refusal = nil
            } catch {
                refusal = error
            }
            self.post { shard in
                guard let session = shard.session(of: participant) else { return }
                if let refusal { return shard.refuse(session, id: id, refusal) }
                shard.reply(session, id: id, .done(WireDone()))
            }
        }
    }

    /// Revokes tokens, on disk first, then on every shard. When it returns, all connections that used one are guests.
    package nonisolated static func revoke(
        _ tokens: Set<String>, signIn: SignIn, on shards: [Shard]
    ) async throws(Refusal) {
        // A person who signed in with an app's token has no token of the server's own.
        let tokens = tokens.subtracting([""])
        for token in tokens { try await signIn.revoke(token) }
        for shard in shards { await shard.endSessions(ofTokens: tokens) }
    }

    /// Makes guests of the connections that go by one of these tokens, ends sessions that wait for their client, and
    /// lets no hello in that began before.
    private func endSessions(ofTokens tokens: Set<String>) {
        for token in tokens { revokedTokens[TokenName(of: token)] = now }
        for case let session? in sessions {
            // The connection that signed out has no user any more; others by its token are told.
            if let user = session.user, tokens.contains(user.token) { makeGuest(session, because: .tokenInvalid) }
        }
        endDetached { tokens.contains($0.token) }
    }

    /// Closes the connections of a suspended account, which can have no others.
    func endSessions(of account: AccountID) -> Int {
        var count = 0
        for case let session? in sessions where session.user?.account == account && !session.isDismissed {
            close(session, .accountSuspended)
            count += 1
        }
        return count + endDetached { $0.account == account }
    }

    /// Ends the sessions that wait for their client to come back and whose user fits.
    /// - Returns: how many.
    @discardableResult
    func endDetached(_ fits: (Session.User) -> Bool) -> Int {
        var count = 0
        for (id, cut) in detached where fits(cut.user) {
            giveUp(id)
            count += 1
        }
        return count
    }

    /// Ends a connection's sign-in; the connection stays, as a guest's. A connection that waits for its welcome gets
    /// one, as a guest.
    func becomeGuest(_ session: Session) {
        if let waiting = session.waitingPosition, waiting.requestID != 0 {
            refuse(session, id: waiting.requestID, Refusal(.notSignedIn, component: Self.component))
        }
        let stage = session.stage
        leaveEverything(session)
        signOff(session)
        // What it sends from here on is a stranger's.
        session.shared = sharedPace(of: session)
        if case .welcoming(_, let hello) = stage { greetGuest(session, hello, tokenExpired: true) }
        // The person's cursors are no start for another one.
        forgetCursors(of: session)
    }

    /// No hello that began before these were revoked or changed can still be under way.
    func forgetRevoked(now: MonotonicTime) {
        if !revokedTokens.isEmpty { revokedTokens = revokedTokens.filter { now - $0.value < Self.revokedKept } }
        if !changedRoles.isEmpty { changedRoles = changedRoles.filter { now - $0.value.at < Self.revokedKept } }
        if !changedSettings.isEmpty {
            changedSettings = changedSettings.filter { now - $0.value.at < Self.revokedKept }
        }
        outdated.forget(now: now, kept: Self.revokedKept)
        guard !revokedAccounts.isEmpty else { return }
        revokedAccounts = revokedAccounts.filter { now - $0.value < Self.revokedKept }
    }
}
