internal import CairnCore
internal import CairnText

/// Sign-in by an app's own backend (ACC-12).
extension ConfigurationKey {
    static let appTokens: [SettingKey<Configuration>] = [
        .list(
            "appTokens.issuers", \.appTokens.issuers, 0...64, of: .line, .live,
            "Backends whose tokens sign in, as the claim iss names them, letter by letter. Empty: none."),
        .list(
            "appTokens.audiences", \.appTokens.audiences, 0...64, of: .line, .live,
            "Names of this server: the claim aud of a token must hold one of them, so that a token for another service "
                + "is refused."),
        .list(
            "appTokens.keyFiles", \.appTokens.keyFiles, 0...64, of: .issuersFile, .live,
            "PEM files with the backends' public keys: Ed25519 (EdDSA), P-256 (ES256) or RSA of 2,048 bits or more "
                + "(RS256). With several issuers each file has its issuer and a blank before it: a key signs for one "
                + "issuer alone. SIGHUP reads the files again."),
        .list(
            "appTokens.jwksFiles", \.appTokens.jwksFiles, 0...64, of: .issuersFile, .live,
            "JWKS files with the backends' public keys; their kid chooses among them. With several issuers as "
                + "appTokens.keyFiles. SIGHUP reads the files again."),
        .integer(
            "appTokens.leewaySeconds", \.appTokens.leewaySeconds, 0...300, unit: "seconds", .live,
            "How far a backend's clock and this server's may be apart."),
        .text(
            "appTokens.nameClaim", \.appTokens.nameClaim, .line, .live,
            "Claim that holds the name to show. A token without a name that accounts allow is refused."),
        .text(
            "appTokens.organisationClaim", \.appTokens.organisationClaim, .line, .live,
            "Claim that names an organisation. An account with it has the role organisation instead of general."),
        .text(
            "appTokens.revokedClaim", \.appTokens.revokedClaim, .line, .live,
            "Claim that signs an account out everywhere: seconds since 1970; tokens issued before are no longer "
                + "valid."),
    ]
}

extension SettingForm {
    static let issuersFile = Self(
        wants: "the path of a file that the server can read, or an issuer, a blank and such a path"
    ) { text in
        if readableFile.accepts(text) { return true }
        let parts = text.pieces(at: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && !parts[0].isEmpty && readableFile.accepts(parts[1])
    }
}
