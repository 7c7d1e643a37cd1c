internal import Foundation

/// Random nonces, each used once. The kernel gives those of 21 values at a time, the most it does in one call: asked
/// for each, it takes half as long as the sealing.
struct Nonces: Sendable {
    private static let blockBytes = 21 * Keyring.nonceBytes
    private var block: [UInt8] = []
    private var used = 0

    /// The next nonce.
    mutating func next() throws -> ArraySlice<UInt8> {
        if used == block.count { try refill() }
        defer { used += Keyring.nonceBytes }
        return block[used..<used + Keyring.nonceBytes]
    }

    private mutating func refill() throws {
        var fresh = [UInt8](repeating: 0, count: Self.blockBytes)
        guard getentropy(&fresh, fresh.count) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        block = fresh
        used = 0
    }
}
