internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// Carries out what signs a connection up, in and out, and what changes its account's ways in (`EntranceCommand`).
extension Shard {
    private static let component = SignIn.component

    /// Begins a command: one at a time per connection and lane.
    func enter(
        _ envelope: ClientEnvelope, as type: any EntranceCommand.Type, from session: Session
    ) throws(Refusal) {
        guard !isDraining else {
            throw Refusal(.serverShutdown, component: Self.component, retryAfter: .seconds(1))
        }
        try admit(type, session)
        guard let frontEnd = session.frontEnd else { throw session.refusalWithoutAccount(component: Self.component) }
        guard envelope.id != 0 else {
            throw Refusal(
                .missingField, "id: a \(type.kind.name) needs a request id", component: Self.component,
                details: ["field": "id"])
        }
        guard !session[entering: type.lane] else {
            throw Refusal(.tryAgain, "another request of this kind is under way", component: Self.component)
        }
        try admitMore(component: Self.component)
        let command = try type.decode(envelope.payload)
        let applicant = applicant(session, frontEnd, key: envelope.key)
        session[entering: type.lane] = true
        if type.lane == .session { session.nonce = "" }
        let hello = Session.Hello(
            id: envelope.id, field: envelope.field, at: now, resuming: nil,
            notifiedCount: context.signIn.services.notifiedCount)
        if type.signsIn {
            // A guest looks on while it signs in, and moves no more.
            settleWaitingPosition(of: session)
            session.stage = .signingIn(hello)
        }
        figures.requests += 1
        if type.lane == .session { pause(session, true) }
        let (participant, signIn, shards) = (session.participant, context.signIn, peers)
        let earliest = ContinuousClock.now + (type.lane == .bulk ? waitForHalf(session) : .zero)
        // One task per connection and lane: it waits for its hash, for the disk and for outside services.
        let work = { @Sendable in
            let outcome = await signIn.carryOut(command, for: applicant)
            if case .success(let outcome) = outcome { await Self.tell(of: outcome, from: applicant, on: shards) }
            return outcome
        }
        Task {
            if type.isOrdered, let user = applicant.user {
                await signIn.services.personTurns.take(of: user.account) {
                    let outcome = await work()
                    // Within the turn: what the person's next change says comes behind this answer.
                    await self.enteredNow(outcome, hello, participant, by: type, nonce: applicant.nonce)
                }
                return
            }
            let outcome = await work()
            if ContinuousClock.now < earliest { try? await Task.sleep(until: earliest) }
            self.post { $0.entered(outcome, hello, participant, by: type, nonce: applicant.nonce) }
        }
    }

    /// As `entered`, outside of the loop's turns.
    private func enteredNow(
        _ outcome: Result<EntranceOutcome, Refusal>, _ hello: Session.Hello, _ participant: Participant,
        by type: any EntranceCommand.Type, nonce: String
    ) {
        entered(outcome, hello, participant, by: type, nonce: nonce)
        flushOutgoing()
    }

    private func admit(_ type: any EntranceCommand.Type, _ session: Session) throws(Refusal) {
        switch (type.sender, session.stage) {
        case (.onlooker, .guest): try admitQuestion(session, component: Self.component)
        case (.onlooker, .user): return
        case (.guest, .guest), (.anyone, .guest), (.anyone, .user), (.user, .user): return
        case (.guest, .user):
            throw Refusal(.forbidden, "this connection is signed in: sign out first", component: Self.component)
        case (.inWorld, .user): try require(Role.inWorld, session, component: Self.component)
        case (.admin, .user): try require([.admin], session, component: Self.component)
        case (.user, _), (.onlooker, _), (.inWorld, _), (.admin, _):
            throw session.refusalWithoutAccount(component: Self.component)
        default: throw Refusal(.helloRequired, "say hello first", component: Self.component)
        }
    }

    private func applicant(_ session: Session, _ frontEnd: FrontEnd, key: String) -> Applicant {
        Applicant(
            user: session.user.map {
                Applicant.User(
                    participant: session.participant, account: $0.account, name: $0.name,
                    token: TokenName(of: $0.token), storedPrint: SignIn.storedPrint(of: $0.token),
                    absent: session.absent)
            },
            guest: session.user == nil && context.configuration.guests.look ? session.guestAccount : nil,
            address: session.address, frontEnd: frontEnd, language: session.language, key: key,
            nonce: session.nonce, now: now,
            proved: session.proof.flatMap { $0.account == session.user?.account ? $0.at : nil },
            refusalByPace: paceOfSignIns(), shards: peers)
    }

    private func entered(
        _ outcome: Result<EntranceOutcome, Refusal>, _ hello: Session.Hello, _ participant: Participant,
        by type: any EntranceCommand.Type, nonce: String
    ) {
        guard let session = session(of: participant) else { return }
        session[entering: type.lane] = false
        // The same ID token comes back with the code that is wanted.
        if case .failure(let refusal) = outcome, [.mfaRequired, .mfaInvalid].contains(refusal.code) {
            session.nonce = nonce
        }
        if type.signsIn, case .success(.signedIn(let known)) = outcome {
            session.proof = SessionExtras.Proof(account: known.account, at: hello.at)
        }
        if type.signsIn { return resolved(SignIn.Outcome(outcome), for: participant) }
        if type.lane == .session { pause(session, false) }
        answered(hello.field, since: hello.at, isRefused: outcome.isRefusal)
        switch outcome {
        case .failure(let refusal): refuse(session, id: hello.id, refusal)
        case .success(.signedIn): preconditionFailure("a command that does not sign in has signed in")
        case .success(.nonce(let nonce)):
            session.nonce = nonce
            var answer = WireNonce()
            answer.nonce = nonce
            reply(session, id: hello.id, .nonce(answer))
        case .success(.answer(let answer)):
            if let token = answer.token, var user = session.user {
                user.token = token
                session.becomes(user)
            }
            if answer.isProof, let account = session.user?.account {
                session.proof = SessionExtras.Proof(account: account, at: hello.at)
            }
            reply(session, id: hello.id, answer.result)
            if let number = answer.received { receivedNotifications(through: number, by: session) }
        }
    }

