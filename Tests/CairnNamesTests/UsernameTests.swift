import CairnNames
import Testing

/// Names are compared by RFC 8265, 3.3, and told apart by UTS 39, 4.
@Suite struct UsernameTests {
    // MARK: The same name (RFC 8265 3.3 and the userparts of its section 3.5)

    @Test(arguments: [
        ("Juliet", "juliet"), ("ADA", "ada"), ("\u{03A3}", "\u{03C3}"), ("\u{FF21}\u{FF24}\u{FF21}", "Ada"),
        ("Zoe\u{0308}", "Zo\u{EB}"), ("\u{FF76}\u{FF9E}", "\u{30AC}"), ("\u{0130}zmir", "i\u{0307}zmir"),
    ])
    func formsOfOneName_areCompared_asOne(_ one: String, _ other: String) {
        #expect(Array(Username(one).compared.utf8) == Array(Username(other).compared.utf8))
    }

    /// Cases 2 and 3, and 6 and 7.
    @Test(arguments: [("fussball", "fu\u{DF}ball"), ("\u{03C3}", "\u{03C2}"), ("ada", "adam")])
    func differentNames_areCompared_asTwo(_ one: String, _ other: String) {
        #expect(Username(one).compared != Username(other).compared)
    }

    /// An account that was found by small letters is found by the compared form of what found it.
    @Test(arguments: ["ΟΔΥΣΣΕΥΣ", "İstanbul", "ǅ", "ﾊﾝｶｸ", "Å", "ẞ", "Ǆena", "Ⅷ"])
    func smallLettersFirst_makeNoOtherName(_ name: String) {
        #expect(Username(name.lowercased()).compared == Username(name).compared)
    }

    @Test func whatIsShown_isWhatWasGiven() {
        let given = "\u{FF21}Da\u{0308}"
        #expect(Array(Username(given).text.utf8) == Array(given.utf8))
    }

    // MARK: Names that look alike (UTS 39, confusables)

    @Test(arguments: [
        ("paypal", "p\u{0430}ypal"), ("scope", "\u{0455}\u{0441}\u{043E}\u{0440}\u{0435}"), ("Paypal", "PaypaI"),
        ("paypal", "paypa1"), ("bob", "b0b"), ("modern", "rnodern"), ("PAYPAL", "p\u{0430}ypal"),
        ("Ian", "lan"), ("Ian", "\u{0456}an"), ("alpha", "\u{FF41}lpha"), ("first", "\u{FB01}rst"),
        ("Zo\u{EB}", "Zo\u{0435}\u{0308}"), ("\u{0628}\u{200C}\u{0628}\u{0627}", "\u{0628}\u{0628}\u{0627}"),
        ("\u{0915}\u{094D}\u{200D}\u{0937}", "\u{0915}\u{094D}\u{0937}"),
    ])
    func confusableNames_haveASkeletonInCommon(_ one: String, _ other: String) {
        #expect(!Username(one).skeletons.isDisjoint(with: Username(other).skeletons))
    }

    @Test(arguments: [
        ("Ada", "Adam"), ("Bob", "Rob"), ("user-2", "user-3"), ("fussball", "fu\u{DF}ball"), ("\u{0414}\u{0430}", "Da"),
        ("lan", "ian"),
    ])
    func namesThatReadDifferently_haveNone(_ one: String, _ other: String) {
        #expect(Username(one).skeletons.isDisjoint(with: Username(other).skeletons))
    }

    @Test func textBeyondTheBound_isComparedAsItIs_andLooksLikeNone() {
        let long = String(repeating: "A", count: Username.bytesMax + 1)
        #expect(Username(long).compared == long && Username(long).skeletons.isEmpty && Username(long).fault != nil)
        let fits = String(repeating: "A", count: Username.bytesMax)
        #expect(Username(fits).compared == fits.lowercased() && !Username(fits).skeletons.isEmpty)
    }

    /// The letter with the longest skeleton, as often as fits.
    @Test func longestSkeletons_haveRoom() {
        let name = Username(String(repeating: "\u{FDFA}", count: Username.bytesMax / 3))
        #expect(!name.skeletons.isEmpty)
    }

