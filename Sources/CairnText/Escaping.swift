/// Texts from people inside the languages of other programs, byte by byte: `Character` would join a sign of the
/// language with the letter before or behind it, and let it through.
public enum Escaping {
    /// Text of an HTML or XML document, or of an attribute in quotation marks. Controls that XML does not know are left
    /// out (XML 1.0, 2.2).
    public static func markup(_ text: String) -> String {
        replacing(in: text) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "'"): "&#39;"
            case 0x09, 0x0A, 0x0D: nil
            case ..<0x20, 0x7F: ""
            default: nil
            }
        }
    }

    /// What stands between quotation marks in Prometheus' text format and in other languages of that kind: a
    /// backslash before backslashes and quotation marks, and `\n` for the end of a line.
    public static func quotation(_ text: String) -> String {
        replacing(in: text) { byte in
            switch byte {
            case UInt8(ascii: "\\"): "\\\\"
            case UInt8(ascii: "\""): "\\\""
            case 0x0A: "\\n"
            default: nil
            }
        }
    }

    /// A field of a CSV file (RFC 4180), in quotation marks where it has to be. A text that a spreadsheet would take
    /// for a formula gets an apostrophe before it (OWASP, CSV Injection); a number stays a number.
    public static func csvField(_ text: String) -> String {
        let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } == true && !isNumber(text)
        let field = isFormula ? "'" + text : text
        guard field.utf8.contains(where: { ",;\"\r\n\t".utf8.contains($0) }) else { return field }
        return "\"" + replacing(in: field) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil } + "\""
    }

    private static func isNumber(_ text: String) -> Bool {
        var digits = text.utf8[...]
        if let sign = digits.first, "+-".utf8.contains(sign) { digits.removeFirst() }
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func replacing(in text: String, with replacement: (UInt8) -> StaticString?) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if let replacement = replacement(byte) {
                bytes.append(
                    contentsOf: UnsafeBufferPointer(
                        start: replacement.utf8Start, count: replacement.utf8CodeUnitCount))
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
