internal import CairnCore

/// Encodes values as the bytes that are sealed: for each value its kind and its content, with lengths and numbers in
/// little-endian order.
enum SealedValues {
    private enum Kind: UInt8 {
        case null, integer, real, text, blob
    }

    /// The number of bytes that `write` appends.
    static func byteCount(of values: [SQLValue]) -> Int {
        var count = values.count
        for value in values {
            switch value {
            case .null: break
            case .integer, .real: count += 8
            case .text(let text): count += 4 + text.utf8.count
            case .blob(let blob): count += 4 + blob.count
            case .sealed, .fingerprint, .pseudonym: preconditionFailure("nothing is sealed twice")
            }
        }
        return count
    }

    /// The encoding as bytes of its own.
    static func bytes(of values: [SQLValue]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount(of: values)) { memory, count in
            var writer = ByteWriter(memory)
            write(values, into: &writer)
            count = writer.count
        }
    }

    static func write(_ values: [SQLValue], into writer: inout ByteWriter) {
        for value in values {
            switch value {
            case .null: writer.put(Kind.null.rawValue)
            case .integer(let number): put(.integer, UInt64(bitPattern: number), into: &writer)
            case .real(let number): put(.real, number.bitPattern, into: &writer)
            case .text(var text): text.withUTF8 { put(.text, $0, into: &writer) }
            case .blob(let blob): blob.withUnsafeBufferPointer { put(.blob, $0, into: &writer) }
            case .sealed, .fingerprint, .pseudonym: preconditionFailure("nothing is sealed twice")
            }
        }
    }

    /// nil when the bytes are not a valid encoding.
    static func decode(_ bytes: [UInt8]) -> [SQLValue]? {
        var values: [SQLValue] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            guard let kind = Kind(rawValue: first), let value = take(kind, from: &rest) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func put(_ kind: Kind, _ number: UInt64, into writer: inout ByteWriter) {
        writer.put(kind.rawValue)
        writer.put(number: number)
    }

    private static func put(_ kind: Kind, _ content: UnsafeBufferPointer<UInt8>, into writer: inout ByteWriter) {
        writer.put(kind.rawValue)
        writer.put(number: UInt32(content.count))
        writer.put(content)
    }

    private static func take(_ kind: Kind, from rest: inout ArraySlice<UInt8>) -> SQLValue? {
        switch kind {
        case .null: return .null
        case .integer: return number(8, from: &rest).map { .integer(Int64(bitPattern: $0)) }
        case .real: return number(8, from: &rest).map { .real(Double(bitPattern: $0)) }
        case .text: return content(from: &rest).map { .text(String(decoding: $0, as: UTF8.self)) }
        case .blob: return content(from: &rest).map { .blob(Array($0)) }
        }
    }

    private static func content(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = number(4, from: &rest), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private static func number(_ width: Int, from rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= width else { return nil }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
