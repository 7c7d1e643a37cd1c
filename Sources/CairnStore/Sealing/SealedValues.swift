internal import CairnCore

/// Values as the bytes that are sealed: each a kind and its content, lengths and numbers little-endian.
enum SealedValues {
    private enum Kind: UInt8 {
        case null, integer, real, text, blob
    }

    static func encode(_ values: [SQLValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for value in values { append(value, to: &bytes) }
        return bytes
    }

    /// nil when these are no such bytes.
    static func decode(_ bytes: [UInt8]) -> [SQLValue]? {
        var values: [SQLValue] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            guard let kind = Kind(rawValue: first), let value = take(kind, from: &rest) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(Kind.null.rawValue)
        case .integer(let number): append(.integer, UInt64(bitPattern: number), to: &bytes)
        case .real(let number): append(.real, number.bitPattern, to: &bytes)
        case .text(let text): append(.text, text.utf8, to: &bytes)
        case .blob(let blob): append(.blob, blob, to: &bytes)
        case .sealed, .fingerprint, .pseudonym: preconditionFailure("nothing is sealed twice")
        }
    }

    private static func append(_ kind: Kind, _ number: UInt64, to bytes: inout [UInt8]) {
        bytes.append(kind.rawValue)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ kind: Kind, _ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(kind.rawValue)
        withUnsafeBytes(of: UInt32(content.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: content)
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