    // MARK: What the person's connections have to know

    /// Informs every shard, one after the other, of what a command has changed.
    private nonisolated static func tell(
        of outcome: EntranceOutcome, from applicant: Applicant, on shards: [Shard]
    ) async {
        await end(outcome.ending, on: shards)
        await notify(outcome.notified, on: shards)
        guard case .answer(let answer) = outcome, let user = applicant.user else { return }
        var cells: Set<CellID> = []
        for shard in shards {
            if let name = answer.name { await shard.rename(user.account, to: name) }
            if !answer.settings.isEmpty { cells.formUnion(await shard.tell(answer.settings, to: user)) }
        }
        guard !cells.isEmpty else { return }
        // When the answer leaves, no follower sees the person at the old place any more: first the cells tell it, then
        // the loops of their followers pass it on.
        for shard in shards { await shard.tellPresence(of: cells) }
        for shard in shards { await shard.tellPresence(of: []) }
    }

    /// The person's devices go by settings that one has saved, and the others learn of them (PRF-9).
    /// - Returns: the cells where others saw the person, if they see less now.
    private func tell(_ settings: [WireSetting], to sender: Applicant.User) -> Set<CellID> {
        let live = settings.live
        let cells = live.isEmpty ? [] : goBy(live, of: sender.account)
        for case let session? in sessions where !session.isDismissed {
            guard let user = session.user, user.account == sender.account else { continue }
            if let language = settings.chosenLanguage { session.chooses(language, among: languages) }
            guard session.participant != sender.participant else { continue }
            var item = WireItem()
            item.settings.settings = settings
            send(item, to: session)
        }
        flushOutgoing()
        return cells
    }

    /// A person has another name: all who see them are told.
    private func rename(_ account: AccountID, to name: String) {
        for case let session? in sessions {
            guard var user = session.user, user.account == account else { continue }
            user.name = name
            session.becomes(user)
            reenter(session)
        }
        for (id, cut) in detached where cut.user.account == account { detached[id]?.user.name = name }
    }

    // MARK: Sign-ins that are ended

    /// Makes guests of the connections whose sign-ins have ended on disk, on every shard.
    nonisolated static func end(_ ended: SignInsEnded, on shards: [Shard]) async {
        switch ended {
        case .none: return
        case .devices, .all, .account: for shard in shards { await shard.end(ended) }
        }
    }

    private func end(_ ended: SignInsEnded) {
        if case .devices(let names, _) = ended { for name in names { revokedTokens[name] = now } }
        if case .all(let account, _) = ended { revokedAccounts[account] = now }
        if case .account(let account) = ended { revokedAccounts[account] = now }
        for case let session? in sessions where !session.isDismissed {
            guard let user = session.user, ended.includes(user), ended.kept != session.participant else { continue }
            makeGuest(session, because: .tokenInvalid)
        }
        endDetached(ended.includes)
    }

    /// Whether a sign-in was ended while it was looked up.
    func isRevoked(_ known: SignIn.SignedIn, since start: MonotonicTime) -> Bool {
        if revokedTokens[TokenName(of: known.token)] != nil || isOutdated(known, since: start) { return true }
        guard let revoked = revokedAccounts[known.account] else { return false }
        return revoked >= start
    }
}

extension EntranceOutcome {
    fileprivate var ending: SignInsEnded {
        switch self {
        case .answer(let answer): answer.ending
        case .signedIn, .nonce: .none
        }
    }

    fileprivate var notified: [AccountID] {
        switch self {
        case .signedIn(let known): known.isNotified ? [known.account] : []
        case .answer(let answer): answer.notified
        case .nonce: []
        }
    }
}

extension Result<EntranceOutcome, Refusal> {
    fileprivate var isRefusal: Bool { if case .failure = self { true } else { false } }
}

extension SignInsEnded {
    fileprivate func includes(_ user: Session.User) -> Bool {
        switch self {
        case .none: false
        case .devices(let names, let account): user.account == account && names.contains(TokenName(of: user.token))
        case .account(let account): user.account == account
        // Tokens of an app's backend are not ours to end.
        case .all(let account, _): user.account == account && user.appToken == nil
        }
    }

    /// The connection that stays signed in; nil = none.
    fileprivate var kept: Participant? { if case .all(_, let kept) = self { kept } else { nil } }
}

extension SignIn.Outcome {
    fileprivate init(_ outcome: Result<EntranceOutcome, Refusal>) {
        switch outcome {
        case .success(.signedIn(let known)): self = .signedIn(known)
        case .success: preconditionFailure("a command that signs in has answered otherwise")
        case .failure(let refusal): self = .refused(refusal)
        }
    }
}
