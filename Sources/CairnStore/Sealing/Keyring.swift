internal import CairnCore
internal import Crypto
internal import Foundation
internal import Synchronization

/// The keys of one database in use: seals values before SQLite sees them, and opens them (DAT-7).
///
/// A sealed value is: version, key number (2 bytes), nonce (12), AES-256-GCM's ciphertext and tag (16). Bound to it are
/// version, key number, the seal's name, the row's id and, since version 2, columns of its row. Nonces are random, so
/// one key seals 2^31 values at most. OpenSSL seals, Swift Crypto opens: the format is the standard's.
final class Keyring: Sendable {
    private struct State: Sendable {
        var dataKeys: [UInt16: SymmetricKey]
        var current: UInt16
        /// Seals with the current key.
        var sealer: Sealer?
        var sealed: UInt64 = 0
        var isBound: Bool
        var pseudonyms: [Pseudonym: Int64] = [:]
    }

    private struct Pseudonym: Hashable, Sendable {
        let seal: Seal
        let number: UInt64
    }

    private static let version: UInt8 = 2
    /// Binds nothing but the row's id. Accepted only in a world that is not converted yet: elsewhere it would let an
    /// attacker insert old rows with any owner.
    private static let looseVersion: UInt8 = 1
    private static let headBytes = 3
    static let nonceBytes = 12
    /// Random nonces of 96 bits must not repeat under one key: NIST SP 800-38D, 8.3 allows 2^32.
    private static let sealedMax = UInt64(1) << 31
    private static let pseudonymsMax = 65_536

    private let state: Mutex<State>
    private let nonces = Mutex(Nonces())
    private let lookupKey: SymmetricKey
    /// What every code begins with: taking the key in costs more than a short text does.
    private let keyed: Keyed

    private struct Keyed: @unchecked Sendable {
        // @unchecked because HMAC does not say that it is Sendable: this value never changes, each use updates a copy.
        let code: HMAC<SHA256>
    }

    /// - Parameters:
    ///   - dataKeys: by number; the highest seals.
    ///   - isBound: whether the world's rows have been converted.
    init(lookupKey: SymmetricKey, dataKeys: [UInt16: SymmetricKey], isBound: Bool) {
        self.lookupKey = lookupKey
        keyed = Keyed(code: HMAC(key: lookupKey))
        let current = dataKeys.keys.max() ?? 0
        state = Mutex(
            State(
                dataKeys: dataKeys, current: current, sealer: dataKeys[current].map(Sealer.init), isBound: isBound))
    }

    /// Whether every sealed value of the world is bound to its row's columns.
    var isBound: Bool { state.withLock { $0.isBound } }

    /// The world has been converted: what was sealed before opens no more.
    func bind() { state.withLock { $0.isBound = true } }

    /// Whether the key that seals has sealed enough.
    var isWorn: Bool { state.withLock { $0.sealed >= Self.sealedMax } }

    /// Whether a row of the one may open with the other: restores and backups of a world share the key of fingerprints.
    func isOfSameWorld(as other: Keyring) -> Bool { lookupKey == other.lookupKey && isBound == other.isBound }

    var newestNumber: UInt16 { state.withLock { $0.current } }

    /// From now on this key seals.
    func add(_ key: SymmetricKey, number: UInt16) {
        state.withLock { state in
            state.dataKeys[number] = key
            state.current = number
            state.sealer = Sealer(key)
            state.sealed = 0
        }
    }

    /// The value as SQLite may see it.
    func clear(_ value: SQLValue) throws -> SQLValue {
        var last: LastFingerprint?
        return try clear(value, &last)
    }

    /// A fingerprint that was made a moment ago: one row has it in a column and bound to what is sealed beside it.
    struct LastFingerprint {
        fileprivate let text: String
        fileprivate let seal: Seal
        fileprivate let bytes: [UInt8]
    }

    /// As `clear(_:)`, for several values in a row.
    func clear(_ value: SQLValue, _ last: inout LastFingerprint?) throws -> SQLValue {
        switch value {
        case .null, .integer, .real, .text, .blob: return value
        case .sealed(let values, let seal, let row, var bound):
            for index in bound.indices where bound[index].needsKey {
                bound[index] = try clear(bound[index], &last)
            }
            return .blob(try sealed(values, seal, row: row, bound: bound))
        case .fingerprint(let text, let seal):
            if let last, last.seal == seal, last.text == text { return .blob(last.bytes) }
            let bytes = fingerprint(of: text, seal)
            last = LastFingerprint(text: text, seal: seal, bytes: bytes)
            return .blob(bytes)
        case .pseudonym(let number, let seal): return .integer(pseudonym(of: number, seal))
        }
    }

