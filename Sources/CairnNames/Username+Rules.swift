internal import CUnicode

/// The characters of a new name: the IdentifierClass of RFC 8264 with only three of its signs, and the rule of RFC 5893
/// for names that are written from right to left.
extension Username {
    /// Why a new name is refused.
    public enum Fault: String, Error, Hashable, Sendable {
        /// A character that is not allowed: no letter, invisible, or another form of a letter, such as a ligature.
        case letter
        /// Begins with a combining mark, which would be drawn on the character before the name.
        case mark
        /// Letters and digits of both directions in an order that is displayed differently from how it is written.
        case direction
        /// Two kinds of Arabic digits, of which some look alike.
        case digits
    }

    private static let signs: Set<Unicode.Scalar> = [".", "_", "-"]

    /// The fault of a new name; nil = none. The length is not checked here.
    public var fault: Fault? {
        // Checks the compared form, so that width and composition of the typed letters do not matter.
        let letters = compared.unicodeScalars
        guard compared.utf8.count <= Self.bytesMax,
            letters.allSatisfy({
                Self.signs.contains($0) || Self.joiners.contains($0) || cunicode_is_identifier($0.value) == 1
            }), Self.joinersAreInPlace(in: letters)
        else { return .letter }
        guard let first = letters.first, cunicode_is_mark(first.value) == 0 else { return .mark }
        if letters.contains(where: Self.arabicDigits.contains), letters.contains(where: Self.persianDigits.contains) {
            return .digits
        }
        return Self.isShownAsWritten(letters.map { cunicode_direction_of($0.value) }) ? nil : .direction
    }

    /// Whether a character of such a name is a syllable or a word: it has letters, and all are Han, Hiragana, Katakana,
    /// Hangul or of a script that comes from Brahmi. Such a name may be shorter (PRF-3).
    public var isDense: Bool {
        guard compared.utf8.count <= Self.bytesMax else { return false }
        let letters = compared.unicodeScalars.filter { cunicode_is_letter($0.value) == 1 }
        return !letters.isEmpty && letters.allSatisfy { cunicode_is_dense($0.value) == 1 }
    }

    /// RFC 5892, A.1 and A.2: joiners stand where the script needs them to be written, and nowhere else.
    private static func joinersAreInPlace(in letters: String.UnicodeScalarView) -> Bool {
        guard letters.contains(where: joiners.contains) else { return true }
        let values = letters.map(\.value)
        return values.indices.allSatisfy { place in
            guard let letter = Unicode.Scalar(values[place]), joiners.contains(letter) else { return true }
            // Borrowed for this call; ICU reads the letters in place.
            return values.withUnsafeBufferPointer { lent in
                cunicode_is_freeform(lent.baseAddress, Int32(lent.count), Int32(place)) == 1
            }
        }
    }

    /// RFC 5892, A.8 and A.9.
    private static let arabicDigits: ClosedRange<Unicode.Scalar> = "\u{0660}"..."\u{0669}"
    private static let persianDigits: ClosedRange<Unicode.Scalar> = "\u{06F0}"..."\u{06F9}"

    /// The six conditions of RFC 5893 2. They apply only to names with a letter that is written from right to left.
    private static func isShownAsWritten(_ directions: [cunicode_direction]) -> Bool {
        guard directions.contains(where: { $0 == CUNICODE_RIGHT_TO_LEFT || $0 == CUNICODE_ARABIC_NUMBER }) else {
            return true
        }
        guard let last = directions.last(where: { $0 != CUNICODE_MARK }) else { return false }
        // A name that begins from left to right may not have such a letter.
        guard directions.first == CUNICODE_RIGHT_TO_LEFT else { return false }
        let ends = [CUNICODE_RIGHT_TO_LEFT, CUNICODE_NUMBER, CUNICODE_ARABIC_NUMBER]
        let allowed = ends + [CUNICODE_NEUTRAL, CUNICODE_MARK]
        return directions.allSatisfy(allowed.contains) && ends.contains(last)
            && !(directions.contains(CUNICODE_NUMBER) && directions.contains(CUNICODE_ARABIC_NUMBER))
    }
}
