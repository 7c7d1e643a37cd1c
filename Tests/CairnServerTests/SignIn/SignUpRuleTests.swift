import CairnConfiguration
import CairnCore
import CairnWire
import Testing

@testable import CairnServer

/// What a sign-up may say (ACC-1 to ACC-3, ACC-11).
@Suite("Rules of sign-ups")
struct SignUpRuleTests {
    /// 2026-11-23.
    private static let now = WallTime(milliseconds: 1_795_392_000_000)

    @Test(arguments: [
        "ada@example.org", "a.b+c@x-y.example", "ADA@EXAMPLE.ORG", "d\u{f6}ner@k\u{f6}ln.example", "o'neil@a.bc",
    ]) func address_isTaken(text: String) {
        #expect(EmailAddress(text)?.text == text)
    }

    @Test(arguments: [
        "", "ada", "ada@", "@example.org", "ada@localhost", "a@b@example.org", "a..b@example.org", ".a@example.org",
        "a b@example.org", "ada@example..org", "ada@-example.org", "ada@example.org\n", "ada@example.org\r\nBcc: x",
        "<ada@example.org>", "ada@example.org>", "\"a b\"@example.org", "ada@[127.0.0.1]", "a\u{0}@example.org",
        "a@" + String(repeating: "b", count: 64) + ".org", String(repeating: "a", count: 65) + "@example.org",
        "a@" + String(repeating: "bcdefghi.", count: 28) + "org", "ada@ex\u{202e}ample.org", "a,b@example.org",
        // Letters that are others by the compatibility mapping: a mail to one mailbox would prove another.
        "\u{fb01}ona@example.org", "\u{ff41}da@example.org", "ada@\u{24d4}xample.org",
        "\u{17f}am@example.org", "ada@exa\u{1d426}ple.org", "ad\u{aa}@example.org",
    ]) func whatNoMailReaches_isNoAddress(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    /// The Kelvin sign is canonically a K: the mail goes to the address that it proves.
    @Test func address_isTheOneThatIsMailed() {
        let address = EmailAddress("\u{212a}ate@example.org")
        #expect(address.map { Array($0.text.utf8) } == Array("Kate@example.org".utf8))
        #expect(address?.folded == EmailAddress("kate@example.org")?.folded)
    }

    /// What was taken by an earlier release keeps its form for comparisons: rows and backups have its print.
    @Test func storedAddress_isRead() {
        let address = EmailAddress(stored: "\u{fb01}ona@example.org")
        #expect(address?.text == "\u{fb01}ona@example.org" && address?.folded == "fiona@example.org")
    }

    @Test(arguments: ["\u{2067}abc\u{2069}", "a\u{200F}b", "\u{61C}abc", "a\u{202E}b", "a\nb", "a\u{2029}b"])
    func whatTurnsDirectionOrBreaks_isInNoNameOfAPerson(text: String) {
        #expect(!SignUpRules.isName(text))
    }

    /// A phone in Hebrew or Arabic may have such marks in its name: nobody is kept from signing in by that.
    @Test func whatTurnsDirectionInADevicesName_refusesNoSignIn() throws {
        try SignIn.checkDeviceName("\u{200F}iPhone")
        #expect(throws: Refusal.self) { try SignIn.checkDeviceName(String(repeating: "a", count: 65)) }
    }

    @Test func addresses_areComparedWithoutLetterCase() {
        #expect(EmailAddress("Ada@Example.ORG")?.folded == EmailAddress("ada@example.org")?.folded)
        #expect(EmailAddress("\u{212b}@a.bc")?.folded == EmailAddress("\u{e5}@a.bc")?.folded)
        #expect(EmailAddress("Ada@Example.ORG")?.domain == "example.org")
    }

    @Test(arguments: [
        ("02/29/2024", "2024-02-29"), ("12/31/1900", "1900-12-31"), ("11/23/2026", "2026-11-23"),
        ("01/01/1900", "1900-01-01"),
    ]) func date_isRead(text: String, stored: String) {
        #expect(BirthDate(text, now: Self.now)?.text == stored)
        #expect(BirthDate(stored: stored, now: Self.now)?.text == stored)
    }

    @Test(arguments: [
        "", "02/29/2023", "2/29/2024", "02/30/2024", "13/01/2000", "00/01/2000", "01/00/2000", "12/31/1899",
        "11/24/2026", "01-01-2000", "01/01/20000", "aa/bb/cccc", "+1/01/2000", "01/01/2000 ", "\u{661}1/01/2000",
    ]) func whatIsNoBirthDate_isRefused(text: String) {
        #expect(BirthDate(text, now: Self.now) == nil)
    }

    @Test(arguments: [("11/23/2010", 16), ("11/24/2010", 15), ("01/01/1926", 100), ("02/29/2012", 14)])
    func age_countsWholeYears(text: String, age: Int) throws {
        #expect(try #require(BirthDate(text, now: Self.now)).age(at: Self.now) == age)
    }

    @Test func furnitureIsStrict_whateverTheSettingsSay() throws {
        var accounts = Configuration.Accounts()
        accounts.passwordCharactersMin = 8
        accounts.passwordKinds = []
        let furniture = try #require(FrontEnd("furniture")), realm = try #require(FrontEnd("realm"))
        _ = try SignUpRules(of: realm, accounts).password("aaaaaaaa")
        let refusal = #expect(throws: Refusal.self) { try SignUpRules(of: furniture, accounts).password("aaaaaaaa") }
        #expect(refusal?.details["missing"] == "length,upper,digit,symbol")
    }
}
