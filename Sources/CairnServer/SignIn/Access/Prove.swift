internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Proves once more that it is the person who asks, before a change of how one gets in (ACC-13).
struct Prove: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireProve

    init(_ body: WireProve) throws(Refusal) {
        guard [body.password, body.code, body.provider].count(where: { !$0.isEmpty }) <= 1 else {
            throw Refusal(
                .invalidField, "password, code or provider: one of them", component: SignIn.component,
                details: ["field": "password"])
        }
        self.body = body
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        if !body.password.isEmpty {
            _ = try await signIn.confirm(body.password, of: user, applicant)
        } else if !body.code.isEmpty {
            try await signIn.confirm(code: body.code, of: user, applicant)
        } else if !body.provider.isEmpty {
            let proof = ProviderProof(body.provider, accessToken: body.accessToken, idToken: body.idToken)
            try await signIn.confirm(proof, of: user, applicant)
        } else {
            try await signIn.requireProof(user, applicant)
            return .done
        }
        return .answer(EntranceAnswer(result: .done(WireDone()), isProof: true))
    }
}

extension SignIn {
    /// Checks a fresh token of a provider whose account signs in to the person's.
    func confirm(_ proof: ProviderProof, of user: Applicant.User, _ applicant: Applicant) async throws {
        let identity = try await identity(by: proof, applicant)
        let query = ProviderIdentityRecord.query(identity.provider, identity.subject)
        guard let row = try await store.read([query])[0].first,
            try ProviderIdentityRecord(row).account == user.account
        else { throw Refusal(.invalidCredentials, component: Self.component) }
    }

    /// Uses a one-time or recovery code up. Guesses count with those at the password.
    fileprivate func confirm(code: String, of user: Applicant.User, _ applicant: Applicant) async throws {
        let attempt = try await admit(user, applicant)
        do {
            guard let row = try await store.read([CredentialsRecord.query(user.account)])[0].first else {
                throw Refusal(.mfaInvalid, component: Self.component)
            }
            var credentials = try CredentialsRecord(row)
            guard credentials.oneTime?.isOn == true else { throw Refusal(.mfaInvalid, component: Self.component) }
            try check(code, of: &credentials)
            // Another device was faster, perhaps with the same code.
            guard try await isCommitted([credentials.update]) else {
                throw Refusal(.tryAgain, component: Self.component)
            }
            succeeded(attempt)
        } catch let refusal as Refusal where refusal.code == .mfaInvalid {
            failed(attempt)
            throw refusal
        } catch {
            abandoned(attempt)
            throw error
        }
    }
}
