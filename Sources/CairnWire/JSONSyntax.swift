/// Reads a JSON text strictly by RFC 8259, to find where it violates the standard and where the members of its
/// outermost object are. Linear in the bytes; the nesting is already bounded.
struct JSONSyntax {
    /// Ranges of a member's name, quotes included, and of its value.
    struct Member {
        let name: Range<Int>
        var value: Range<Int>
    }

    /// The text, borrowed while the reader is used, which is within one call.
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private let isWhole: Bool
    /// Names of the path to the place where it stopped.
    private(set) var path: [String] = []
    private(set) var members: [Member] = []
    private var depth = 0

    private enum Stop: Error {
        case because(String)
    }

    init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
        self.bytes = bytes
        offset = start
        isWhole = start == 0
    }

    /// The fault at `offset`; nil = none.
    mutating func fault() -> String? {
        do throws(Stop) {
            try value()
            skipBlanks()
            if isWhole, offset < bytes.count { throw .because("there is something behind the message") }
            return nil
        } catch {
            switch error {
            case .because(let cause): return cause
            }
        }
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func value() throws(Stop) {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{")?: try object()
        case UInt8(ascii: "[")?: try array()
        case UInt8(ascii: "\"")?: try text()
        case let byte? where "-0123456789".utf8.contains(byte): try number()
        case nil: throw .because("the message ends where a value is missing")
        default: try word()
        }
    }

    private mutating func object() throws(Stop) {
        offset += 1
        depth += 1
        defer { depth -= 1 }
        skipBlanks()
        if next == UInt8(ascii: "}") { return offset += 1 }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw .because("a name in quotes is missing") }
            let start = offset
            try text()
            let name = start..<offset
            path.append(String(decoding: bytes[name].dropFirst().dropLast().prefix(64), as: UTF8.self))
            skipBlanks()
            guard next == UInt8(ascii: ":") else { throw .because("a colon is missing") }
            offset += 1
            skipBlanks()
            let begin = offset
            try value()
            if depth == 1 { members.append(Member(name: name, value: begin..<offset)) }
            path.removeLast()
            skipBlanks()
            if next == UInt8(ascii: "}") { return offset += 1 }
            guard next == UInt8(ascii: ",") else { throw .because("a comma or the end of an object is missing") }
            offset += 1
        }
    }

    private mutating func array() throws(Stop) {
        offset += 1
        depth += 1
        defer { depth -= 1 }
        skipBlanks()
        if next == UInt8(ascii: "]") { return offset += 1 }
        while true {
            try value()
            skipBlanks()
            if next == UInt8(ascii: "]") { return offset += 1 }
            guard next == UInt8(ascii: ",") else { throw .because("a comma or the end of a list is missing") }
            offset += 1
        }
    }

    private mutating func text() throws(Stop) {
        let start = offset
        offset += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw .because("a text holds a control character") }
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard next != nil else {
            offset = start
            throw .because("a text has no end")
        }
        offset += 1
    }

    private mutating func number() throws(Stop) {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        var isSound = skipDigits()
        if next == UInt8(ascii: ".") {
            offset += 1
            isSound = skipDigits() && isSound
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            isSound = skipDigits() && isSound
        }
        if let byte = next, "+-.eE".utf8.contains(byte) { isSound = false }
        guard isSound else {
            offset = start
            throw .because("a number is malformed")
        }
    }

    /// - Returns: whether there were any.
    private mutating func skipDigits() -> Bool {
        let start = offset
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
        return offset > start
    }

    private mutating func word() throws(Stop) {
        for word in ["true", "false", "null"] where bytes[offset...].starts(with: word.utf8) {
            offset += word.utf8.count
            return
        }
        throw .because("a value is missing")
    }
}
