import CairnClient
import CairnConfiguration
import CairnCore
import CairnTesting
import Foundation
import Logging
import Testing

@testable import CairnServer

/// Tokens of an app's own backend: which are good, and why others are not (ACC-12, pitfalls B15).
@Suite("App tokens")
struct AppTokenTests {
    private let forge: Forge
    private let tokens: AppTokens
    private static let now = WallTime(milliseconds: Forge.now * 1_000)

    init() async throws {
        forge = try Forge()
        let folder = try TemporaryFolder()
        tokens = try forge.trusted(in: URL(filePath: folder.path))
    }

    private func fault(_ text: String) -> AppTokenFault? {
        do throws(AppTokenFault) {
            _ = try tokens.judge(text, now: Self.now)
            return nil
        } catch {
            return error
        }
    }

    private func fault(_ changes: [String: String?]) throws -> AppTokenFault? {
        fault(try forge.token(.eddsa, changes))
    }

    // MARK: Good

    @Test(arguments: Forge.Algorithm.allCases)
    func goodToken_saysWhoItIs(_ algorithm: Forge.Algorithm) throws {
        let identity = try tokens.judge(forge.token(algorithm), now: Self.now).identity
        #expect(
            identity
                == AppIdentity(
                    issuer: "https://id.example", subject: "u-1", name: "Ada", isOrganisation: false, issued: Self.now,
                    expires: Self.now + .seconds(3_630), revokedBefore: 0))
        #expect(identity.role == .general)
    }

    @Test func organisation_givesTheRole_andNothingGivesMore() throws {
        let named = try tokens.judge(forge.token(.es256, ["org": #""City museum""#]), now: Self.now).identity
        #expect(named.role == .organisation)
        let admin = try tokens.judge(
            forge.token(.es256, ["role": #""admin""#, "org": #""""#, "admin": "true"]), now: Self.now
        ).identity
        #expect(admin.role == .general)
    }

    @Test func oneOfSeveralAudiences_isEnough() throws {
        #expect(try fault(["aud": #"["other","cairn-test"]"#]) == nil)
        #expect(try fault(["aud": #"["other"]"#]) == .audience)
        #expect(try fault(["aud": nil]) == .audience)
    }

    // MARK: Claims

    /// As Keycloak writes them for a person with roles at many clients; what is not asked for is passed over.
    @Test func manyNestedClaims_arePassedOver() throws {
        let roles = (0..<60).map { #""client-\#($0)":{"roles":["view","edit"]}"# }.joined(separator: ",")
        #expect(try fault(["resource_access": "{\(roles)}", "realm_access": #"{"roles":["offline_access"]}"#]) == nil)
        #expect(try fault(["name": #""Ada Lovelace""#]) == nil)
    }

    @Test func claimsThatAreWrong_areNamed_toThoseWhoCanSign() throws {
        let late = Forge.now + 31
        let wrong: [([String: String?], AppTokenFault)] = [
            (["iss": #""https://other.example""#], .issuer), (["iss": nil], .issuer), (["aud": #""x""#], .audience),
            (["sub": nil], .subject), (["sub": #""""#], .subject), (["sub": "7"], .subject),
            (["sub": "\"a\\u0000b\""], .subject), (["exp": nil], .expiry), (["exp": #""soon""#], .expiry),
            (["exp": "\(Forge.now - 31)"], .expired), (["iat": nil], .time), (["iat": "\(late)"], .time),
            (["nbf": "\(late)"], .time), (["nbf": "true"], .time), (["name": nil], .name), (["name": "5"], .name),
            (["revoked_before": "\(Forge.now + 1)"], .revoked), (["revoked_before": #""x""#], .time),
        ]
        for (changes, expected) in wrong { #expect(try fault(changes) == expected, "\(changes)") }
    }

    @Test func clocksMayDiffer_byTheLeeway() throws {
        #expect(try fault(["iat": "\(Forge.now + 29)"]) == nil)
        #expect(try fault(["exp": "\(Forge.now - 29)", "iat": "\(Forge.now - 90)"]) == nil)
    }

    @Test(arguments: ["1e300", "-1", "9223372036854775808"])
    func timeThatIsNone_isNoTimeAndNoTrap(number: String) throws {
        #expect(try fault(["exp": number]) == .expiry)
        #expect(try fault(["nbf": number]) == .time)
    }

    // MARK: Forged (B15)

    @Test func publicKeyAsSecret_isRefused() {
        for algorithm in Forge.Algorithm.allCases { #expect(fault(forge.confused(with: algorithm)) == .signature) }
    }

    @Test func noneAndAlgorithmsOfOtherKeys_areRefused() throws {
        let payload = Forge.encoded(#"{"sub":"u-1"}"#.utf8)
        for name in ["none", "None", "NONE", "HS256", "RS384", "PS256", "ES384", ""] {
            let header = Forge.encoded(#"{"alg":"\#(name)"}"#.utf8)
            #expect(fault("\(header).\(payload).") == .malformed)
            #expect(fault("\(header).\(payload).AAAA") == .signature)
        }
    }

    @Test func keyByAnotherName_isAnotherKey() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys.json"
        try forge.jwks(kid: "2026-a").write(toFile: path, atomically: true, encoding: .utf8)
        let keys = try AppTokenKeys(pemFiles: [], jwksFiles: [path])
        #expect(keys.verifies(try AppToken(forge.token(.eddsa, kid: "2026-a"))))
        #expect(keys.verifies(try AppToken(forge.token(.eddsa))))
        #expect(!keys.verifies(try AppToken(forge.token(.eddsa, kid: "2026-b"))))
        #expect(!keys.verifies(try AppToken(forge.token(.eddsa, kid: "../../dev/null"))))
    }

    @Test func anythingButTheOneSpelling_isRefused() throws {
        let good = try forge.token(.es256)
        let header = Forge.encoded(#"{"alg":"EdDSA","alg":"none"}"#.utf8)
        let parts = good.split(separator: ".").map(String.init)
        for text in [
            good + ".", good + "=", " " + good, good + "\n", "." + good, parts[0] + "." + parts[1],
            "\(header).\(parts[1]).\(parts[2])", String(repeating: "a", count: 8_190) + ".a.a", "..", "",
        ] {
            #expect(fault(text) == .malformed, "\(text.prefix(40))")
        }
        let twice = try forge.token(
            header: #"{"alg":"EdDSA"}"#, payload: #"{"sub":"u-1","s\u0075b":"u-2"}"#, by: .eddsa)
        #expect(fault(twice) == .malformed)
        let critical = try forge.token(header: #"{"alg":"EdDSA","crit":["x"],"x":1}"#, payload: "{}", by: .eddsa)
        #expect(fault(critical) == .malformed)
    }

    /// Flipped bits, cut and joined parts, other claims under an old signature, other keys: from one seed.
    @Test func ofTenThousandMutations_noneIsTaken() throws {
        var dice = SeededGenerator(seed: 12)
        let stranger = try Forge()
        let good = try Forge.Algorithm.allCases.map { try forge.token($0) }
        for token in good { #expect(fault(token) == nil) }
        let changed = try (0..<8).map { try forge.token(.rs256, ["sub": "\"u-\($0 + 2)\""]) }
        let foreign = try Forge.Algorithm.allCases.map { try stranger.token($0) }
        var taken: [String] = []
        for number in 0..<10_000 {
            let token = good[number % 3]
            var bytes = Array(token.utf8)
            switch Int.random(in: 0..<6, using: &dice) {
            case 0, 1:
                bytes[Int.random(in: bytes.indices, using: &dice)] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            case 2: bytes.removeLast(Int.random(in: 1...bytes.count, using: &dice))
            case 3: bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            case 4:
                // The claims of one token under the signature of another.
                let parts = token.split(separator: "."), others = (changed + foreign).randomElement(using: &dice)
                bytes = Array("\(parts[0]).\(others?.split(separator: ".")[1] ?? "").\(parts[2])".utf8)
            default: bytes = Array((foreign.randomElement(using: &dice) ?? "").utf8)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if !good.contains(text), fault(text) == nil { taken.append(text) }
        }
        #expect(taken == [])
    }

    // MARK: Keys

    @Test func privateKeyInAFile_isRefused() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/key.pem"
        try forge.privatePEM.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: ConfigurationError.self) { try AppTokenKeys(pemFiles: [path], jwksFiles: []) }
    }

    @Test(arguments: ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "{}"])
    func fileWithoutAKey_isNamed(text: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/key.pem"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        for (pem, jwks) in [([path], []), ([], [path])] as [([String], [String])] {
            let error = #expect(throws: ConfigurationError.self) {
                try AppTokenKeys(pemFiles: pem, jwksFiles: jwks)
            }
            #expect(error?.description.contains(path) == true)
        }
    }

    @Test func symmetricKeyInAJWKSFile_isRefused() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys.json"
        try #"{"keys":[{"kty":"oct","kid":"a","k":"AAAA","alg":"HS256"}]}"#.write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: ConfigurationError.self) { try AppTokenKeys(pemFiles: [], jwksFiles: [path]) }
    }

    @Test func withoutSettings_noTokenIsTaken() throws {
        let token = try forge.token()
        #expect(throws: AppTokenFault.unconfigured) { try AppTokens().judge(token, now: Self.now) }
    }

    // MARK: Several issuers

    /// Keys of one issuer sign for no other.
    @Test func keyOfOneIssuer_signsForNoOther() throws {
        let folder = try TemporaryFolder()
        let other = try Forge()
        let (own, others) = (folder.path + "/own.pem", folder.path + "/other.jwks")
        try forge.publicPEM(.eddsa).write(toFile: own, atomically: true, encoding: .utf8)
        try other.jwks(kid: "k").write(toFile: others, atomically: true, encoding: .utf8)
        var settings = Configuration.AppTokens()
        settings.issuers = ["https://id.example", "https://other.example"]
        settings.audiences = ["cairn"]
        settings.keyFiles = ["https://id.example \(own)"]
        settings.jwksFiles = ["https://other.example \(others)"]
        let tokens = try AppTokens(settings)
        let foreign = ["iss": #""https://other.example""#]
        #expect(throws: Never.self) { try tokens.judge(forge.token(), now: Self.now) }
        #expect(throws: Never.self) { try tokens.judge(other.token(.eddsa, foreign, kid: "k"), now: Self.now) }
        #expect(throws: AppTokenFault.signature) { try tokens.judge(forge.token(.eddsa, foreign), now: Self.now) }
        #expect(throws: AppTokenFault.signature) { try tokens.judge(other.token(kid: "k"), now: Self.now) }
    }

    @Test func withSeveralIssuers_aFileSaysWhoseKeysItHolds() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/own.pem"
        try forge.publicPEM(.eddsa).write(toFile: path, atomically: true, encoding: .utf8)
        var settings = Configuration.AppTokens()
        settings.issuers = ["https://id.example"]
        settings.audiences = ["cairn"]
        settings.keyFiles = [path]
        let tokens = try AppTokens(settings)
        settings.issuers.append("https://other.example")
        let error = try #require(throws: ConfigurationError.self) { try AppTokens(settings) }
        #expect("\(error)".contains("https://id.example \(path)"))
        // A reload with such settings leaves the keys to the issuer that they had.
        let reloaded = tokens.applying(settings, logger: Logger(label: "test"))
        #expect(throws: Never.self) { try reloaded.judge(forge.token(), now: Self.now) }
        #expect(throws: AppTokenFault.issuer) {
            try reloaded.judge(forge.token(.eddsa, ["iss": #""https://other.example""#]), now: Self.now)
        }
    }

    // MARK: Trials

    @Test func tokenForTrials_isTakenByAServerThatNamesItsKey() async throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.storage.keyFile = folder.path + "/cairn.key"
        let trials = try TrialTokens(configuration, keyPath: nil)
        #expect(trials.missingSettings?.contains(trials.publicKeyPath) == true)
        configuration.appTokens.issuers = [TrialTokens.issuer]
        configuration.appTokens.audiences = [TrialTokens.audience]
        configuration.appTokens.keyFiles = [trials.publicKeyPath]
        let again = try TrialTokens(configuration, keyPath: nil)
        #expect(again.missingSettings == nil)
        let token = again.token(name: "Ada", hours: 1, at: Date(timeIntervalSince1970: Double(Forge.now)))
        let identity = try AppTokens(configuration.appTokens).judge(token, now: Self.now).identity
        #expect(identity.name == "Ada" && identity.subject == "ada")
    }

    @Test func keyForTrialsThatOthersCanRead_isNoKeyAnyMore() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/trial.pem"
        _ = try TrialTokens(Configuration(), keyPath: path)
        #expect(throws: Never.self) { try TrialTokens(Configuration(), keyPath: path) }
        chmod(path, 0o640)
        #expect(throws: ConfigurationError.self) { try TrialTokens(Configuration(), keyPath: path) }
    }
}
