import CairnConfiguration
import CairnTesting
import Foundation
import Testing

@testable import CairnServer

/// Files of keys that are refused, each with the line that its operator reads.
@Suite("Keys of app tokens")
struct AppTokenKeysTests {
    /// A JWKS file with one key of these members.
    private static func jwks(_ members: [String: String]) -> String {
        let pairs = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
        return #"{"keys":[{\#(pairs.joined(separator: ","))}]}"#
    }

    /// An odd number with so many bits, as a JWKS file has it.
    private static func modulus(bits: Int) -> String {
        var bytes = [UInt8](repeating: 0x5B, count: (bits + 7) / 8)
        bytes[0] = 1 << UInt8((bits - 1) % 8)
        return Forge.encoded(bytes)
    }

    private static let rsa = ["kty": "RSA", "kid": "k", "e": "AQAB"]
    private static let noKey = "a key is neither Ed25519, nor P-256, nor RSA of 2048 bits or more"
    private static let broken = #"the key "k" is broken"#

    /// The error without the file's name.
    private func cause(pem text: String) throws -> String? {
        try cause(text, of: "appTokens.keyFiles") { try AppTokenKeys(pemFiles: [$0], jwksFiles: []) }
    }

    private func cause(jwks text: String) throws -> String? {
        try cause(text, of: "appTokens.jwksFiles") { try AppTokenKeys(pemFiles: [], jwksFiles: [$0]) }
    }

