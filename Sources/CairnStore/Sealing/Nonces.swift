internal import Foundation

/// Random nonces, each used once. One call into the kernel, at its maximum size, gives nonces for 21 values. A call for
/// each nonce would take half as long as the sealing.
struct Nonces: Sendable {
    private static let blockBytes = 21 * Keyring.nonceBytes
    private var block: [UInt8] = []
    private var used = 0

    /// Writes the next nonce.
    mutating func next(into room: UnsafeMutableBufferPointer<UInt8>) throws {
        if used == block.count { try refill() }
        _ = room.initialize(fromContentsOf: block[used..<used + Keyring.nonceBytes])
        used += Keyring.nonceBytes
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
