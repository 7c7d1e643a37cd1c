internal import CUnicode

/// What a new name may be made of: the IdentifierClass of RFC 8264, less all signs but three, and the rule of RFC 5893
/// for names that are written from right to left.
extension Username {
    /// Why a new name is refused.
    public enum Fault: String, Error, Hashable, Sendable {
        /// A character that is no letter, is invisible, or is another form of a letter, such as a ligature.
        case letter
        /// Begins with a mark, which is drawn on whatever stands before the name.
        case mark
        /// Letters and digits of both directions in an order that is not shown as it is written.
        case direction
        /// Two kinds of Arabic digits, of which some look alike.
        case digits
    }

    private static let signs: Set<Unicode.Scalar> = [".", "_", "-"]

    /// What is wrong with it as a new name; nil = nothing. The length is not checked here.
    public var fault: Fault? {
        // The compared form: what width and composition make of a letter is judged, not how it was typed.
        let letters = compared.unicodeScalars
        guard compared.utf8.count <= Self.bytesMax,
            letters.allSatisfy({ Self.signs.contains($0) || cunicode_is_identifier($0.value) == 1 })
        else { return .letter }
        guard let first = letters.first, cunicode_is_mark(first.value) == 0 else { return .mark }
        if letters.contains(where: Self.arabicDigits.contains), letters.contains(where: Self.persianDigits.contains) {
            return .digits
        }
        return Self.isShownAsWritten(letters.map { cunicode_direction_of($0.value) }) ? nil : .direction
    }

    /// RFC 5892, A.8 and A.9.
    private static let arabicDigits: ClosedRange<Unicode.Scalar> = "\u{0660}"..."\u{0669}"
    private static let persianDigits: ClosedRange<Unicode.Scalar> = "\u{06F0}"..."\u{06F9}"

    /// The six conditions of RFC 5893 2. Names without a letter that is written from right to left have none to meet.
    private static func isShownAsWritten(_ directions: [cunicode_direction]) -> Bool {
        guard directions.contains(where: { $0 == CUNICODE_RIGHT_TO_LEFT || $0 == CUNICODE_ARABIC_NUMBER }) else {
            return true
        }
        guard let last = directions.last(where: { $0 != CUNICODE_MARK }) else { return false }
        // Begun from left to right it may have no such letter, and this one has.
        guard directions.first == CUNICODE_RIGHT_TO_LEFT else { return false }
        let ends = [CUNICODE_RIGHT_TO_LEFT, CUNICODE_NUMBER, CUNICODE_ARABIC_NUMBER]
        let allowed = ends + [CUNICODE_NEUTRAL, CUNICODE_MARK]
        return directions.allSatisfy(allowed.contains) && ends.contains(last)
            && !(directions.contains(CUNICODE_NUMBER) && directions.contains(CUNICODE_ARABIC_NUMBER))
    }
}