    /// So that a name of small letters needs one look at the tables.
    @Test func skeletonInSmallLetters_isItsOwn() {
        let letters = (1...0xFFFF).compactMap(Unicode.Scalar.init).filter(\.properties.isAlphabetic)
        #expect(letters.count > 40_000)
        let others = letters.filter { letter in
            Username("a\(letter)").skeletons.contains { skeleton in
                let name = Username(skeleton)
                return name.compared.utf8.elementsEqual(skeleton.utf8) && name.skeletons != [skeleton]
            }
        }
        #expect(others.isEmpty, "\(others.prefix(10))")
    }

    // MARK: New names (RFC 8264 4.2, RFC 5893 2)

    @Test(arguments: [
        "juliet", "fussball", "fu\u{DF}ball", "\u{03C0}", "\u{03A3}", "\u{03C2}", "a.b_c-1", "\u{FF21}\u{FF24}\u{FF21}",
        "\u{0434}\u{0430}\u{0440}\u{044C}\u{044F}", "\u{05E0}\u{05D5}\u{05E2}\u{05D4}",
        "\u{0645}\u{0631}\u{064A}\u{0645}1",
        "\u{092A}\u{094D}\u{0930}\u{093F}\u{092F}\u{093E}", "\u{3055}\u{304F}\u{3089}",
        "Zoe\u{0308}", "\u{D55C}\u{AE00}",
        // With joiners as their scripts are written (RFC 5892, A.1 and A.2).
        "\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}\u{0627}", "\u{0DC1}\u{0DCA}\u{200D}\u{0DBB}\u{0DD3}",
        "\u{0915}\u{094D}\u{200C}\u{0937}",
    ])
    func lettersOfAnyScript_mayBeANewName(_ name: String) {
        #expect(Username(name).fault == nil)
    }

    /// With those of RFC 8265 3.5: a space, nothing, a Roman numeral, a chess king.
    @Test(arguments: [
        "foo bar", "juliet@example", "henry\u{2163}", "\u{265A}", "\u{FB01}rst", "Ada\u{3164}", "\u{FFA0}Ada",
        "A\u{034F}da", "Ada\u{200D}", "\u{1100}\u{1161}x\u{1100}", "a\u{0640}", "Ada\u{E000}", "Ada\u{0378}",
        "a\u{200C}b", "\u{0628}\u{200C}", "\u{0627}\u{200C}\u{0628}", "\u{0915}\u{200D}\u{0937}", "\u{200C}\u{0628}",
    ])
    func signsAndLettersThatAreNotDrawn_areRefused(_ name: String) {
        #expect(Username(name).fault == .letter)
    }

    @Test(arguments: ["", "\u{0301}Ada"])
    func nothing_andAMarkFirst_areRefused(_ name: String) {
        #expect(Username(name).fault == .mark)
    }

    /// RFC 5893 2, conditions 1 to 5.
    @Test(arguments: [
        "1\u{05D0}\u{05D1}", "ada\u{05D0}", "\u{05D0}da\u{05D0}", "\u{05D0}\u{05D1}-", "\u{0627}1\u{0661}",
    ])
    func directionsThatAreNotShownAsWritten_areRefused(_ name: String) {
        #expect(Username(name).fault == .direction)
    }

    // MARK: Names whose characters are syllables or words (PRF-3)

    @Test(arguments: [
        "\u{674E}\u{5A1C}", "\u{3042}\u{3044}", "\u{FF76}\u{FF9E}", "\u{30EA}\u{30FC}", "\u{D55C}\u{AE00}",
        "\u{0930}\u{093E}\u{092E}", "\u{0E19}\u{0E01}", "\u{0F54}\u{0F62}",
        "\u{0DC1}\u{0DCA}\u{200D}\u{0DBB}\u{0DD3}", "\u{674E}1", "\u{674E}.",
    ])
    func namesOfSyllablesAndWords_areDense(_ name: String) {
        #expect(Username(name).isDense)
    }

    @Test(arguments: ["ab", "12", "_", "", "\u{674E}a", "\u{0434}\u{0430}", "\u{05E0}\u{05D5}", "\u{0645}\u{0631}"])
    func namesOfOtherScripts_andWithoutALetter_areNot(_ name: String) {
        #expect(!Username(name).isDense)
    }

    @Test func arabicDigitsOfTwoKinds_areRefused() {
        #expect(Username("\u{0645}\u{0661}\u{06F2}").fault == .digits)
        #expect(Username("\u{0645}\u{0661}\u{0662}").fault == nil)
    }
}
