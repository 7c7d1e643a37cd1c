internal import CairnConfiguration
internal import CairnCrypto
internal import Foundation

/// The public keys that tokens of an app's backend are checked against.
struct AppTokenKeys: Sendable {
    private var keys: [Key] = []

    /// One key stands for one algorithm: a token cannot choose how it is used.
    private struct Key: Sendable {
        /// As a JWKS file names it; nil = it has no name.
        let id: String?
        let verifier: Verifier
        /// The one issuer whose tokens it signs; nil = of the only one.
        var issuer: String?
    }

    /// The algorithms of ACC-12. HS256 is none: with it the public key would be the secret.
    private enum Verifier: Sendable {
        case eddsa(Ed25519.PublicKey)
        case es256(P256.PublicKey)
        case rs256(RSA.PublicKey)

        /// As `alg` has it (RFC 7518 3.1, RFC 8037 3.1).
        var algorithm: String {
            switch self {
            case .eddsa: "EdDSA"
            case .es256: "ES256"
            case .rs256: "RS256"
            }
        }

        func verifies(_ signature: [UInt8], over signed: [UInt8]) -> Bool {
            switch self {
            case .eddsa(let key): key.isValidSignature(signature, for: signed)
            case .es256(let key): key.isValidSignature(signature, for: signed)
            case .rs256(let key): key.isValidSignature(signature, for: signed)
            }
        }
    }

    /// Most keys of all files together: a signature without a key's name is tried with each.
    static let keysMax = 64
    private static let fileBytesMax = 1_048_576
    private static let rsaBitsMin = RSA.PublicKey.bitsMin
    /// A signature by a longer key would take long to check.
    private static let rsaBitsMax = 8_192

    var isEmpty: Bool { keys.isEmpty }

    init() {}

    /// Reads PEM files with public keys and JWKS files (RFC 7517).
    /// - Parameter issuers: all that are believed. Of several each signs with its own keys: an entry is then an issuer,
    ///   a blank and a path.
    /// - Throws: names the setting, the file and what is wrong with it.
    init(pemFiles: [String], jwksFiles: [String], issuers: [String] = []) throws(ConfigurationError) {
        for entry in pemFiles {
            keys += try Self.read(entry, of: "appTokens.keyFiles", among: issuers, Self.keys(inPEM:))
        }
        for entry in jwksFiles {
            keys += try Self.read(entry, of: "appTokens.jwksFiles", among: issuers, Self.keys(inJWKS:))
        }
        guard keys.count <= Self.keysMax else {
            throw ConfigurationError(["appTokens: \(keys.count) keys, and \(Self.keysMax) is the most"])
        }
    }

    /// Reads JWKS files; keys for other algorithms are left out.
    /// - Parameters:
    ///   - setting: named in what is thrown.
    ///   - algorithms: as `alg` has them.
    /// - Throws: names the setting, the file and what is wrong with it.
    init(jwksFiles: [String], of setting: String, algorithms: Set<String>) throws(ConfigurationError) {
        for path in jwksFiles { keys += try Self.read(path, of: setting, Self.keys(inJWKS:)) }
        keys.removeAll { !algorithms.contains($0.verifier.algorithm) }
        guard keys.count <= Self.keysMax else {
            throw ConfigurationError(["\(setting): \(keys.count) keys, and \(Self.keysMax) is the most"])
        }
    }

    /// Whether one of the keys made the token's signature, and may: a key signs for its own issuer alone.
    func verifies(_ token: AppToken) -> Bool {
        keys.contains { key in
            key.verifier.algorithm == token.algorithm
                && (key.issuer == nil || token.claims["iss"] == key.issuer.map { .text($0) })
                && (key.id == nil || token.keyID == nil || key.id == token.keyID)
                && key.verifier.verifies(token.signature, over: token.signed)
        }
    }

    // MARK: Files

    /// Why a file gives no keys, for its operator.
    private struct Unusable: Error {
        let cause: String
    }

    private static func read(
        _ entry: String, of setting: String, among issuers: [String], _ parse: (String) throws(Unusable) -> [Key]
    ) throws(ConfigurationError) -> [Key] {
        let issuer = issuers.first { entry.hasPrefix($0 + " ") }
        guard issuer != nil || issuers.count < 2 else {
            throw ConfigurationError([
                "\(setting): \(entry): several issuers are set: write whose keys these are, \"\(issuers[0]) \(entry)\""
            ])
        }
        let path = issuer.map { String(entry.dropFirst($0.count + 1)) } ?? entry
        return try read(path, of: setting, parse).map { Key(id: $0.id, verifier: $0.verifier, issuer: issuer) }
    }