    private func sealed(_ values: [SQLValue], _ seal: Seal, row: Int64, bound: [SQLValue]) throws -> [UInt8] {
        let (sealer, number) = state.withLock { state in
            state.sealed += 1
            return (state.sealer, state.current)
        }
        guard let sealer else { preconditionFailure("a key ring always has the key that seals") }
        let textBytes = SealedValues.byteCount(of: values)
        let sealedBytes = Self.headBytes + Self.nonceBytes + textBytes + Sealer.tagBytes
        // What is bound stands behind what is sealed for as long as it is needed.
        let room = sealedBytes + Self.boundBytes(seal, bound)
        return try [UInt8](unsafeUninitializedCapacity: room) { memory, count in
            var writer = ByteWriter(memory)
            let head = writer.skip(Self.headBytes)
            (head[0], head[1], head[2]) = (
                Self.version, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)
            )
            let nonce = writer.skip(Self.nonceBytes)
            try nonces.withLock { try $0.next(into: nonce) }
            let text = writer.skip(textBytes)
            var textWriter = ByteWriter(text)
            SealedValues.write(values, into: &textWriter)
            let tag = writer.skip(Sealer.tagBytes)
            Self.writeBound(UnsafeBufferPointer(head), to: seal, row: row, bound, into: &writer)
            try sealer.seal(
                text, tag: tag, nonce: UnsafeBufferPointer(nonce),
                authenticating: UnsafeBufferPointer(rebasing: memory[sealedBytes..<room]))
            count = sealedBytes
        }
    }

    /// Opens a sealed value. Returns it unchanged when it was not sealed, or not for this row: the row is damaged or
    /// was tampered with, and its reader reports that (`Row.opened`).
    func open(_ value: SQLValue, _ seal: Seal, row: Int64, bound: [SQLValue]) -> SQLValue {
        guard case .blob(let bytes) = value, let values = opened(bytes, seal, row: row, bound) else { return value }
        return .sealed(values, seal, row: row, bound: bound)
    }

    private func opened(_ bytes: [UInt8], _ seal: Seal, row: Int64, _ bound: [SQLValue]) -> [SQLValue]? {
        guard bytes.count >= Self.headBytes + Self.nonceBytes + Sealer.tagBytes else { return nil }
        let number = UInt16(bytes[1]) | UInt16(bytes[2]) << 8
        let (key, isBound) = state.withLock { ($0.dataKeys[number], $0.isBound) }
        guard let key, bytes[0] == Self.version || (bytes[0] == Self.looseVersion && !isBound),
            let box = try? AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headBytes)),
            let plain = try? AES.GCM.open(
                box, using: key,
                authenticating: Self.bound(
                    bytes.prefix(Self.headBytes), to: seal, row: row, bytes[0] == Self.version ? bound : []))
        else { return nil }
        return SealedValues.decode(Array(plain))
    }

    /// How many bytes are bound beside these values.
    private static func boundBytes(_ seal: Seal, _ values: [SQLValue]) -> Int {
        headBytes + seal.name.text.utf8.count + 8 + SealedValues.byteCount(of: values)
    }

    private static func writeBound(
        _ head: UnsafeBufferPointer<UInt8>, to seal: Seal, row: Int64, _ values: [SQLValue],
        into writer: inout ByteWriter
    ) {
        writer.put(head)
        var name = seal.name.text
        name.withUTF8 { writer.put($0) }
        writer.put(number: row)
        SealedValues.write(values, into: &writer)
    }

    private static func bound(_ head: ArraySlice<UInt8>, to seal: Seal, row: Int64, _ values: [SQLValue]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: boundBytes(seal, values)) { memory, count in
            var writer = ByteWriter(memory)
            head.withUnsafeBufferPointer { writeBound($0, to: seal, row: row, values, into: &writer) }
            count = writer.count
        }
    }

    private func fingerprint(of text: String, _ seal: Seal) -> [UInt8] {
        var text = text
        return text.withUTF8 { code(of: $0, seal) }.withUnsafeBytes { Array($0.prefix(16)) }
    }

    private func pseudonym(of number: UInt64, _ seal: Seal) -> Int64 {
        let known = Pseudonym(seal: seal, number: number)
        if let pseudonym = state.withLock({ $0.pseudonyms[known] }) { return pseudonym }
        let code = withUnsafeBytes(of: number.littleEndian) { bytes in
            // Bytes as bytes: any memory may be read so.
            bytes.withMemoryRebound(to: UInt8.self) { self.code(of: $0, seal) }
        }
        let pseudonym = Int64(bitPattern: code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        state.withLock { state in
            if state.pseudonyms.count >= Self.pseudonymsMax { state.pseudonyms = [:] }
            state.pseudonyms[known] = pseudonym
        }
        return pseudonym
    }

    /// The code of the seal's name and the bytes. No name has a zero in it, so they cannot run into each other.
    private func code(of bytes: UnsafeBufferPointer<UInt8>, _ seal: Seal) -> HMAC<SHA256>.MAC {
        var name = seal.name.text
        return name.withUTF8 { name in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count + 1 + bytes.count) { memory in
                var writer = ByteWriter(memory)
                writer.put(name)
                writer.put(0)
                writer.put(bytes)
                var code = keyed.code
                code.update(data: UnsafeRawBufferPointer(memory))
                return code.finalize()
            }
        }
    }
}
