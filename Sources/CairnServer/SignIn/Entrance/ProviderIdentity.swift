internal import CairnAdaptors
internal import CairnConfiguration
internal import CairnCore
internal import CairnWire

/// The proof of a provider's account: one of two tokens.
struct ProviderProof: Sendable {
    let provider: String
    let accessToken: String
    let idToken: String

    /// A longer token is refused unread.
    private static let bytesMax = 8_192

    init(_ provider: String, accessToken: String, idToken: String) {
        self.provider = provider
        self.accessToken = accessToken
        self.idToken = idToken
    }

    var isUsable: Bool {
        accessToken.isEmpty != idToken.isEmpty && accessToken.utf8.count <= Self.bytesMax
            && idToken.utf8.count <= AppToken.bytesMax
    }
}

/// Whom a provider has vouched for.
struct ProviderIdentity: Equatable, Sendable {
    let provider: String
    /// The account's name at the provider, for ever.
    let subject: String
    var email: EmailAddress?
    var isEmailVerified = false
    /// As the provider tells them, cut to what a name may be; may be empty.
    var firstName = ""
    var lastName = ""

    static let subjectBytesMax = 255

    /// Nil when the subject cannot be one.
    init?(provider: String, subject: String) {
        guard (1...Self.subjectBytesMax).contains(subject.utf8.count), !subject.utf8.contains(0) else { return nil }
        self.provider = provider
        self.subject = subject
    }

    static func name(_ text: String) -> String { SignUpRules.isName(text) ? text : "" }
}

extension SignIn {
    /// Finds whom a proof is about.
    /// - Throws: `social_token_invalid`, `provider_unavailable`.
    func identity(by proof: ProviderProof, _ applicant: Applicant) async throws -> ProviderIdentity {
        guard proof.isUsable else {
            throw Refusal(
                .missingField, "accessToken or idToken, and not both", component: Self.component,
                details: ["field": "accessToken"])
        }
        // Before anything is remembered: invented names must not fill the table of attempts.
        guard providers.accessTokens.contains(proof.provider) || proofs.idTokens.knows(proof.provider) else {
            throw Refusal(.socialTokenInvalid, component: Self.component, details: ["reason": "provider"])
        }
        // A failure of an address counts like a failed sign-in: a token is a secret to be guessed as well.
        let attempt = try admit(provider: proof.provider, applicant)
        do {
            let identity =
                proof.idToken.isEmpty
                ? try await identity(byAccessToken: proof.accessToken, of: proof.provider)
                : try await identity(byIDToken: proof.idToken, of: proof.provider, nonce: applicant.nonce)
            succeeded(attempt)
            return identity
        } catch let refusal as Refusal where refusal.code == .socialTokenInvalid {
            failed(attempt)
            throw refusal
        } catch {
            abandoned(attempt)
            throw error
        }
    }

    private func identity(byIDToken token: String, of provider: String, nonce: String) async throws -> ProviderIdentity
    {
        guard !nonce.isEmpty else {
            throw Refusal(
                .socialTokenInvalid, "get_nonce comes first", component: Self.component, details: ["reason": "nonce"])
        }
        switch await proofs.appTokens.desk.judge(token, of: provider, nonce: nonce, by: proofs.idTokens, now: clock.now)
        {
        case nil: throw Self.busy
        case .success(let identity)?: return identity
        case .failure(let fault)?:
            throw Refusal(.socialTokenInvalid, component: Self.component, details: ["reason": fault.rawValue])
        }
    }

    /// Asks the identity adaptor, which gets the provider's name and the token and nothing else (EXT-3).
    private func identity(byAccessToken token: String, of provider: String) async throws -> ProviderIdentity {
        guard providers.accessTokens.contains(provider) else {
            throw Refusal(
                .socialTokenInvalid, component: Self.component, details: ["reason": "provider"])
        }
        let call = AdaptorCall(
            id: Secret.make(), action: "check",
            fields: ["provider": .text(provider), "token": .text(token)])
        let answer: AdaptorAnswer
        do {
            answer = try await services.adaptors.call(.identity, call)
        } catch {
            throw Refusal(.providerUnavailable, component: Self.component, retryAfter: .seconds(10))
        }
        guard case .done(let fields) = answer,
            var identity = ProviderIdentity(provider: provider, subject: fields["subject"] ?? "")
        else { throw Refusal(.socialTokenInvalid, component: Self.component, details: ["reason": "provider"]) }
        identity.email = fields["email"].flatMap { EmailAddress($0) }
        identity.isEmailVerified = fields["emailVerified"] == "true"
        identity.firstName = ProviderIdentity.name(fields["firstName"] ?? "")
        identity.lastName = ProviderIdentity.name(fields["lastName"] ?? "")
        return identity
    }
}
