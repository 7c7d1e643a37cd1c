import CairnText
import Testing

/// Which texts may stand in a line with others (SUB-1, ACC-1, TRM-3).
@Suite("Texts of lines")
struct LinesTests {
    @Test(arguments: [
        "", "Ada", "\u{5d0}\u{5d1} 12", "\u{645}\u{62d}\u{645}\u{62f}", "a\u{200D}b", "\u{2764}\u{FE0F}",
    ])
    func name_isOneLine(text: String) {
        #expect(text.isOneLine && text.isOfLines)
    }

    /// Embeddings, overrides, isolates, and the marks of direction of each script.
    @Test(arguments: [
        "\u{202E}abc", "\u{202A}a\u{202C}", "\u{2066}x\u{2069}", "\u{2067}abc\u{2069}", "\u{2068}", "a\u{200E}b",
        "a\u{200F}b", "\u{61C}abc",
    ])
    func markOfDirection_isInNoName_butInTextsOfLines(text: String) {
        #expect(!text.isOneLine && text.isOfLines)
    }

    @Test func label_isMadeOneOfOneLine() {
        #expect("\u{200F}Ada\u{2019}s\nphone".inOneLine == "Ada\u{2019}sphone" && "Ada".inOneLine == "Ada")
    }

    @Test(arguments: ["a\tb", "a\u{1B}[31mb", "a\rb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{0}", "\u{7F}"])
    func control_isInNeither(text: String) {
        #expect(!text.isOneLine && !text.isOfLines)
    }

    @Test func lineFeed_isInTextsOfLinesAlone() {
        #expect("a\nb".isOfLines && !"a\nb".isOneLine)
    }
}
