/// One pass over a JSON text before it is parsed: depth of nesting, duplicate names in an object, and the `id` at the
/// top, for the refusal if the rest is unreadable.
///
/// It is not a parser: SwiftProtobuf is the only one (pitfalls W7). It refuses only input that SwiftProtobuf would
/// accept: arrays nested without bound in unknown fields, floods of empty objects, and duplicate names, of which
/// different parsers choose different ones (RFC 8259 4).
struct JSONOutline {
    /// The fault, in words for the client's developer.
    enum Fault: String {
        case tooDeep = "it nests too deeply"
        case tooMany = "it has too many objects and arrays"
        case repeatedName = "a name occurs twice in one object"
        case badName = "a name is not valid text"
        case longName = "a name is too long"
        case tooManyNames = "it has too many names"
    }

    private(set) var fault: Fault?
    /// Value of the member `id` of the outermost object; 0 if it has no such member, or its value is not a number in
    /// range.
    private(set) var id: UInt32 = 0
    /// The first name in the outermost object that is not the envelope's own, if it is of a sensible length.
    private(set) var bodyName: String?
    /// Where the fault was found.
    private(set) var faultOffset = 0

    /// Borrowed for the duration of `init`, which does all the reading; not used afterwards.
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Borrows the bytes during the call. Linear in their count.
    init(_ bytes: UnsafeRawBufferPointer, depthMax: Int, containersMax: Int) {
        self.bytes = bytes
        fault = scan(depthMax: depthMax, containersMax: containersMax)
        faultOffset = min(offset, bytes.count)
    }

    private mutating func scan(depthMax: Int, containersMax: Int) -> Fault? {
        // For each open container the names seen in it, as bytes: names of the schema are ASCII. Nil for an array.
        var open: [Set<[UInt8]>?] = []
        var containers = 0
        var names = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < depthMax else { return .tooDeep }
                containers += 1
                guard containers <= containersMax else { return .tooMany }
                open.append(byte == UInt8(ascii: "{") ? [] : nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
            case UInt8(ascii: "\""):
                let content = readString()
                skipWhitespace()
                guard !open.isEmpty, open[open.count - 1] != nil,
                    offset < bytes.count, bytes[offset] == UInt8(ascii: ":")
                else { continue }
                names += 1
                guard names <= ClientEnvelopeDecoder.jsonNamesMax else { return .tooManyNames }
                guard content.count <= ClientEnvelopeDecoder.jsonNameBytesMax else { return .longName }
                guard let name = unescaped(content) else { return .badName }
                guard open[open.count - 1]?.insert(Array(name.utf8)).inserted == true else { return .repeatedName }
                if open.count == 1 { note(name) }
            default:
                continue
            }
        }
        return nil
    }

    /// Notes a name in the outermost object.
    private mutating func note(_ name: String) {
        guard name.utf8.count <= 64 else { return }
        if name == "id" {
            readID()
        } else if bodyName == nil, name != "key" {
            bodyName = name
        }
    }

    /// Reads to the closing quote, or to the end of the text if there is none.
    private mutating func readString() -> Range<Int> {
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(offset, bytes.count)
        offset = min(offset + 1, bytes.count)
        return start..<end
    }

    private mutating func skipWhitespace() {
        while offset < bytes.count, Self.isWhitespace(bytes[offset]) { offset += 1 }
    }

    /// RFC 8259 2.
    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Reads `: 7` or `: "7"`, both of which protobuf's JSON takes for a number.
    private mutating func readID() {
        offset += 1
        skipWhitespace()
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") { offset += 1 }
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        if let id = UInt32(String(decoding: bytes[start..<offset], as: UTF8.self)) { self.id = id }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") { offset += 1 }
    }

    /// The name that a string token stands for, so that `"id"` and `"\u0069d"` are recognised as equal; nil if the
    /// token is invalid.
    private func unescaped(_ content: Range<Int>) -> String? {
        let raw = UnsafeRawBufferPointer(rebasing: bytes[content])
        guard raw.contains(UInt8(ascii: "\\")) else { return String(validating: raw, as: UTF8.self) }
        var units: [UInt16] = []
        guard var rest = String(validating: raw, as: UTF8.self)?.utf16[...] else { return nil }
        while let unit = rest.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")) else {
                units.append(unit)
                continue
            }
            guard let escape = rest.popFirst() else { return nil }
            switch Unicode.Scalar(escape) {
            case "u":
                guard let digits = String(rest.prefix(4)), digits.utf16.count == 4,
                    let value = UInt16(digits, radix: 16)
                else { return nil }
                units.append(value)
                rest = rest.dropFirst(4)
            case "b": units.append(0x08)
            case "f": units.append(0x0C)
            case "n": units.append(0x0A)
            case "r": units.append(0x0D)
            case "t": units.append(0x09)
            default: units.append(escape)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
