internal import CairnCore
internal import CairnCrypto
internal import Synchronization

/// The keys of one database in use: seals values before SQLite sees them, and opens them (DAT-7).
///
/// A sealed value consists of version, key number (2 bytes), nonce (12), and AES-256-GCM's ciphertext and tag (16). It
/// is bound to version, key number, the seal's name, the row's id and, since version 2, columns of its row. Nonces are
/// random, so one key seals at most 2^31 values.
final class Keyring: Sendable {
    private struct State: Sendable {
        var ciphers: [UInt16: AES.GCM]
        var current: UInt16
        /// The one of the current key, which seals.
        var sealer: AES.GCM?
        var sealed: UInt64 = 0
        var isBound: Bool
        var isTallied: Bool
        var pseudonyms: [Pseudonym: Int64] = [:]
    }

    private struct Pseudonym: Hashable, Sendable {
        let seal: Seal
        let number: UInt64
    }

    private static let version: UInt8 = 2
    /// The version that is bound to the row's id only. It is accepted only in a world that is not converted yet:
    /// elsewhere an attacker could insert old rows with any owner.
    private static let looseVersion: UInt8 = 1
    private static let headBytes = 3
    /// Random nonces of 96 bits must not repeat under one key: NIST SP 800-38D, 8.3 allows 2^32.
    private static let sealedMax = UInt64(1) << 31
    private static let pseudonymsMax = 65_536

    private let state: Mutex<State>
    private let nonces = Mutex(Nonces())
    private let lookupKey: SymmetricKey
    /// Of fingerprints and pseudonyms, by `lookupKey`.
    private let code: HMAC

    /// - Parameters:
    ///   - dataKeys: by number; the key with the highest number seals.
    ///   - isBound: whether the world's rows have been converted.
    ///   - isTallied: whether the world's rows are counted.
    init(lookupKey: SymmetricKey, dataKeys: [UInt16: SymmetricKey], isBound: Bool, isTallied: Bool = false) {
        self.lookupKey = lookupKey
        code = HMAC(key: lookupKey)
        let current = dataKeys.keys.max() ?? 0
        let ciphers = dataKeys.mapValues { AES.GCM($0) }
        state = Mutex(
            State(
                ciphers: ciphers, current: current, sealer: ciphers[current], isBound: isBound, isTallied: isTallied))
    }

    /// Whether every sealed value of the world is bound to its row's columns.
    var isBound: Bool { state.withLock { $0.isBound } }

    /// Notes that the world has been converted: values of the old version no longer open.
    func bind() { state.withLock { $0.isBound = true } }

    /// Whether the world's rows are counted: then a missing record of them was removed.
    var isTallied: Bool { state.withLock { $0.isTallied } }

    /// Notes that the world's rows are counted from now on.
    func markTallied() { state.withLock { $0.isTallied = true } }

    /// Whether the sealing key has reached its limit of values.
    var isWorn: Bool { state.withLock { $0.sealed >= Self.sealedMax } }

    /// Whether both are key rings of the same world: all copies of a world share the key of fingerprints.
    func isOfSameWorld(as other: Keyring) -> Bool { lookupKey == other.lookupKey && isBound == other.isBound }

    var newestNumber: UInt16 { state.withLock { $0.current } }

    /// Adds a key, which seals from now on.
    func add(_ key: SymmetricKey, number: UInt16) {
        state.withLock { state in
            let cipher = AES.GCM(key)
            state.ciphers[number] = cipher
            state.current = number
            state.sealer = cipher
            state.sealed = 0
        }
    }

    /// The value in the form in which SQLite stores it.
    func clear(_ value: SQLValue) throws -> SQLValue {
        var last: LastFingerprint?
        return try clear(value, &last)
    }

    /// The last fingerprint. A row often has one fingerprint twice: in a column, and bound to the sealed value beside
    /// it.
    struct LastFingerprint {
        fileprivate let text: String
        fileprivate let seal: Seal
        fileprivate let bytes: [UInt8]
    }

