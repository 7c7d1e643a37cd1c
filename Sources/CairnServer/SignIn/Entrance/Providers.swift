internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Signs in with an account of a provider, and makes the account here the first time (ACC-7).
struct SignInWithProvider: EntranceCommand {
    static let kind = MessageKind(field: 102, name: "sign_in_with_provider")
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
        for _ in 0..<SignIn.attemptsMax {
            let query = ProviderIdentityRecord.query(identity.provider, identity.subject)
            guard let row = try await signIn.store.read([query])[0].first else {
                return .signedIn(try await signIn.make(identity, for: applicant, body))
            }
            if let signedIn = try await enter(try ProviderIdentityRecord(row).account, applicant, signIn) {
                return .signedIn(signedIn)
            }
        }
        throw SignIn.overtaken
    }

    /// Signs in to an account that is there, with a one-time code where it asks for one (ACC-8).
    /// - Returns: nil when another change was faster.
    private func enter(
        _ account: AccountID, _ applicant: Applicant, _ signIn: SignIn
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
        let begun = signIn.begin(
            candidate, record, credentials, for: applicant, deviceKey: body.deviceKey, deviceName: body.deviceName)
        guard try await signIn.isCommitted(begun.statements) else { return nil }
        signIn.services.postman.poke()
        return begun.signedIn
    }
}

/// Makes what an ID token of this connection has to carry, so that one that was caught elsewhere is of no use.
struct GetNonce: EntranceCommand {
    static let kind = MessageKind(field: 103, name: "get_nonce")
    static let sender = EntranceSender.anyone

    init(_ body: WireGetNonce) {}

    func run(for applicant: Applicant, by signIn: SignIn) async -> EntranceOutcome {
        .nonce(Secret.make())
    }
}

/// Lets a provider's account sign in to the person's account.
struct LinkProvider: EntranceCommand {
    static let kind = MessageKind(field: 104, name: "link_provider")
    static let sender = EntranceSender.inWorld

    private let body: WireLinkProvider

    init(_ body: WireLinkProvider) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let proof = ProviderProof(body.provider, accessToken: body.accessToken, idToken: body.idToken)
        let identity = try await signIn.identity(by: proof, applicant)
        let insertion = ProviderIdentityRecord.insertion(identity.provider, identity.subject, of: user.account)
        if try await signIn.isCommitted([insertion]) { return .done }
        let query = ProviderIdentityRecord.query(identity.provider, identity.subject)
        guard let row = try await signIn.store.read([query])[0].first,
            try ProviderIdentityRecord(row).account == user.account
        else {
            // The refusal does not name the other account. The link is never moved: that would merge two accounts
            // without their owners' knowledge.
            throw Refusal(.forbidden, "this provider's account is linked elsewhere", component: SignIn.component)
        }
        return .done
    }
}

/// Ends that a provider's account signs in to the person's account.
struct UnlinkProvider: EntranceCommand {
    static let kind = MessageKind(field: 105, name: "unlink_provider")
    static let sender = EntranceSender.user

    private let provider: String

    init(_ body: WireUnlinkProvider) { provider = body.provider }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let answers = try await signIn.store.read([
            ProviderIdentityRecord.query(of: user.account), CredentialsRecord.query(user.account),
        ])
        let linked = try answers[0].map { try ProviderIdentityRecord($0) }
        let credentials = try answers[1].first.map { try CredentialsRecord($0) }
        let ending = linked.filter { $0.provider == provider }
        guard !ending.isEmpty else {
            throw Refusal(.notFound, "no such provider is linked", component: SignIn.component)
        }
        let other = linked.first { $0.provider != provider }
        let hasPassword = credentials?.password.isEmpty == false
        guard hasPassword || other != nil else {
            throw Refusal(.forbidden, "nothing else signs in to this account", component: SignIn.component)
        }
        // Another device may unlink the other one at this moment.
        let checks = hasPassword ? [] : other.map { [$0.check] } ?? []
        guard try await signIn.isCommitted(ending.map(\.removal) + checks) else {
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        return .done
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
