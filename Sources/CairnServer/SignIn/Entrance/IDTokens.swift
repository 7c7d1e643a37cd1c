internal import CairnConfiguration
internal import CairnCore
internal import CairnText
internal import CairnWire
internal import Foundation
internal import Logging

/// How ID tokens of providers are judged: rules and keys as they are now (OpenID Connect Core 1.0, 3.1.3.7).
struct IDTokens: Sendable {
    private var providers: [String: Provider] = [:]
    private let leeway: Duration

    private struct Provider: Sendable {
        var issuers: [String] = []
        var audiences: [String] = []
        var keys = AppTokenKeys()
    }

    /// None are taken.
    init() { leeway = .zero }

    /// Reads the key files.
    init(_ settings: Configuration.Providers) throws(ConfigurationError) {
        leeway = .seconds(settings.leewaySeconds)
        for (name, issuer) in Self.pairs(settings.issuers) {
            providers[name, default: Provider()].issuers.append(issuer)
        }
        for (name, audience) in Self.pairs(settings.audiences) { providers[name]?.audiences.append(audience) }
        let files = Dictionary(grouping: Self.pairs(settings.jwksFiles), by: \.0)
        for (name, paths) in files where providers[name] != nil {
            providers[name]?.keys = try AppTokenKeys(
                jwksFiles: paths.map(\.1), of: "providers.jwksFiles", algorithms: ["RS256", "ES256"])
        }
    }

    /// Goes by other settings. Key files that cannot be used leave everything as it is.
    func applying(_ settings: Configuration.Providers, logger: Logger) -> IDTokens {
        do {
            return try IDTokens(settings)
        } catch {
            logger.error("the keys of providers cannot be read again; the old ones stay in force: \(error)")
            return self
        }
    }

    /// What is wrong with keys that are left out.
    var unusableKeys: [String] { providers.values.flatMap(\.keys.unusable) }

    /// Whether ID tokens of the provider are looked at.
    func knows(_ name: String) -> Bool { providers[name] != nil }

    private static func pairs(_ items: [String]) -> [(String, String)] {
        items.compactMap { item in
            guard let blank = item.firstPlace(of: " ") else { return nil }
            return (String(item[..<blank]), String(item[item.index(after: blank)...]))
        }
    }

    /// Finds whom a token is about. The signature is checked first.
    /// - Parameter nonce: what this connection was given, not empty.
    func judge(
        _ text: String, of name: String, nonce: String, now: WallTime
    ) throws(IDTokenFault) -> ProviderIdentity {
        guard let provider = providers[name], !provider.keys.isEmpty else { throw .provider }
        guard let token = try? AppToken(text) else { throw .malformed }
        guard provider.keys.verifies(token) else { throw .signature }
        guard case .text(let issuer)? = token.claims["iss"], provider.issuers.contains(issuer) else { throw .issuer }
        guard isForUs(token.claims, provider.audiences) else { throw .audience }
        guard let expires = AppTokenRules.time(token.claims["exp"]), expires + leeway > now else { throw .expired }
        guard let issued = AppTokenRules.time(token.claims["iat"]), issued <= now + leeway else { throw .time }
        if let claim = token.claims["nbf"] {
            guard let begins = AppTokenRules.time(claim), begins <= now + leeway else { throw .time }
        }
        guard case .text(nonce)? = token.claims["nonce"] else { throw .nonce }
        guard case .text(let subject)? = token.claims["sub"],
            var identity = ProviderIdentity(provider: name, subject: subject)
        else { throw .subject }
        if case .text(let email)? = token.claims["email"] { identity.email = EmailAddress(email) }
        // Apple writes it as a text.
        let verified = token.claims["email_verified"]
        identity.isEmailVerified = verified == .flag(true) || verified == .text("true")
        if case .text(let first)? = token.claims["given_name"] { identity.firstName = ProviderIdentity.name(first) }
        if case .text(let last)? = token.claims["family_name"] { identity.lastName = ProviderIdentity.name(last) }
        return identity
    }

    /// An audience must be ours, and so must the party that asked for the token, where the token names it. Where there
    /// are several audiences it must.
    private func isForUs(_ claims: [String: AppClaim], _ audiences: [String]) -> Bool {
        let named: [String]
        switch claims["aud"] {
        case .text(let audience)?: named = [audience]
        case .texts(let several)?: named = several
        default: return false
        }
        guard named.contains(where: audiences.contains) else { return false }
        guard let party = claims["azp"] else { return named.count == 1 }
        guard case .text(let party) = party else { return false }
        return audiences.contains(party)
    }
}

/// Why an ID token is rejected.
enum IDTokenFault: String, Error, Sendable {
    /// The server knows no such provider, or none of its keys.
    case provider
    case malformed, signature
    // The faults below are reported only for tokens with a valid signature.
    case issuer, audience, expired, time, nonce, subject
}
