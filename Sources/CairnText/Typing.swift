/// What people type and paste: keyboards add a blank behind a word that they complete, clipboards bring line ends and
/// marks of direction, and digits are those of the person's script.
extension String {
    /// The text without what is not seen before it and behind it.
    public var withoutBlanksAround: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isUnseen }),
            let last = scalars.lastIndex(where: { !$0.isUnseen })
        else { return "" }
        return String(String.UnicodeScalarView(scalars[first...last]))
    }

    /// A code of digits and letters of ASCII: digits of any script as those of ASCII, without blanks, dashes and what
    /// is not seen.
    /// - Parameter scalarsMax: what is behind so many is no part of a code.
    public func asCode(scalarsMax: Int) -> String {
        var code = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(scalarsMax) where !scalar.isUnseen {
            switch scalar.properties.generalCategory {
            case .dashPunctuation: continue
            case .decimalNumber: code.append(scalar.asciiDigit ?? scalar)
            default: code.append(scalar)
            }
        }
        return String(code)
    }
}

extension Unicode.Scalar {
    /// Blanks, line ends, and marks that only change the direction of a text or where it breaks.
    fileprivate var isUnseen: Bool {
        if properties.isWhitespace { return true }
        return switch value {
        case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    fileprivate var asciiDigit: Unicode.Scalar? {
        guard let value = properties.numericValue, let digit = UInt8(exactly: value), digit <= 9 else { return nil }
        return Unicode.Scalar(UInt8(ascii: "0") + digit)
    }
}
