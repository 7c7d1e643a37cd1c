import CairnCrypto
import Testing

@testable import CairnCredentials

/// Passwords are prepared by OpaqueString (RFC 8265, 4.2).
@Suite struct PreparedPasswordTests {
    private func bytes(_ text: String) throws -> [UInt8] { try PreparedPassword(text).secret.withBytes { Array($0) } }

    /// Cases 12 to 16 of RFC 8265, 4.3.
    @Test(arguments: [
        ("correct horse battery staple", "correct horse battery staple"),
        ("Correct Horse Battery Staple", "Correct Horse Battery Staple"),
        ("\u{3C0}\u{DF}\u{E5}", "\u{3C0}\u{DF}\u{E5}"), ("Jack of \u{2666}s", "Jack of \u{2666}s"),
        ("foo\u{1680}bar", "foo bar"),
    ])
    func examplesOfTheStandard_arePrepared(_ given: String, _ prepared: String) throws {
        #expect(try bytes(given) == Array(prepared.utf8))
    }

    /// Cases 17 and 18.
    @Test func noCharacterAndATab_areRefused() {
        #expect(throws: PreparedPassword.Fault.empty) { try PreparedPassword("") }
        #expect(throws: PreparedPassword.Fault.notAllowed(place: 13)) { try PreparedPassword("my cat is a b\ty") }
    }

    @Test func formsOfOneCharacter_areOnePassword() throws {
        #expect(try PreparedPassword("Zoe\u{308}!") == PreparedPassword("Zo\u{EB}!"))
        #expect(try PreparedPassword("a\u{3000}b\u{A0}c") == PreparedPassword("a b c"))
        #expect(try PreparedPassword("Ada") != PreparedPassword("ada"))
        // No width is mapped: OpaqueString has no such rule.
        #expect(try PreparedPassword("\u{FF41}") != PreparedPassword("a"))
    }

    @Test(arguments: [
        "\u{0}", "\u{7F}", "\u{85}", "\u{200B}", "\u{FEFF}", "\u{2028}", "\u{E000}", "\u{FFFE}", "\u{10FFFF}",
        "\u{378}", "\u{1100}", "\u{AD}", "\u{FE0F}", "\u{640}", "\u{202E}", "\u{E0001}", "\u{200D}", "\u{200C}",
        "\u{B7}", "\u{375}", "\u{5F3}", "\u{30FB}",
    ])
    func charactersOutsideTheFreeformClass_areRefused(_ letter: String) {
        #expect(throws: PreparedPassword.Fault.notAllowed(place: 1)) { try PreparedPassword("a\(letter)b") }
    }

    /// RFC 5892, appendix A.
    @Test(arguments: [
        "col\u{B7}la", "\u{375}\u{3B1}", "\u{5D0}\u{5F3}", "\u{30A2}\u{30FB}", "\u{915}\u{94D}\u{200D}\u{937}",
        "\u{915}\u{94D}\u{200C}\u{937}", "\u{628}\u{200C}\u{628}", "\u{661}\u{662}", "\u{6F1}\u{6F2}",
    ])
    func charactersInTheirContext_areAllowed(_ text: String) throws { _ = try PreparedPassword(text) }

    @Test(arguments: ["\u{661}\u{6F1}", "\u{6F1}\u{661}"])
    func digitsOfTwoArabicKinds_doNotMix(_ text: String) {
        #expect(throws: PreparedPassword.Fault.notAllowed(place: 0)) { try PreparedPassword(text) }
    }

    @Test(arguments: ["\u{1F600}\u{1F511}", "\u{2163}", "\u{FB01}", "\u{4E2D}\u{6587}", "\u{AC00}", "~`|<>\"'\\"])
    func symbolsLettersAndCompatibles_areAllowed(_ text: String) throws { _ = try PreparedPassword(text) }

    @Test func length_isBounded() throws {
        let most = PreparedPassword.charactersMax
        #expect(try PreparedPassword(String(repeating: "\u{1F511}", count: most)).characterCount == most)
        #expect(throws: PreparedPassword.Fault.tooLong) {
            try PreparedPassword(String(repeating: "a", count: most + 1))
        }
        // The bound is on the composed form: these are 128 scalar values of 256.
        _ = try PreparedPassword(String(repeating: "e\u{301}", count: most))
        let bytes = String(repeating: "a", count: PreparedPassword.bytesMax + 1)
        #expect(throws: PreparedPassword.Fault.tooLong) { try PreparedPassword(bytes) }
    }

    @Test func description_hidesThePassword() throws {
        let password = try PreparedPassword("correct horse")
        var dumped = ""
        dump(password, to: &dumped)
        for text in ["\(password)", String(reflecting: password), dumped] { #expect(!text.contains("horse")) }
    }

    @Test func randomBytes_neverCrash() {
        var random = SeededGenerator(seed: 8_265)
        var prepared = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let ascii = Bool.random(using: &random) ? bytes.map { $0 & 0x7F } : bytes
            if let password = try? PreparedPassword(String(decoding: ascii, as: UTF8.self)) {
                prepared += 1
                #expect(password.secret.count > 0)
            }
        }
        #expect(prepared > 100)
    }
}

/// What a new password must have (ACC-3).
@Suite struct PasswordRuleTests {
    @Test(
        arguments: [
            ("Abcdefghij1!", []), ("abc", ["length", "upper", "digit", "symbol"]),
            ("ABCDEFGHIJKL", ["lower", "digit", "symbol"]),
            ("Abcdefghijk!", ["digit"]), ("Abcdefghijk1", ["symbol"]), ("Abcdefghij1 ", []),
            // Letters and digits of other scripts count, and characters that people perceive.
            ("\u{410}\u{431}\u{432}\u{433}\u{434}\u{435}\u{436}\u{437}\u{438}\u{43A}\u{663}\u{20AC}", []),
            ("\u{4E2D}\u{6587}1", ["length", "upper", "lower", "symbol"]),
        ] as [(String, [String])])
    func missing_namesWhatIsLacking(_ text: String, _ words: [String]) throws {
        #expect(PasswordRule().missing(in: try PreparedPassword(text)) == words)
    }

    @Test func combinations_countAsOneCharacter() throws {
        let rule = PasswordRule(charactersMin: 2, kinds: [])
        #expect(rule.missing(in: try PreparedPassword("x\u{302}\u{304}\u{307}")) == ["length"])
        #expect(rule.missing(in: try PreparedPassword("x\u{302}y")).isEmpty)
    }

    @Test func settings_setTheRule() throws {
        let password = try PreparedPassword("abcdefgh")
        #expect(PasswordRule(charactersMin: 8, kinds: .lower).missing(in: password).isEmpty)
        #expect(PasswordRule(charactersMin: 9, kinds: .digit).missing(in: password) == ["length", "digit"])
        #expect(PasswordRule(charactersMin: 1_000).charactersMin == PreparedPassword.charactersMax)
    }
}
