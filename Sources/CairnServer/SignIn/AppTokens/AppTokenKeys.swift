internal import CairnConfiguration
internal import CairnCrypto
internal import Foundation

/// The public keys that tokens of an app's backend are checked against.
struct AppTokenKeys: Sendable {
    private var keys: [Key] = []
    /// What is wrong with keys of JWKS files that are left out, each with the setting and the file: for the log.
    private(set) var unusable: [String] = []

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

    /// Reads PEM files with public keys and JWKS files (RFC 7517). Of a JWKS file the keys that cannot be used are left
    /// out: a provider's set has what its other clients need.
    /// - Parameter issuers: all that are believed. Of several each signs with its own keys: an entry is then an issuer,
    ///   a blank and a path.
    /// - Throws: names the setting, the file and what is wrong with it.
    init(pemFiles: [String], jwksFiles: [String], issuers: [String] = []) throws(ConfigurationError) {
        for entry in pemFiles {
            try add(entry, of: "appTokens.keyFiles", among: issuers, Self.keys(inPEM:))
        }
        for entry in jwksFiles {
            try add(entry, of: "appTokens.jwksFiles", among: issuers, Self.keys(inJWKS:))
        }
        guard keys.count <= Self.keysMax else {
            throw ConfigurationError(["appTokens: \(keys.count) keys, and \(Self.keysMax) is the most"])
        }
    }

    /// Reads JWKS files; keys for other algorithms are left out, and those that cannot be used.
    /// - Parameters:
    ///   - setting: named in what is thrown.
    ///   - algorithms: as `alg` has them.
    /// - Throws: names the setting, the file and what is wrong with it.
    init(jwksFiles: [String], of setting: String, algorithms: Set<String>) throws(ConfigurationError) {
        for path in jwksFiles { try add(path, of: setting, issuer: nil, Self.keys(inJWKS:)) }
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

    /// What a file holds.
    private struct Found {
        var keys: [Key] = []
        /// What is wrong with its other keys.
        var unusable: [String] = []
    }

    private mutating func add(
        _ entry: String, of setting: String, among issuers: [String], _ parse: (String) throws(Unusable) -> Found
    ) throws(ConfigurationError) {
        let issuer = issuers.first { entry.hasPrefix($0 + " ") }
        guard issuer != nil || issuers.count < 2 else {
            throw ConfigurationError([
                "\(setting): \(entry): several issuers are set: write whose keys these are, \"\(issuers[0]) \(entry)\""
            ])
        }
        let path = issuer.map { String(entry.dropFirst($0.count + 1)) } ?? entry
        try add(path, of: setting, issuer: issuer, parse)
    }

    private mutating func add(
        _ path: String, of setting: String, issuer: String?, _ parse: (String) throws(Unusable) -> Found
    ) throws(ConfigurationError) {
        do throws(Unusable) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Unusable(cause: "the file cannot be read")
            }
            guard data.count <= Self.fileBytesMax else {
                throw Unusable(cause: "it has more than \(Self.fileBytesMax) bytes")
            }
            let found = try parse(String(decoding: data, as: UTF8.self))
            guard !found.keys.isEmpty else {
                throw Unusable(cause: found.unusable.first ?? "it holds no public key for EdDSA, ES256 or RS256")
            }
            keys += found.keys.map { Key(id: $0.id, verifier: $0.verifier, issuer: issuer) }
            unusable += found.unusable.map { "\(setting): \(path): \($0)" }
        } catch {
            throw ConfigurationError(["\(setting): \(path): \(error.cause)"])
        }
    }

    private static func keys(inPEM text: String) throws(Unusable) -> Found {
        guard !text.contains("PRIVATE KEY-----") else {
            throw Unusable(cause: "it holds a private key: the server wants the public one (BEGIN PUBLIC KEY)")
        }
        let (begin, end) = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")
        var keys: [Key] = []
        for block in text.components(separatedBy: begin).dropFirst() {
            guard let last = block.range(of: end) else { throw Unusable(cause: "a key has no end") }
            keys.append(Key(id: nil, verifier: try verifier(pem: begin + block[..<last.lowerBound] + end)))
        }
        return Found(keys: keys)
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

    /// A key as RFC 7517, 7518 6 and 8037 2 write it. What is no text counts as left out: a set is refused for no key.
    private struct JSONKey: Decodable {
        enum Member: String, CodingKey, CaseIterable {
            case kty, kid, alg, use, crv, x, y, n, e, d, k
        }

        private var texts: [Member: String] = [:]
        /// Whether it has private parts, which have no place in a set that others read.
        private(set) var isSecret = false

        init(from decoder: any Decoder) throws {
            guard let members = try? decoder.container(keyedBy: Member.self) else { return }
            for member in Member.allCases { texts[member] = try? members.decode(String.self, forKey: member) }
            isSecret = [Member.d, .k].contains { (try? members.decodeNil(forKey: $0)) == false }
        }

        subscript(member: Member) -> String? { texts[member] }

        /// The bytes of a base64 text; some writers pad it, or write it with the letters of plain base64.
        func bytes(_ member: Member) -> [UInt8]? {
            guard let text = self[member] else { return nil }
            let letters = text.utf8.map { letter in
                switch letter {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: letter
                }
            }
            let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return padding > 2 ? nil : AppToken.decoded(letters.dropLast(padding))
        }

        /// A coordinate on P-256 as 32 bytes: some writers leave out the zeros in front, or write one more.
        func coordinate(_ member: Member) -> [UInt8]? {
            guard let digits = bytes(member)?.drop(while: { $0 == 0 }), digits.count <= 32 else { return nil }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
    }

    private static func keys(inJWKS text: String) throws(Unusable) -> Found {
        guard let set = try? JSONDecoder().decode(KeySet.self, from: Data(text.utf8)) else {
            throw Unusable(cause: "it is no JWKS: wants {\"keys\":[{\"kty\":...}]} (RFC 7517)")
        }
        var found = Found()
        for key in set.keys where key[.use] ?? "sig" == "sig" {
            guard !key.isSecret else {
                throw Unusable(cause: "it holds a private or symmetric key: the server wants public ones")
            }
            do throws(Unusable) {
                guard let verifier = try verifier(of: key), key[.alg] ?? verifier.algorithm == verifier.algorithm else {
                    continue
                }
                found.keys.append(Key(id: key[.kid], verifier: verifier))
            } catch {
                found.unusable.append(error.cause)
            }
        }
        return found
    }

    /// Nil = it is for an algorithm that is not ours.
    private static func verifier(of key: JSONKey) throws(Unusable) -> Verifier? {
        guard let kind = key[.kty] else { throw Unusable(cause: "a key has no kty") }
        let broken = Unusable(cause: "the key \"\(key[.kid] ?? kind)\" is broken")
        switch (kind, key[.crv]) {
        case ("OKP", "Ed25519"?):
            guard let x = key.bytes(.x), let key = Ed25519.PublicKey(rawRepresentation: x) else { throw broken }
            return .eddsa(key)
        case ("EC", "P-256"?):
            guard let x = key.coordinate(.x), let y = key.coordinate(.y),
                let key = P256.PublicKey(rawRepresentation: x + y)
            else { throw broken }
            return .es256(key)
        case ("RSA", _):
            guard let n = key.bytes(.n), let e = key.bytes(.e), let key = RSA.PublicKey(n: n, e: e) else {
                throw broken
            }
            return .rs256(try checked(key))
        default: return nil
        }
    }
}
