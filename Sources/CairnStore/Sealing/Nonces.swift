internal import CairnCrypto

/// Random nonces, each used once. One call into the kernel, at its maximum size, gives nonces for 21 values. A call for
/// each nonce would take half as long as the sealing.
struct Nonces: Sendable {
    private static let blockBytes = 21 * AES.GCM.nonceBytes
    private var block: [UInt8] = []
    private var used = 0

    /// Writes the next nonce.
    mutating func next(into room: UnsafeMutableBufferPointer<UInt8>) {
        if used == block.count { (block, used) = (randomBytes(Self.blockBytes), 0) }
        _ = room.initialize(fromContentsOf: block[used..<used + AES.GCM.nonceBytes])
        used += AES.GCM.nonceBytes
    }
}
