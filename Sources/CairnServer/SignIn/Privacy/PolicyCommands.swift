internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Shows the privacy policy, also to guests (CMP-1).
struct GetPolicy: EntranceCommand {
    static let sender = EntranceSender.anyone

    private let language: String

    init(_ body: WireGetPolicy) { language = body.language }

    func run(for applicant: Applicant, by signIn: SignIn) async -> EntranceOutcome {
        let policy = signIn.services.policy
        let text = policy.text(in: [language.isEmpty ? applicant.language : language])
        var answer = WirePolicy()
        answer.version = policy.version
        answer.region = policy.region
        answer.language = text.language
        answer.title = text.title
        answer.text = text.text
        return .answered(.policy(answer))
    }
}

/// Agrees to the present version of it.
struct AgreePolicy: EntranceCommand {
    static let sender = EntranceSender.user

    private let version: String

    init(_ body: WireAgreePolicy) { version = body.version }

    /// An account without credentials keeps no consent here, and a row of them would be more: an open account with one
    /// is open no longer.
    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        try signIn.requireConsent(version)
        for _ in 0..<SignIn.attemptsMax {
            guard let row = try await signIn.store.read([CredentialsRecord.query(user.account)])[0].first else {
                throw Refusal(.forbidden, "the app keeps this account's consent", component: SignIn.component)
            }
            var credentials = try CredentialsRecord(row)
            // The first agreement to a version is the one that counts.
            guard credentials.consent.version != version else { return .done }
            credentials.consent = CredentialsRecord.Consent(version: version, at: signIn.clock.now)
            if try await signIn.isCommitted([credentials.update]) { return .done }
        }
        throw SignIn.overtaken
    }
}
