import CairnClient
import CairnConfiguration
import CairnCore
import CairnCrypto
import CairnTesting
import Foundation
import Testing

@testable import CairnServer

/// ID tokens of providers (ACC-7, B15): what OpenID Connect Core 1.0, 3.1.3.7 wants, and nothing else.
@Suite("ID tokens")
struct IDTokenTests {
    private static let now = WallTime(milliseconds: Forge.now * 1_000)
    private static let nonce = "n-0S6_WzA2Mj"
    private let folder: TemporaryFolder
    private let forge: Forge
    private let tokens: IDTokens

    init() throws {
        folder = try TemporaryFolder()
        forge = try Forge()
        let path = folder.path + "/jwks.json"
        try forge.providerKeys().write(toFile: path, atomically: true, encoding: .utf8)
        var settings = Configuration.Providers()
        settings.issuers = ["google https://accounts.google.com", "other https://other.example"]
        settings.audiences = ["google app-1", "google app-2", "other app-3"]
        settings.jwksFiles = ["google " + path]
        tokens = try IDTokens(settings)
    }

    private func outcome(_ text: String, provider: String = "google", nonce: String = nonce) -> String {
        do throws(IDTokenFault) {
            return try tokens.judge(text, of: provider, nonce: nonce, now: Self.now).subject
        } catch {
            return error.rawValue
        }
    }

    private func token(
        _ algorithm: Forge.Algorithm = .es256, _ changes: [String: String?] = [:], kid: String? = nil
    ) throws -> String {
        let claims: [String: String?] = [
            "iss": #""https://accounts.google.com""#, "aud": #""app-1""#, "sub": #""g-1""#, "name": nil,
            "nonce": #""\#(Self.nonce)""#,
        ]
        return try forge.token(algorithm, claims.merging(changes) { $1 }, kid: kid)
    }

    @Test(arguments: [Forge.Algorithm.es256, .rs256]) func goodToken_tellsWhoItIs(
        algorithm: Forge.Algorithm
    ) throws {
        let text = try token(
            algorithm,
            [
                "email": #""ada@gmail.com""#, "email_verified": "true", "given_name": #""Ada""#,
                "family_name": #""Lovelace""#,
            ], kid: algorithm.rawValue)
        let identity = try tokens.judge(text, of: "google", nonce: Self.nonce, now: Self.now)
        #expect(identity.email?.text == "ada@gmail.com" && identity.isEmailVerified)
        #expect([identity.firstName, identity.lastName, identity.subject] == ["Ada", "Lovelace", "g-1"])
    }

    /// Apple writes it as a text.
    @Test(arguments: ["true": true, #""true""#: true, "false": false, #""false""#: false, "1": false])
    func emailThatTheProviderHasChecked_isVerified(claim: String, isVerified: Bool) throws {
        let text = try token(.es256, ["email": #""ada@icloud.com""#, "email_verified": claim])
        let identity = try tokens.judge(text, of: "google", nonce: Self.nonce, now: Self.now)
        #expect(identity.isEmailVerified == isVerified)
    }

    @Test func wrongClaims_areNamed() throws {
        let cases: [([String: String?], String)] = [
            (["iss": #""https://evil.example""#], "issuer"), (["iss": #""https://other.example""#], "issuer"),
            (["iss": nil], "issuer"), (["aud": #""app-3""#], "audience"), (["aud": nil], "audience"),
            (["aud": #"["app-1","evil"]"#], "audience"),
            (["aud": #"["app-1","evil"]"#, "azp": #""evil""#], "audience"),
            (["azp": #""evil""#], "audience"), (["azp": "7"], "audience"),
            (["aud": #"["app-1"]"#, "azp": #""evil""#], "audience"),
            (["nbf": "\(Forge.now + 60)"], "time"), (["nbf": #""soon""#], "time"),
            (["exp": "\(Forge.now - 31)"], "expired"), (["exp": nil], "expired"),
            (["iat": "\(Forge.now + 60)"], "time"), (["iat": nil], "time"), (["nonce": nil], "nonce"),
            (["nonce": #""another""#], "nonce"), (["sub": "\"\""], "subject"), (["sub": nil], "subject"),
        ]
        for (changes, fault) in cases { #expect(outcome(try token(.es256, changes)) == fault, "\(changes)") }
        #expect(outcome(try token(.es256, ["aud": #"["app-1","x"]"#, "azp": #""app-2""#])) == "g-1")
        #expect(outcome(try token(.es256, ["azp": #""app-2""#])) == "g-1", "an app of ours asked for another")
        #expect(outcome(try token(.es256, ["nbf": "\(Forge.now + 10)"])) == "g-1", "within the leeway")
    }

    @Test func otherAlgorithmsAndKeys_areRefused() throws {
        #expect(outcome(try token(.eddsa)) == "signature")
        #expect(outcome(forge.confused(with: .rs256)) == "signature")
        #expect(outcome(forge.confused(with: .es256)) == "signature")
        #expect(outcome(try token(.es256, kid: "unknown")) == "signature")
        let unsigned = try token().split(separator: ".")
        let none = Forge.encoded(#"{"alg":"none"}"#.utf8)
        #expect(outcome("\(none).\(unsigned[1]).") == "malformed")
        #expect(outcome("\(none).\(unsigned[1]).AA") == "signature")
        #expect(outcome(try token(), provider: "other") == "provider")
        #expect(outcome(try token(), provider: "nobody") == "provider")
        #expect(outcome(try token(), nonce: "late") == "nonce")
    }

    /// B15: none of 10,000.
    @Test func mutatedTokens_areAllRefused() throws {
        var dice = SeededGenerator(seed: 12)
        let good = [try token(.es256), try token(.rs256)]
        let stranger = try Forge()
        var taken: [String] = []
        for number in 0..<10_000 {
            var bytes = Array(good[number % 2].utf8)
            switch number % 5 {
            case 0:
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                bytes[place] ^= 1 << UInt8.random(in: 0..<7, using: &dice)
            case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice))
            case 2:
                bytes.insert(
                    UInt8.random(in: 33...126, using: &dice), at: Int.random(in: 0...bytes.count, using: &dice))
            case 3:
                let places = [0, 1].map { _ in Int.random(in: 0..<bytes.count, using: &dice) }
                bytes.swapAt(places[0], places[1])
            default: bytes = Array(try stranger.token(.es256, ["nonce": #""\#(Self.nonce)""#]).utf8)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if !good.contains(text), outcome(text) == "g-1" { taken.append(text) }
        }
        #expect(taken == [])
    }
}

extension Forge {
    /// A provider's JWKS: a P-256 and an RSA key by their names, and one for an algorithm that providers may not use.
    func providerKeys() throws -> String {
        let point = try ["qx", "qy"].map { Self.encoded(try p256.number($0, byteCount: 32)) }
        let (n, e) = (try rsa.number("n", byteCount: 256), try rsa.number("e", byteCount: 3))
        return """
            {"keys":[{"kty":"EC","crv":"P-256","kid":"ES256","alg":"ES256","x":"\(point[0])","y":"\(point[1])"},
            {"kty":"RSA","kid":"RS256","alg":"RS256","n":"\(Self.encoded(n))","e":"\(Self.encoded(e))"},
            {"kty":"OKP","crv":"Ed25519","x":"\(Self.encoded(ed25519.publicKey.rawRepresentation))"}]}
            """
    }
}
