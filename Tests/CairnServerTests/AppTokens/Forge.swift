import CairnConfiguration
import CairnCrypto
import Foundation

@testable import CairnServer

/// An app's backend, for tests: keys of all three sorts, and tokens with whatever claims and header a test wants.
struct Forge {
    enum Algorithm: String, CaseIterable {
        case eddsa = "EdDSA"
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// Seconds since 1970.
    static let now: Int64 = 1_800_000_000

    let ed25519 = Ed25519.PrivateKey()
    let p256: SigningKey
    let rsa: SigningKey

    init() throws {
        p256 = try SigningKey.p256()
        rsa = try SigningKey.rsa(bits: 2_048)
    }

    func publicPEM(_ algorithm: Algorithm) -> String {
        switch algorithm {
        case .eddsa: ed25519.publicKey.pem
        case .es256: p256.publicPEM
        case .rs256: rsa.publicPEM
        }
    }

    var privatePEM: String { p256.privatePEM }

    /// A JWKS file with the Ed25519 key under a name.
    func jwks(kid: String?) -> String {
        let name = kid.map { #""kid":"\#($0)","# } ?? ""
        let x = Self.encoded(ed25519.publicKey.rawRepresentation)
        return #"{"keys":[{\#(name)"kty":"OKP","crv":"Ed25519","alg":"EdDSA","x":"\#(x)"}]}"#
    }

    static let claims: [String: String] = [
        "iss": #""https://id.example""#, "aud": #""cairn""#, "sub": #""u-1""#, "name": #""Ada""#, "iat": "\(now)",
        "exp": "\(now + 3_600)",
    ]

    /// Claims as JSON values by name; nil takes one away.
    func token(
        _ algorithm: Algorithm = .eddsa, _ changes: [String: String?] = [:], kid: String? = nil
    ) throws -> String {
        var claims = Self.claims
        for (name, value) in changes { claims[name] = value }
        let payload = claims.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        let name = kid.map { #","kid":"\#($0)""# } ?? ""
        return try token(
            header: #"{"alg":"\#(algorithm.rawValue)","typ":"JWT"\#(name)}"#, payload: "{\(payload)}", by: algorithm)
    }

    func token(header: String, payload: String, by algorithm: Algorithm) throws -> String {
        let signed = Self.encoded(header.utf8) + "." + Self.encoded(payload.utf8)
        return signed + "." + Self.encoded(try signature(over: Array(signed.utf8), by: algorithm))
    }

    private func signature(over bytes: [UInt8], by algorithm: Algorithm) throws -> [UInt8] {
        switch algorithm {
        case .eddsa: try ed25519.signature(for: bytes)
        case .es256: try p256.ecdsaSignature(for: bytes)
        case .rs256: try rsa.signature(for: bytes)
        }
    }

    /// HS256 with the public key as the secret: the confusion of B15.
    func confused(with algorithm: Algorithm) -> String {
        let payload = Self.claims.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        let signed = Self.encoded(#"{"alg":"HS256"}"#.utf8) + "." + Self.encoded("{\(payload)}".utf8)
        let code = HMAC(key: SymmetricKey(data: publicPEM(algorithm).utf8)).code(for: signed.utf8)
        return signed + "." + Self.encoded(code)
    }

    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// A server's view of this backend: its three public keys in files.
    func trusted(in folder: URL) throws -> AppTokens {
        var settings = Configuration.AppTokens()
        settings.issuers = ["https://id.example"]
        settings.audiences = ["cairn", "cairn-test"]
        for algorithm in Algorithm.allCases {
            let file = folder.appending(path: "\(algorithm.rawValue).pem")
            try publicPEM(algorithm).write(to: file, atomically: true, encoding: .utf8)
            settings.keyFiles.append(file.path)
        }
        return try AppTokens(settings)
    }
}
