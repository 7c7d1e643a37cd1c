/// A file, line by line, with code and comments apart.
struct SourceFile: Sendable {
    let path: String
    let lines: [Line]

    /// One line of a file.
    struct Line: Sendable {
        /// From 1.
        let number: Int
        let text: String
        /// The text without comments and without what strings say.
        let code: String
        /// What comments say on this line.
        let comment: String
        /// The words of the code: letters, digits and underscores.
        let words: [String]

        init(number: Int, text: String, code: String, comment: String) {
            (self.number, self.text, self.code, self.comment) = (number, text, code, comment)
            words = code.words
        }

        var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
        var hasComment: Bool { comment.utf8.contains(where: String.isInWord) }
    }

    init(path: String, text: String) {
        self.path = path
        var scanner = SwiftScanner()
        let isSwift = path.hasSuffix(".swift")
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            let line = String(line)
            let (code, comment) = isSwift ? scanner.scan(line) : (line, "")
            return Line(number: index + 1, text: line, code: code, comment: comment)
        }
    }

    /// Where a complaint is: `path:line`.
    func place(_ line: Line) -> String { "\(path):\(line.number)" }

    /// Lines of code, comments and blanks; the last line break begins no line.
    var lineCount: Int { lines.last?.text.isEmpty == true ? lines.count - 1 : lines.count }

    /// The first part of the path after `Sources`: a target.
    var target: String? {
        let parts = path.split(separator: "/").map(String.init)
        if path.hasPrefix("loadtest/Sources/") { return "CairnCrowd" }
        if path.hasPrefix("loadtest/Program/") { return "cairn-crowd" }
        return parts.count > 2 && parts[0] == "Sources" ? parts[1] : nil
    }

    /// Whether a comment gives a reason next to the line: on it, before it or after it.
    func hasReason(at index: Int) -> Bool {
        (max(0, index - 1)...min(lines.count - 1, index + 1)).contains { lines[$0].hasComment }
    }

    /// Whether a documentation comment stands before the declaration on the line, or before its attributes.
    func isDocumented(at index: Int) -> Bool {
        let before = lines[..<index].reversed().drop { $0.code.drop(while: \.isWhitespace).hasPrefix("@") }.first
        return before?.text.drop(while: \.isWhitespace).hasPrefix("///") == true
    }

    /// Whether the block without a blank line around the line has a comment.
    func hasCommentInParagraph(of index: Int) -> Bool {
        var first = index
        while first > 0, !lines[first - 1].isBlank { first -= 1 }
        var last = index
        while last < lines.count - 1, !lines[last + 1].isBlank { last += 1 }
        return lines[first...last].contains(where: \.hasComment)
    }
}

/// Splits Swift into code and comments, line after line. It knows nested block comments, and strings with escapes, with
/// `#` and over several lines; what a string interpolates counts as text.
private struct SwiftScanner {
    private enum Mode {
        case code
        case comment(depth: Int)
        case string(hashes: Int, isMultiline: Bool)
    }

    private var mode = Mode.code

    mutating func scan(_ line: String) -> (code: String, comment: String) {
        var code: [UInt8] = []
        var comment: [UInt8] = []
        let text = Array(line.utf8)
        var index = 0
        func has(_ expected: StaticString, at place: Int) -> Bool {
            let count = expected.utf8CodeUnitCount
            guard place + count <= text.count else { return false }
            for offset in 0..<count where text[place + offset] != expected.utf8Start[offset] { return false }
            return true
        }
        func hashes(at place: Int, most: Int = .max) -> Int {
            var count = 0
            while count < most, has("#", at: place + count) { count += 1 }
            return count
        }
        while index < text.count {
            switch mode {
            case .code:
                let hashes = hashes(at: index)
                if has("//", at: index) {
                    comment += text[(index + 2)...]
                    index = text.count
                } else if has("/*", at: index) {
                    mode = .comment(depth: 1)
                    index += 2
                } else if has("\"", at: index + hashes) {
                    let isMultiline = has("\"\"\"", at: index + hashes)
                    mode = .string(hashes: hashes, isMultiline: isMultiline)
                    code.append(UInt8(ascii: "\""))
                    index += hashes + (isMultiline ? 3 : 1)
                } else {
                    code.append(text[index])
                    index += 1
                }
            case .comment(let depth):
                if has("*/", at: index) {
                    mode = depth == 1 ? .code : .comment(depth: depth - 1)
                    index += 2
                } else if has("/*", at: index) {
                    mode = .comment(depth: depth + 1)
                    index += 2
                } else {
                    comment.append(text[index])
                    index += 1
                }
            case .string(let count, let isMultiline):
                let quotes = isMultiline ? 3 : 1
                let isEnd = isMultiline ? has("\"\"\"", at: index) : has("\"", at: index)
                if isEnd, hashes(at: index + quotes, most: count) == count {
                    mode = .code
                    code.append(UInt8(ascii: "\""))
                    index += quotes + count
                } else {
                    let isEscape = has("\\", at: index) && hashes(at: index + 1, most: count) == count
                    index += isEscape ? count + 2 : 1
                }
            }
        }
        if case .string(_, isMultiline: false) = mode { mode = .code }
        return (String(decoding: code, as: UTF8.self), String(decoding: comment, as: UTF8.self))
    }
}

extension String {
    /// Letters, digits and underscores, as bytes; every letter beyond ASCII is one.
    static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }

    /// The words of a text, which stand between all other signs.
    var words: [String] {
        utf8.split { !Self.isInWord($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the text has these bytes somewhere: much quicker than a search for characters.
    func hasBytes(of part: String) -> Bool {
        var (text, part) = (self, part)
        // Both are lent for the search alone.
        return text.withUTF8 { text in
            part.withUTF8 { part in
                (0..<max(0, text.count - part.count + 1)).contains { start in
                    text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
                }
            }
        }
    }
}
