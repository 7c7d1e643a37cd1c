/// Maps identifiers to their names on the wire. Without the key a name reveals neither when a thing was made nor which
/// of two things came first. An identifier has the same name as long as the key exists.
///
/// An identifier has 63 bits, of which 41 are its milliseconds. They are permuted by Speck64/128 (Beaulieu et al.,
/// "The Simon and Speck Families of Lightweight Block Ciphers", 2013): a result that does not fit 63 bits is permuted
/// again until it does, twice on average; the whole is a permutation of 63-bit numbers. The top bit of a name is 1. A
/// number with a top bit of 0 is an identifier that was given out before names existed, and is its own name.
public struct Veil: Sendable {
    /// Bytes of a key.
    public static let keyByteCount = 16

    private static let rounds = 27
    private static let mark = UInt64(1) << 63
    private let roundKeys: [UInt32]

    /// - Parameter key: 16 bytes. Traps for another number.
    public init(key: [UInt8]) {
        precondition(key.count == Self.keyByteCount, "a veil's key has \(Self.keyByteCount) bytes, not \(key.count)")
        let words = stride(from: 0, to: key.count, by: 4).map { start in
            key[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        var roundKey = words[0]
        var rest = Array(words[1...])
        var roundKeys = [roundKey]
        for round in 0..<Self.rounds - 1 {
            let next = (roundKey &+ rotatedRight(rest[round], 8)) ^ UInt32(round)
            rest.append(next)
            roundKey = rotatedLeft(roundKey, 3) ^ next
            roundKeys.append(roundKey)
        }
        self.roundKeys = roundKeys
    }

    /// The name of an identifier, as a number.
    public func veiled(_ identifier: UInt64) -> UInt64 {
        guard identifier < Self.mark else { return identifier }
        var block = encrypted(identifier)
        while block >= Self.mark { block = encrypted(block) }
        return block | Self.mark
    }

    /// The identifier that a name stands for. A number that is not a name is returned unchanged.
    public func unveiled(_ name: UInt64) -> UInt64 {
        guard name >= Self.mark else { return name }
        var block = decrypted(name & ~Self.mark)
        while block >= Self.mark { block = decrypted(block) }
        return block
    }

    func encrypted(_ block: UInt64) -> UInt64 {
        var (x, y) = (UInt32(truncatingIfNeeded: block >> 32), UInt32(truncatingIfNeeded: block))
        for key in roundKeys {
            x = (rotatedRight(x, 8) &+ y) ^ key
            y = rotatedLeft(y, 3) ^ x
        }
        return UInt64(x) << 32 | UInt64(y)
    }

    func decrypted(_ block: UInt64) -> UInt64 {
        var (x, y) = (UInt32(truncatingIfNeeded: block >> 32), UInt32(truncatingIfNeeded: block))
        for key in roundKeys.reversed() {
            y = rotatedRight(y ^ x, 3)
            x = rotatedLeft((x ^ key) &- y, 8)
        }
        return UInt64(x) << 32 | UInt64(y)
    }
}

private func rotatedRight(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
private func rotatedLeft(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