    /// As `clear(_:)`, for the values of one row in succession.
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
        let sealedBytes = Self.headBytes + AES.GCM.nonceBytes + textBytes + AES.GCM.tagBytes
        // The bound bytes are temporarily written behind the sealed ones.
        let room = sealedBytes + Self.boundBytes(seal, bound)
        return try [UInt8](unsafeUninitializedCapacity: room) { memory, count in
            var writer = ByteWriter(memory)
            let head = writer.skip(Self.headBytes)
            (head[0], head[1], head[2]) = (
                Self.version, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)
            )
            let nonce = writer.skip(AES.GCM.nonceBytes)
            nonces.withLock { $0.next(into: nonce) }
            let text = writer.skip(textBytes)
            var textWriter = ByteWriter(text)
            SealedValues.write(values, into: &textWriter)
            let tag = writer.skip(AES.GCM.tagBytes)
            Self.writeBound(UnsafeBufferPointer(head), to: seal, row: row, bound, into: &writer)
            try sealer.seal(
                text, tag: tag, nonce: UnsafeBufferPointer(nonce),
                authenticating: UnsafeBufferPointer(rebasing: memory[sealedBytes..<room]))
            count = sealedBytes
        }
    }

    /// Opens a sealed value. Returns it unchanged when it is not sealed, or not for this row: then the row is damaged
    /// or was tampered with, and its reader reports that (`Row.opened`).
    func open(_ value: SQLValue, _ seal: Seal, row: Int64, bound: [SQLValue]) -> SQLValue {
        guard case .blob(let bytes) = value, let values = opened(bytes, seal, row: row, bound) else { return value }
        return .sealed(values, seal, row: row, bound: bound)
    }

    private func opened(_ bytes: [UInt8], _ seal: Seal, row: Int64, _ bound: [SQLValue]) -> [SQLValue]? {
        guard bytes.count >= Self.headBytes else { return nil }
        let number = UInt16(bytes[1]) | UInt16(bytes[2]) << 8
        let (cipher, isBound) = state.withLock { ($0.ciphers[number], $0.isBound) }
        guard let cipher, bytes[0] == Self.version || (bytes[0] == Self.looseVersion && !isBound),
            let plain = cipher.open(
                bytes.dropFirst(Self.headBytes),
                authenticating: Self.bound(
                    bytes.prefix(Self.headBytes), to: seal, row: row, bytes[0] == Self.version ? bound : []))
        else { return nil }
        return SealedValues.decode(plain)
    }

    /// Number of bytes that are bound.
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
        return text.withUTF8 { withCode(of: $0, seal) { Array($0.prefix(16)) } }
    }

    private static let rowSeal = Seal("cairn_tally.row")

    /// The code of a row's content in the tally of its table.
    func code(ofRow bytes: UnsafeBufferPointer<UInt8>) -> Tally.Code {
        withCode(of: bytes, Self.rowSeal) { code in
            Tally.Code(
                low: code.loadUnaligned(as: UInt64.self).littleEndian,
                high: code.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian)
        }
    }

    private func pseudonym(of number: UInt64, _ seal: Seal) -> Int64 {
        let known = Pseudonym(seal: seal, number: number)
        if let pseudonym = state.withLock({ $0.pseudonyms[known] }) { return pseudonym }
        let pseudonym = withUnsafeBytes(of: number.littleEndian) { bytes in
            // Any memory may be read as bytes.
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                withCode(of: bytes, seal) { Int64(bitPattern: $0.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }) }
            }
        }
        state.withLock { state in
            if state.pseudonyms.count >= Self.pseudonymsMax { state.pseudonyms = [:] }
            state.pseudonyms[known] = pseudonym
        }
        return pseudonym
    }

    /// Lends the HMAC over the seal's name, a zero byte and the bytes. No name contains a zero byte, so two different
    /// pairs never give the same input.
    private func withCode<Result>(
        of bytes: UnsafeBufferPointer<UInt8>, _ seal: Seal, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var name = seal.name.text
        return name.withUTF8 { name in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count + 1 + bytes.count) { memory in
                var writer = ByteWriter(memory)
                writer.put(name)
                writer.put(0)
                writer.put(bytes)
                return code.withCode(for: UnsafeRawBufferPointer(memory), body)
            }
        }
    }
}
