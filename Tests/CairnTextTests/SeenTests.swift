import CairnText
import Testing

/// What of a text people see (PST-1).
@Suite("Seen texts")
struct SeenTests {
    /// Blanks, joiners, direction marks, fillers of Hangul and Khitan, an empty pattern of Braille, tags, variation
    /// selectors, a soft hyphen, controls of hieroglyphs, annotation marks, a note without a head.
    @Test(arguments: [
        "", " ", "\t\r\n", "\u{A0}\u{3000}", "\u{0}\u{7F}", "\u{200B}", "\u{200C}\u{200D}", "\u{202E}\u{2066}",
        "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}", "\u{61C}", "\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}",
        "\u{2800}", "\u{16FE4}", "\u{180E}", "\u{FE0F}", "\u{E0001}", "\u{E0020}\u{E007F}", "\u{E0100}", "\u{13430}",
        "\u{FFF9}", "\u{1D159}", "\u{2028}", "\u{85}",
    ])
    func textOfNothingSeen_isBlank(text: String) {
        #expect(text.isBlank)
    }

    @Test(arguments: [
        "a", ".", " x ", "\u{200B}x", "é", "e\u{301}", "\u{301}", "字", "한", "क्‌ष", "\u{2764}\u{FE0F}",
        "\u{1F468}\u{200D}\u{1F469}", "\u{2801}", "\u{6DD}", "\u{110CD}", "\u{E000}", "\u{FFFC}", "\u{378}",
    ])
    func textWithSomethingSeen_isNot(text: String) {
        #expect(!text.isBlank)
    }
}
