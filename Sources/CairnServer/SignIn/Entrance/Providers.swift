internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWire

/// Signs in with an account of a provider, and makes the account here the first time (ACC-7).
struct SignInWithProvider: EntranceCommand {
    static let sender = EntranceSender.guest
    static let signsIn = true

    private let body: WireSignInWithProvider

    init(_ body: WireSignInWithProvider) throws(Refusal) {
        self.body = body
        try SignIn.checkDeviceName(body.deviceName)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let proof = ProviderProof(body.provider, accessToken: body.accessToken, idToken: body.idToken)
        let identity = try await signIn.identity(by: proof, applicant)
        let line = LimitKey(hashing: "\(identity.provider)\0\(identity.subject)".utf8)
        let outcome = await signIn.services.identityTurns.take(of: line) { () -> Result<SignIn.SignedIn, any Error> in
            do {
                return .success(try await enter(with: identity, applicant, signIn))
            } catch {
                return .failure(error)
            }
        }
        return .signedIn(try outcome.get())
    }

    /// Finds the account of an identity, or makes it. Sign-ins with one identity come here one after the other.
    private func enter(
        with identity: ProviderIdentity, _ applicant: Applicant, _ signIn: SignIn
    ) async throws -> SignIn.SignedIn {
        for _ in 0..<SignIn.attemptsMax {
            let query = ProviderIdentityRecord.query(identity.provider, identity.subject)
            guard let row = try await signIn.store.read([query])[0].first else {
                let former = AccessChange.Identity(provider: identity.provider, subject: identity.subject)
                guard let account = try await signIn.account(ofFormer: former) else {
                    return try await signIn.make(identity, for: applicant, body)
                }
                if let signedIn = try await enter(account, linking: former, applicant, signIn) {
                    return signedIn
                }
                continue
            }
            if let signedIn = try await enter(try ProviderIdentityRecord(row).account, applicant, signIn) {
                return signedIn
            }
        }
        throw SignIn.overtaken
    }

    /// Signs in to an account that is there, with a one-time code where it asks for one (ACC-8).
    /// - Parameter former: is linked once more by it; nil = it is linked.
    /// - Returns: nil when another change was faster.
    private func enter(
        _ account: AccountID, linking former: AccessChange.Identity? = nil, _ applicant: Applicant, _ signIn: SignIn
    ) async throws -> SignIn.SignedIn? {
        let row = try await signIn.store.read([CredentialsRecord.query(account)])[0].first
        let candidate = try await signIn.candidate(
            account, try row.map { try CredentialsRecord($0) }, deviceKey: body.deviceKey, at: applicant.address)
        guard let record = candidate.account else { throw SignIn.overtaken }
        var credentials = candidate.credentials
        if var asking = credentials, asking.oneTime?.isOn == true {
            let attempt = try signIn.admitCode(candidate, at: applicant)
            do throws(Refusal) {
                try signIn.check(body.code, of: &asking)
                signIn.succeeded(attempt)
            } catch {
                if error.code == .mfaInvalid { signIn.failed(attempt) } else { signIn.abandoned(attempt) }
                throw error
            }
            credentials = asking
        }
        if let refusal = applicant.refusalByPace(account) { throw refusal }
        let begun = signIn.begin(
            candidate, record, credentials, for: applicant, deviceKey: body.deviceKey, deviceName: body.deviceName)
        var (signedIn, statements) = (begun.signedIn, begun.statements)
        if let former {
            let language = try await signIn.language(of: account, or: applicant.language)
            statements.append(ProviderIdentityRecord.insertion(former.provider, former.subject, of: account))
            statements += signIn.noting(
                .providerReturned(former), of: account, to: credentials?.provedAddress ?? [], in: language)
            signedIn.isNotified = true
        }
        guard try await signIn.isCommitted(statements + [record.check]) else { return nil }
        signIn.services.postman.poke()
        return signedIn
    }
}

/// Makes what an ID token of this connection has to carry, so that one that was caught elsewhere is of no use.
struct GetNonce: EntranceCommand {
    static let sender = EntranceSender.anyone

    init(_ body: WireGetNonce) {}

    func run(for applicant: Applicant, by signIn: SignIn) async -> EntranceOutcome {
        .nonce(Secret.make())
    }
}

