internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Crypto

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
            let account = try ProviderIdentityRecord(row).account
            let candidate = try await signIn.candidate(
                account, nil, deviceKey: body.deviceKey, at: applicant.address)
            guard let record = candidate.account else { throw SignIn.overtaken }
            let begun = signIn.begin(
                record, for: applicant, deviceKey: candidate.knowsDevice ? body.deviceKey : "",
                deviceName: body.deviceName, replacing: candidate.tokens)
            if try await signIn.isCommitted(begun.statements) {
                return .signedIn(begun.signedIn.with(candidate.settings))
            }
        }
        throw SignIn.overtaken
    }
}

/// Makes what an ID token of this connection has to carry, so that one that was caught elsewhere is of no use.
struct GetNonce: EntranceCommand {
    static let kind = MessageKind(field: 103, name: "get_nonce")
    static let sender = EntranceSender.anyone

    init(_ body: WireGetNonce) {}

    func run(for applicant: Applicant, by signIn: SignIn) async -> EntranceOutcome {
        .nonce(SymmetricKey.makeSecret())
    }
}

/// Lets a provider's account sign in to the person's account.
struct LinkProvider: EntranceCommand {
    static let kind = MessageKind(field: 104, name: "link_provider")
    static let sender = EntranceSender.user

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
            // Whose it is is not said. It is never moved: that would merge two accounts behind their owners' backs.
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
