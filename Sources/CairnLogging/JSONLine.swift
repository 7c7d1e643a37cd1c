/// Writes one line of JSON straight into bytes, without intermediate values, because the stats socket writes ten
/// thousand rows a second.
package struct JSONLine {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// A line that is one object, with its line break.
    package static func object(_ body: (inout JSONLine) -> Void) -> [UInt8] {
        var line = JSONLine()
        line.braces(body)
        line.bytes.append(UInt8(ascii: "\n"))
        return line.bytes
    }

    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    // MARK: Members of an object

    package mutating func member(_ name: StaticString, _ value: String) {
        begin(name)
        put(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int) {
        begin(name)
        put(value)
    }

    package mutating func member(_ name: StaticString, _ value: UInt64) {
        begin(name)
        put(Int(clamping: value))
    }

    /// A number with three digits after the decimal point.
    package mutating func member(_ name: StaticString, _ value: Double) {
        begin(name)
        put(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        begin(name)
        put(value ? "true" : "false" as StaticString)
    }

    package mutating func null(_ name: StaticString) {
        begin(name)
        put("null" as StaticString)
    }

    package mutating func object(_ name: StaticString, _ body: (inout JSONLine) -> Void) {
        begin(name)
        braces(body)
    }

    package mutating func array(_ name: StaticString, _ body: (inout JSONLine) -> Void) {
        begin(name)
        brackets(body)
    }

    /// An array of texts.
    package mutating func list(_ name: StaticString, _ values: [String]) {
        array(name) { line in for value in values { line.element(value) } }
    }

    /// An object of counts, sorted by name.
    package mutating func counts(_ name: StaticString, _ counts: [String: UInt64]) {
        object(name) { line in
            for (key, value) in counts.sorted(by: { $0.key < $1.key }) { line.member(named: key, Int(clamping: value)) }
        }
    }

    package mutating func member(named name: String, _ value: Int) {
        begin(named: name)
        put(value)
    }

    package mutating func member(named name: String, _ value: String) {
        begin(named: name)
        put(value)
    }

    package mutating func object(named name: String, _ body: (inout JSONLine) -> Void) {
        begin(named: name)
        braces(body)
    }

    package mutating func array(named name: String, _ body: (inout JSONLine) -> Void) {
        begin(named: name)
        brackets(body)
    }

    // MARK: Elements of an array

    package mutating func element(_ value: String) {
        separate()
        put(value)
    }

    package mutating func element(_ value: Double) {
        separate()
        put(value)
    }

    /// Seven digits after the decimal point, which is a centimetre.
    package mutating func element(degrees value: Double) {
        separate()
        bytes.append(contentsOf: "\((value * 1e7).rounded() / 1e7)".utf8)
    }

    package mutating func element(_ body: (inout JSONLine) -> Void) {
        separate()
        braces(body)
    }

    package mutating func elements(_ body: (inout JSONLine) -> Void) {
        separate()
        brackets(body)
    }

    // MARK: Inside

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func begin(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        put(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func begin(named name: String) {
        separate()
        put(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func braces(_ body: (inout JSONLine) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    private mutating func brackets(_ body: (inout JSONLine) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout JSONLine) -> Void) {
        bytes.append(open)
        needsComma = false
        body(&self)
        needsComma = true
        bytes.append(close)
    }

    private mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func put(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func put(_ value: Double) {
        // JSON cannot represent infinity or NaN.
        guard value.isFinite, abs(value) < 1e15 else { return put("null" as StaticString) }
        let thousandths = Int((value * 1_000).rounded())
        if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, part) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        put(Int(whole))
        guard part > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(part / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(part / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(part % 10))
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }

    /// A text in quotes. Control characters, including those that control terminals, are escaped.
    private mutating func put(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
            bytes.append(contentsOf: text.utf8)
            return bytes.append(UInt8(ascii: "\""))
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\"")])
            case "\\": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\\")])
            case "\n": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