/// Lets a provider's account sign in to the person's account.
struct LinkProvider: EntranceCommand {
    static let sender = EntranceSender.inWorld

    private let body: WireLinkProvider

    init(_ body: WireLinkProvider) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        let ways = try await signIn.requireProof(user, applicant)
        let proof = ProviderProof(body.provider, accessToken: body.accessToken, idToken: body.idToken)
        let identity = try await signIn.identity(by: proof, applicant)
        let linked = AccessChange.Identity(provider: identity.provider, subject: identity.subject)
        if !ways.identities.contains(linked) {
            try await signIn.admitChange(of: user.account)
            let language = try await signIn.language(of: user.account, or: applicant.language)
            let insertion = ProviderIdentityRecord.insertion(identity.provider, identity.subject, of: user.account)
            let notes = signIn.noting(
                .providerLinked(linked), of: user.account, to: ways.credentials?.provedAddress ?? [], in: language)
            if try await signIn.isCommitted(standing + [insertion] + notes) {
                signIn.services.postman.poke()
                return .answer(EntranceAnswer(result: .done(WireDone()), notified: [user.account]))
            }
        }
        let query = ProviderIdentityRecord.query(identity.provider, identity.subject)
        guard let row = try await signIn.store.read([query])[0].first else {
            // The sign-in that asked has ended.
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        guard try ProviderIdentityRecord(row).account == user.account else {
            // The refusal does not name the other account. The link is never moved: that would merge two accounts
            // without their owners' knowledge.
            throw Refusal(.forbidden, "this provider's account is linked elsewhere", component: SignIn.component)
        }
        return .done
    }
}

/// Ends that a provider's account signs in to the person's account.
struct UnlinkProvider: EntranceCommand {
    static let sender = EntranceSender.user

    private let provider: String

    init(_ body: WireUnlinkProvider) { provider = body.provider }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        let ways = try await signIn.requireProof(user, applicant)
        let rows = try await signIn.store.read([ProviderIdentityRecord.query(of: user.account)])[0]
        let linked = try rows.map { try ProviderIdentityRecord($0) }
        let ending = linked.filter { $0.provider == provider }
        guard !ending.isEmpty else {
            throw Refusal(.notFound, "no such provider is linked", component: SignIn.component)
        }
        let other = linked.first { $0.provider != provider }
        let hasPassword = ways.hasPassword
        guard hasPassword || other != nil else {
            throw Refusal(.forbidden, "nothing else signs in to this account", component: SignIn.component)
        }
        // Another device may unlink the other one at this moment.
        let checks = hasPassword ? [] : other.map { [$0.check] } ?? []
        try await signIn.admitChange(of: user.account)
        let language = try await signIn.language(of: user.account, or: applicant.language)
        let notes = ending.flatMap { identity in
            signIn.noting(
                .providerUnlinked(AccessChange.Identity(identity)), of: user.account,
                to: ways.credentials?.provedAddress ?? [], in: language)
        }
        guard try await signIn.isCommitted(standing + ending.map(\.removal) + checks + notes) else {
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        signIn.services.postman.poke()
        return .answer(EntranceAnswer(result: .done(WireDone()), notified: [user.account]))
    }
}

extension SignIn {
    /// The first sign-in with a provider's account.
    fileprivate func make(
        _ identity: ProviderIdentity, for applicant: Applicant, _ body: WireSignInWithProvider
    ) async throws -> SignedIn {
        guard accounts.signUp else {
            throw Refusal(.forbidden, "this server makes no accounts", component: Self.component)
        }
        try requireConsent(body.consent)
        try admit(.signUp, at: applicant)
        let words = "\(identity.firstName) \(identity.lastName)"
        return try await make(
            applicant, deviceName: body.deviceName, username: .like(words),
            identity: (identity.provider, identity.subject)
        ) { record, profile, now in
            record.email = identity.email.map {
                CredentialsRecord.Email(address: $0, since: now, verified: identity.isEmailVerified ? now : nil)
            }
            profile.person = ProfileRecord.Person(
                firstName: identity.firstName, lastName: identity.lastName, birthDate: "")
            record.consent = CredentialsRecord.Consent(version: body.consent, at: now)
        }
    }
}
