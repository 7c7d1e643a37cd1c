/// Texts that show something. One rule for every text that people write for others to see: a text of blanks and of
/// characters without a form counts as empty (PST-1, STA-5, SUB-1, TRM-3, ORG-1).
extension Unicode.Scalar {
    /// Whether a character is there to be seen by itself: no blank, no control, and none that is drawn as nothing, such
    /// as a zero-width space, a joiner, a tag, a filler of Hangul or an empty pattern of Braille. A character that no
    /// version of Unicode known here has counts as seen: it may be a new letter.
    public var isSeen: Bool {
        // ASCII, the most frequent, without the tables.
        if value < 0x80 { return value > 0x20 && value != 0x7F }
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || Self.empty.contains(self) {
            return false
        }
        switch properties.generalCategory {
        case .control: return false
        case .format: return Self.signsBeforeNumbers.contains { $0.contains(self) }
        default: return true
        }
    }

    /// Drawn as nothing, though their properties do not say so: an empty pattern of Braille, the filler of Khitan small
    /// script, a note without a head.
    private static let empty: Set<Self> = ["\u{2800}", "\u{16FE4}", "\u{1D159}"]

    /// The only characters of the category Format that are drawn (Unicode, Prepended_Concatenation_Mark).
    private static let signsBeforeNumbers: [ClosedRange<Self>] = [
        "\u{600}"..."\u{605}", "\u{6DD}"..."\u{6DD}", "\u{70F}"..."\u{70F}", "\u{890}"..."\u{891}",
        "\u{8E2}"..."\u{8E2}", "\u{110BD}"..."\u{110BD}", "\u{110CD}"..."\u{110CD}",
    ]
}

extension String {
    /// Whether nothing of a text is seen. Takes time in proportion to the code points before the first that is seen.
    public var isBlank: Bool { !unicodeScalars.contains(where: \.isSeen) }
}
