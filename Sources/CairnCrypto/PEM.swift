internal import Foundation

/// Bytes as a text (RFC 7468): base64 in lines of 64 letters, between two marks with a label such as `PUBLIC KEY`.
enum PEM {
    private static let lineLetters = 64

    /// The bytes; nil = it is not one such text with this label and nothing around it. Empty lines are ignored, and the
    /// last line may be shorter.
    static func decode(_ text: String, label: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count > 2, lines.first == mark("BEGIN", label)[...], lines.last == mark("END", label)[...] else {
            return nil
        }
        let body = lines.dropFirst().dropLast()
        guard body.dropLast().allSatisfy({ $0.utf8.count == lineLetters }),
            body.last.map({ $0.utf8.count <= lineLetters }) == true, let bytes = Data(base64Encoded: body.joined())
        else { return nil }
        return Array(bytes)
    }

    /// The text, without a line break behind it.
    static func encode(_ bytes: [UInt8], label: String) -> String {
        let letters = Array(Data(bytes).base64EncodedData())
        let body = stride(from: 0, to: letters.count, by: lineLetters).map { start in
            String(decoding: letters[start..<min(start + lineLetters, letters.count)], as: UTF8.self)
        }
        return ([mark("BEGIN", label)] + body + [mark("END", label)]).joined(separator: "\n")
    }

    private static func mark(_ end: String, _ label: String) -> String { "-----\(end) \(label)-----" }
}
