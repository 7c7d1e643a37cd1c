public import CairnConfiguration
internal import CairnCrypto
internal import CairnStore
public import Foundation

/// Signs tokens for trials, as an app's backend would (ACC-12): `cairn admin token`. The server knows only the public
/// half of the key, and only if its configuration names it.
public struct TrialTokens: Sendable {
    /// The claim `iss` of these tokens.
    public static let issuer = "cairn-trials"
    /// The claim `aud` where the configuration names no audience yet.
    public static let audience = "cairn"
    /// Longest that one is good, in hours: a year.
    public static let hoursMax = 8_760

    /// The private key, PEM, for its owner alone.
    public let keyPath: String
    /// The public key, PEM: what `appTokens.keyFiles` names.
    public var publicKeyPath: String { keyPath + ".pub" }
    private let key: Ed25519.PrivateKey
    private let settings: Configuration.AppTokens

    /// Reads the key, and makes one where there is none.
    /// - Parameter path: of the private key; nil = `trial-sign-in.pem` beside `storage.keyFile`.
    /// - Throws: names the file and what is wrong with it. A file that others can read is no key any more.
    public init(_ configuration: Configuration, keyPath path: String?) throws(ConfigurationError) {
        settings = configuration.appTokens
        let folder = (configuration.storage.keyFile ?? "cairn.key").parentDirectory as NSString
        keyPath = path ?? folder.appendingPathComponent("trial-sign-in.pem")
        let made = Ed25519.PrivateKey()
        if try Self.create(keyPath, made.pem + "\n", mode: 0o600) {
            key = made
        } else {
            key = try Self.read(keyPath)
        }
        _ = try Self.create(publicKeyPath, key.publicKey.pem + "\n", mode: 0o644)
    }

    /// A token that is good from now on.
    public func token(name: String, organisation: String? = nil, hours: Int, at now: Date = Date()) -> String {
        let seconds = Int64(now.timeIntervalSince1970)
        var claims: [(String, String)] = [
            ("iss", Self.quoted(Self.issuer)), ("aud", Self.quoted(settings.audiences.first ?? Self.audience)),
            ("sub", Self.quoted(name.lowercased())), (settings.nameClaim, Self.quoted(name)), ("iat", "\(seconds)"),
            ("exp", "\(seconds + Int64(min(max(hours, 1), Self.hoursMax)) * 3_600)"),
        ]
        if let organisation { claims.append((settings.organisationClaim, Self.quoted(organisation))) }
        let payload = "{" + claims.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
        let signed = Self.encoded(#"{"alg":"EdDSA","typ":"JWT"}"#.utf8) + "." + Self.encoded(payload.utf8)
        guard let signature = try? key.signature(for: signed.utf8) else {
            preconditionFailure("Ed25519 signs any bytes")
        }
        return signed + "." + Self.encoded(signature)
    }

    /// The lines that the configuration still needs for the server to take these tokens; nil = it has them.
    public var missingSettings: String? {
        let entry = "\(Self.issuer) \(publicKeyPath)"
        let others = settings.issuers.filter { $0 != Self.issuer }
        let files = Set(settings.keyFiles)
        let isNamed = files.contains(entry) || others.isEmpty && files.contains(publicKeyPath)
        guard !isNamed || !settings.issuers.contains(Self.issuer) || settings.audiences.isEmpty else { return nil }
        func list(_ values: [String], with value: String? = nil) -> String {
            let all = value.map { values.contains($0) ? values : values + [$0] } ?? values
            return all.map { "\n    - \(Self.quoted($0))" }.joined()
        }
        // Beside another issuer each file says whose keys it holds; so far there was one to say it of.
        func owned(_ entries: [String]) -> [String] {
            guard others.count == 1 else { return entries }
            return entries.map { $0.hasPrefix(others[0] + " ") || $0 == entry ? $0 : "\(others[0]) \($0)" }
        }
        let jwks = settings.jwksFiles.isEmpty ? "" : "\n  jwksFiles:\(list(owned(settings.jwksFiles)))"
        return """
            appTokens:
              issuers:\(list(settings.issuers, with: Self.issuer))
              audiences:\(list(settings.audiences, with: settings.audiences.first ?? Self.audience))
              keyFiles:\(list(owned(settings.keyFiles.filter { $0 != publicKeyPath }), with: entry))\(jwks)
            """
    }

    // MARK: Files and texts

    /// Writes a file that was not there, following no link.
    /// - Returns: false when there is one of that name.
    private static func create(_ path: String, _ text: String, mode: mode_t) throws(ConfigurationError) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else {
            guard errno == EEXIST else { throw unusable(path, String(cString: strerror(errno))) }
            return false
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            throw unusable(path, "\(error)")
        }
        return true
    }

    private static func read(_ path: String) throws(ConfigurationError) -> Ed25519.PrivateKey {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw unusable(path, "others can read it: chmod 600, or remove it and have a new one made")
        }
        guard let data = try? handle.read(upToCount: 65_536),
            let key = Ed25519.PrivateKey(pem: String(decoding: data, as: UTF8.self))
        else { throw unusable(path, "it holds no Ed25519 key (PEM)") }
        return key
    }

    private static func unusable(_ path: String, _ cause: String) -> ConfigurationError {
        ConfigurationError(["the key for trials, \(path): \(cause)"])
    }

    /// A text in JSON, and so in YAML.
    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: (try? encoder.encode(text)) ?? Data(#""""#.utf8), as: UTF8.self)
    }

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64URL
    }
}