    private static func read(
        _ path: String, of setting: String, _ parse: (String) throws(Unusable) -> [Key]
    ) throws(ConfigurationError) -> [Key] {
        do throws(Unusable) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Unusable(cause: "the file cannot be read")
            }
            guard data.count <= fileBytesMax else { throw Unusable(cause: "it has more than \(fileBytesMax) bytes") }
            let keys = try parse(String(decoding: data, as: UTF8.self))
            guard !keys.isEmpty else { throw Unusable(cause: "it holds no public key for EdDSA, ES256 or RS256") }
            return keys
        } catch {
            throw ConfigurationError(["\(setting): \(path): \(error.cause)"])
        }
    }

    private static func keys(inPEM text: String) throws(Unusable) -> [Key] {
        guard !text.contains("PRIVATE KEY-----") else {
            throw Unusable(cause: "it holds a private key: the server wants the public one (BEGIN PUBLIC KEY)")
        }
        let (begin, end) = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")
        var keys: [Key] = []
        for block in text.components(separatedBy: begin).dropFirst() {
            guard let last = block.range(of: end) else { throw Unusable(cause: "a key has no end") }
            keys.append(Key(id: nil, verifier: try verifier(pem: begin + block[..<last.lowerBound] + end)))
        }
        return keys
    }

    private static func verifier(pem: String) throws(Unusable) -> Verifier {
        if let key = Ed25519.PublicKey(pem: pem) { return .eddsa(key) }
        if let key = P256.PublicKey(pem: pem) { return .es256(key) }
        if let key = RSA.PublicKey(pem: pem) { return .rs256(try checked(key)) }
        throw Unusable(cause: "a key is neither Ed25519, nor P-256, nor RSA of \(rsaBitsMin) bits or more")
    }

    private static func checked(_ key: RSA.PublicKey) throws(Unusable) -> RSA.PublicKey {
        guard (rsaBitsMin...rsaBitsMax).contains(key.bitCount) else {
            throw Unusable(cause: "an RSA key has \(key.bitCount) bits, wants \(rsaBitsMin) to \(rsaBitsMax)")
        }
        return key
    }

    // MARK: JWKS

    /// A key set (RFC 7517 5).
    private struct KeySet: Decodable {
        let keys: [JSONKey]
    }

    /// A key as RFC 7517, 7518 6 and 8037 2 write it.
    private struct JSONKey: Decodable {
        let kty: String
        var kid: String?
        var alg: String?
        var use: String?
        var crv: String?
        var x: String?
        var y: String?
        var n: String?
        var e: String?
        /// Private parts, which have no place in a set that others read.
        var d: String?
        var k: String?
    }

    private static func keys(inJWKS text: String) throws(Unusable) -> [Key] {
        guard let set = try? JSONDecoder().decode(KeySet.self, from: Data(text.utf8)) else {
            throw Unusable(cause: "it is no JWKS: wants {\"keys\":[{\"kty\":...}]} (RFC 7517)")
        }
        var keys: [Key] = []
        for key in set.keys where key.use ?? "sig" == "sig" {
            guard key.d == nil, key.k == nil else {
                throw Unusable(cause: "it holds a private or symmetric key: the server wants public ones")
            }
            guard let verifier = try verifier(of: key), key.alg ?? verifier.algorithm == verifier.algorithm else {
                continue
            }
            keys.append(Key(id: key.kid, verifier: verifier))
        }
        return keys
    }

    /// Nil = it is for an algorithm that is not ours.
    private static func verifier(of key: JSONKey) throws(Unusable) -> Verifier? {
        let broken = Unusable(cause: "the key \"\(key.kid ?? key.kty)\" is broken")
        switch (key.kty, key.crv) {
        case ("OKP", "Ed25519"?):
            guard let x = key.x.flatMap(AppToken.decoded), let key = Ed25519.PublicKey(rawRepresentation: x) else {
                throw broken
            }
            return .eddsa(key)
        case ("EC", "P-256"?):
            guard let x = key.x.flatMap(AppToken.decoded), let y = key.y.flatMap(AppToken.decoded),
                let key = P256.PublicKey(rawRepresentation: x + y)
            else { throw broken }
            return .es256(key)
        case ("RSA", _):
            guard let n = key.n.flatMap(AppToken.decoded), let e = key.e.flatMap(AppToken.decoded),
                let key = RSA.PublicKey(n: n, e: e)
            else { throw broken }
            return .rs256(try checked(key))
        default: return nil
        }
    }
}
