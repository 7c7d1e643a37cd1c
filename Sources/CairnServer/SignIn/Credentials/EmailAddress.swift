internal import CairnText
internal import Foundation

/// An address for mails, well formed (RFC 5321 4.1.2 without quoted names and literals, RFC 6531 for other letters).
struct EmailAddress: Hashable, Sendable {
    /// As the person wrote it, in the composed form (Unicode NFC). Mails go there, and what they prove is this.
    let text: String

    static let bytesMax = 254
    private static let localBytesMax = 64
    private static let labelBytesMax = 63

    /// Nil when no mail can reach it, and of letters that programs take for others, such as the ligature "\u{fb01}" for
    /// "fi": one program's mailbox would be another's.
    init?(_ text: String) {
        // Equal strings are canonically equivalent ones.
        guard text.utf8.count <= Self.bytesMax, text == text.precomposedStringWithCompatibilityMapping else {
            return nil
        }
        self.init(stored: text)
    }

    /// Reads one that was taken before. Nil when no mail can reach it.
    init?(stored: String) {
        let text = stored.precomposedStringWithCanonicalMapping
        let parts = text.pieces(at: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.bytesMax, parts.count == 2, Self.isLocal(parts[0]), Self.isDomain(parts[1]) else {
            return nil
        }
        self.text = text
    }

    /// Without a check, for what is no address.
    init(unchecked text: String) { self.text = text }

    /// The form in which addresses are compared: without letter case (ACC-1). The compatibility mapping changes only
    /// addresses that were stored before those letters were refused; their rows and backups have this form.
    var folded: String { text.precomposedStringWithCompatibilityMapping.lowercased() }

    /// In small letters.
    var domain: String { String(text.pieces(at: "@")[1]).lowercased() }

    private static func isLocal(_ local: Substring) -> Bool {
        (1...localBytesMax).contains(local.utf8.count)
            && local.pieces(at: ".", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isAtomText) }
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        let labels = domain.pieces(at: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...labelBytesMax).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.unicodeScalars.allSatisfy { $0 == "-" || isLetterOrDigit($0) }
            }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        isLetterOrDigit(scalar) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        case .nonspacingMark, .spacingMark: !scalar.isASCII
        default: false
        }
    }
}