    private func cause(_ text: String, of setting: String, _ read: (String) throws -> AppTokenKeys) throws -> String? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        do {
            _ = try read(path)
            return nil
        } catch let error as ConfigurationError {
            let start = "\(setting): \(path): "
            #expect(error.problems.count == 1 && error.problems[0].hasPrefix(start))
            return String(error.problems[0].dropFirst(start.count))
        }
    }

    @Test func rsaKeysOfOtherSizes_areRefused() throws {
        #expect(try cause(pem: SigningKey.rsa(bits: 1_024).publicPEM) == Self.noKey)
        #expect(try cause(pem: SigningKey.rsa(bits: 2_048).publicPEM) == nil)
        for bits in [1_024, 2_047, 16_385] {
            #expect(try cause(jwks: Self.jwks(Self.rsa.merging(["n": Self.modulus(bits: bits)]) { $1 })) == Self.broken)
        }
        for bits in [8_193, 16_384] {
            let text = Self.jwks(Self.rsa.merging(["n": Self.modulus(bits: bits)]) { $1 })
            #expect(try cause(jwks: text) == "an RSA key has \(bits) bits, wants 2048 to 8192")
        }
        for bits in [2_048, 8_192] {
            #expect(try cause(jwks: Self.jwks(Self.rsa.merging(["n": Self.modulus(bits: bits)]) { $1 })) == nil)
        }
    }

    @Test func rsaKeysThatAreNone_areRefused() throws {
        let n = Self.modulus(bits: 2_048)
        for e in ["", "AA", "AQ", "Ag", "AQAA", "AgAAAAE"] {
            let text = Self.jwks(["kty": "RSA", "kid": "k", "n": n, "e": e])
            #expect(try cause(jwks: text) == Self.broken, "\(e)")
        }
        #expect(try cause(jwks: Self.jwks(["kty": "RSA", "kid": "k", "n": n])) == Self.broken)
    }

    @Test func pointThatIsNotOnTheCurve_isRefused() throws {
        let key = try SigningKey.p256()
        let (x, y) = (try key.number("qx", byteCount: 32), try key.number("qy", byteCount: 32))
        let members = ["kty": "EC", "crv": "P-256", "kid": "k", "x": Forge.encoded(x)]
        #expect(try cause(jwks: Self.jwks(members.merging(["y": Forge.encoded(y)]) { $1 })) == nil)
        let wrong = y.dropLast() + [y[31] ^ 1]
        #expect(try cause(jwks: Self.jwks(members.merging(["y": Forge.encoded(wrong)]) { $1 })) == Self.broken)
        #expect(try cause(jwks: Self.jwks(members.merging(["y": Forge.encoded(y.dropLast())]) { $1 })) == Self.broken)
        #expect(try cause(jwks: Self.jwks(members)) == Self.broken)
    }

    @Test func ed25519KeyOfAnotherLength_isRefused() throws {
        for count in [0, 31, 33] {
            let x = Forge.encoded([UInt8](repeating: 1, count: count))
            #expect(try cause(jwks: Self.jwks(["kty": "OKP", "crv": "Ed25519", "kid": "k", "x": x])) == Self.broken)
        }
    }

    @Test func textBetweenTheMarksThatIsNoKey_isRefused() throws {
        let good = try SigningKey.p256().publicPEM
        #expect(try cause(pem: good) == nil)
        #expect(try cause(pem: good + "text between keys\n" + good) == nil)
        let (begin, end) = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")
        for body in ["\n", "\nAAAA\n", "\n*\n", " \nAAAA\n", good.replacing("MFkw", with: "MFow")] {
            #expect(try cause(pem: body.hasPrefix("-") ? body : begin + body + end) == Self.noKey, "\(body)")
        }
        #expect(try cause(pem: begin + "\nAAAA\n") == "a key has no end")
    }

    // MARK: Sets of real providers

    /// A file with the P-256 key of a backend, as some writer spells it, among keys of the given texts.
    private func keys(
        _ forge: Forge, _ spelled: (String) -> String = { $0 }, more: String = "", among others: [String] = []
    ) throws -> AppTokenKeys {
        let x = spelled(Forge.encoded(try forge.p256.number("qx", byteCount: 32)))
        let y = spelled(Forge.encoded(try forge.p256.number("qy", byteCount: 32)))
        let key = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"\#(more)}"#
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        let text = #"{"keys":[\#((others + [key]).joined(separator: ","))]}"#
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try AppTokenKeys(pemFiles: [], jwksFiles: [path])
    }

    @Test func keysThatCannotBeUsed_areLeftOutAndNamed() throws {
        let forge = try Forge()
        let short = Self.modulus(bits: 1_024)
        let keys = try keys(
            forge,
            among: [
                #"{"kty":"RSA","kid":"short","n":"\#(short)","e":"AQAB"}"#,
                #"{"kty":"RSA","kid":"chain","x5c":["MIIB"]}"#, #"{"kid":"none"}"#, #"{"kty":7,"n":[1]}"#, "5", "[]",
                #"{"kty":"EC","crv":"P-256","x":"A","y":"*"}"#, #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#,
                #"{"kty":"RSA","use":"enc","n":"AA","e":"AA"}"#,
                #"{"kty":"EC","crv":"P-521","kid":"other","x":"AA","y":"AA"}"#,
            ])
        #expect(keys.verifies(try AppToken(forge.token(.es256))))
        let causes = keys.unusable.map { $0.split(separator: ": ").last.map(String.init) ?? "" }
        #expect(
            causes == [
                #"the key "short" is broken"#, #"the key "chain" is broken"#, "a key has no kty", "a key has no kty",
                "a key has no kty", "a key has no kty", #"the key "EC" is broken"#, #"the key "OKP" is broken"#,
            ])
    }

    @Test func privateKeyAmongPublicOnes_isRefused() throws {
        let forge = try Forge()
        #expect(throws: ConfigurationError.self) {
            try keys(forge, among: [#"{"kty":"RSA","n":"AA","e":"AQAB","d":"AA"}"#])
        }
    }

    /// Padding, letters of plain base64, and numbers instead of names.
    @Test func keysAsOthersSpellThem_areUsed() throws {
        let forge = try Forge()
        let plain = { (text: String) in text.replacing("-", with: "+").replacing("_", with: "/") }
        for spelled in [{ $0 + "=" }, plain] as [(String) -> String] {
            let keys = try keys(forge, spelled)
            #expect(keys.verifies(try AppToken(forge.token(.es256))) && keys.unusable.isEmpty)
        }
        let named = try keys(forge, more: #","kid":7"#)
        let header = #"{"alg":"ES256","kid":7}"#
        let claims = #"{"sub":"u-1"}"#
        #expect(named.verifies(try AppToken(forge.token(header: header, payload: claims, by: .es256))))
    }

    /// One key of 128 has a coordinate that begins with a zero, which some writers leave out.
    @Test func coordinateWithoutItsLeadingZero_isUsed() throws {
        for _ in 0..<20_000 {
            let key = try SigningKey.p256()
            let numbers = try ["qx", "qy"].map { try key.number($0, byteCount: 32) }
            guard numbers.contains(where: { $0.first == 0 }) else { continue }
            let point = numbers.map { Forge.encoded($0.drop { $0 == 0 }) }
            #expect(try cause(jwks: Self.jwks(["kty": "EC", "crv": "P-256", "x": point[0], "y": point[1]])) == nil)
            return
        }
        Issue.record("no such key")
    }
}
