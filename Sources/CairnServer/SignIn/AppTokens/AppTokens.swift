internal import CairnConfiguration
internal import CairnCore
internal import Foundation
internal import Logging

/// How tokens of an app's backend are judged: rules and keys as they are now. Reading a configuration again makes
/// another one.
package struct AppTokens: Sendable {
    let rules: AppTokenRules
    let keys: AppTokenKeys
    /// Where they wait to be judged; stays when the settings change.
    let desk: AppTokenDesk

    /// None are taken.
    init() {
        rules = AppTokenRules()
        keys = AppTokenKeys()
        desk = AppTokenDesk()
    }

    private init(rules: AppTokenRules, keys: AppTokenKeys, desk: AppTokenDesk) {
        self.rules = rules
        self.keys = keys
        self.desk = desk
    }

    /// Reads the key files.
    init(
        _ settings: Configuration.AppTokens, desk: AppTokenDesk = AppTokenDesk()
    ) throws(ConfigurationError) {
        self.init(
            rules: AppTokenRules(settings),
            keys: try AppTokenKeys(
                pemFiles: settings.keyFiles, jwksFiles: settings.jwksFiles, issuers: settings.issuers),
            desk: desk)
    }

    /// Goes by other settings. Key files that cannot be used leave the keys as they are; they then sign for no issuer
    /// that is new.
    func applying(_ settings: Configuration.AppTokens, logger: Logger) -> AppTokens {
        do {
            return try AppTokens(settings, desk: desk)
        } catch {
            logger.error("the keys of app tokens cannot be read again; the old ones stay in force: \(error)")
            var rules = AppTokenRules(settings)
            rules.issuers.removeAll { !self.rules.issuers.contains($0) }
            return AppTokens(rules: rules, keys: keys, desk: desk)
        }
    }

    /// A token that is good.
    struct Judgement: Sendable {
        let identity: AppIdentity
        /// What was signed. It names the token: the signature over it may have other spellings (ECDSA).
        let signed: String
    }

    /// Finds the person that a token is about. The signature is checked first, so only a caller who can sign learns
    /// what is wrong with the claims.
    func judge(_ text: String, now: WallTime) throws(AppTokenFault) -> Judgement {
        guard !keys.isEmpty, !rules.issuers.isEmpty else { throw .unconfigured }
        let token = try AppToken(text)
        guard keys.verifies(token) else { throw .signature }
        return Judgement(
            identity: try rules.identity(from: token.claims, now: now),
            signed: String(decoding: token.signed, as: UTF8.self))
    }
}

extension AppTokenRules {
    init(_ settings: Configuration.AppTokens) {
        self.init(
            issuers: settings.issuers, audiences: settings.audiences, leeway: .seconds(settings.leewaySeconds),
            nameClaim: settings.nameClaim, organisationClaim: settings.organisationClaim,
            revokedClaim: settings.revokedClaim)
    }
}
