import Testing

@testable import CairnCredentials

/// One-time codes (ACC-8; RFC 6238 with SHA-1, RFC 4648).
@Suite struct OneTimeSecretTests {
    /// The secret of RFC 6238, appendix B.
    private let secret: OneTimeSecret

    init() throws { secret = try #require(OneTimeSecret(bytes: Array("12345678901234567890".utf8))) }

    /// RFC 6238, appendix B: the last six of the eight digits.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func vectorsOfTheStandard_areMade(_ time: Int64, _ code: String) {
        #expect(secret.code(at: time) == code)
        #expect(secret.accepts(code, at: time, after: -1) == time / 30)
    }

    @Test func oneStepOfDrift_isAccepted() {
        let now: Int64 = 1_234_567_890
        let step = OneTimeSecret.step(at: now)
        for drift: Int64 in -3...3 {
            let accepted = secret.accepts(secret.code(at: now + 30 * drift), at: now, after: -1)
            #expect(accepted == (abs(drift) <= 1 ? step + drift : nil))
        }
    }

    @Test func usedStep_isNotAcceptedAgain() throws {
        let now: Int64 = 1_234_567_890
        let code = secret.code(at: now)
        let step = try #require(secret.accepts(code, at: now, after: -1))
        #expect(secret.accepts(code, at: now, after: step) == nil)
        #expect(secret.accepts(code, at: now + 29, after: step) == nil)
        #expect(secret.accepts(secret.code(at: now - 30), at: now, after: step) == nil)
        #expect(secret.accepts(secret.code(at: now + 30), at: now, after: step) == step + 1)
    }

    @Test(arguments: ["", "12345", "1234567", "12345a", "２８７０８", "-87082", "000000000000000000000000"])
    func otherText_isNoCode(_ entered: String) { #expect(secret.accepts(entered, at: 59, after: -1) == nil) }

    /// Spaces as apps show them, digits of the person's keyboard, what a clipboard adds.
    @Test(arguments: ["287 082", " 287082\n", "287-082", "\u{200E}287\u{A0}082", "２８７０８２", "٢٨٧٠٨٢", "२८७०८२"])
    func codeAsPeopleTypeIt_isTaken(_ entered: String) { #expect(secret.accepts(entered, at: 59, after: -1) == 1) }

    @Test func timesBefore1970_areInTheFirstStep() {
        #expect(secret.code(at: -1) == secret.code(at: 0) && secret.accepts("x", at: .min, after: -1) == nil)
    }

    @Test func secrets_areRandomAndBounded() {
        #expect(OneTimeSecret() != OneTimeSecret() && OneTimeSecret().bytes.count == 20)
        #expect(OneTimeSecret(bytes: Array(repeating: 0, count: 15)) == nil)
        #expect(OneTimeSecret(bytes: Array(repeating: 0, count: 65)) == nil)
        #expect("\(secret)" == "(one-time secret)")
    }

    /// RFC 4648, 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func vectorsOfBase32_areEncoded(_ text: String, _ encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
    }

    @Test func link_isPercentEncoded() {
        let link = secret.link(issuer: "Caf\u{E9} Cairn", name: "ada:l@example.org/&=")
        #expect(
            link == "otpauth://totp/Caf%C3%A9%20Cairn:adal%40example.org%2F%26%3D?secret=GEZDGNBVGY3TQOJQ"
                + "GEZDGNBVGY3TQOJQ&issuer=Caf%C3%A9%20Cairn")
    }
}

/// Codes that stand in for a lost authenticator (ACC-8).
@Suite struct RecoveryCodeTests {
    private let account: [UInt8] = [1, 2, 3, 4]

    @Test func codes_areTenAndDiffer() {
        let codes = RecoveryCodes.make()
        #expect(codes.count == 10 && Set(codes).count == 10)
        for code in codes {
            #expect(code.wholeMatch(of: /[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}/) != nil, "\(code)")
        }
    }

    @Test func enteredCode_isFound_howeverItIsWritten() throws {
        let codes = RecoveryCodes.make()
        let digests = try codes.map { try #require(RecoveryCodes.digest(of: $0, account: account)) }
        for (place, code) in codes.enumerated() {
            let plain = code.replacing("-", with: "")
            for entered in [code, plain, " \(code.uppercased()) ", plain.map { "\($0) " }.joined()] {
                #expect(RecoveryCodes.place(of: entered, in: digests, account: account) == place)
            }
            #expect(RecoveryCodes.place(of: code, in: digests, account: [9]) == nil)
            #expect(RecoveryCodes.place(of: code, in: [], account: account) == nil)
        }
    }

    @Test func lookAlikes_areReadAsWhatTheyLookLike() {
        let digest = RecoveryCodes.digest(of: "01100-11000", account: account)
        #expect(digest?.count == 32 && RecoveryCodes.digest(of: "oIlOo-li0o0", account: account) == digest)
    }

    @Test(arguments: ["", "abcde", "abcde-fghjkm", "abcde-fghju", "äbcde-fghjk", "abcde_fghjk"])
    func otherText_isNoCode(_ entered: String) {
        #expect(RecoveryCodes.digest(of: entered, account: account) == nil)
        #expect(RecoveryCodes.digest(of: String(repeating: "a ", count: 1_000_000), account: account) == nil)
    }
}
