internal import Foundation

/// Bytes of the kernel's generator (getrandom(2)), for keys, nonces and secrets.
public func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
        // Bytes may be written as bytes; no others are there yet.
        fillWithRandomBytes(UnsafeMutableRawBufferPointer(memory), count: count)
        filled = count
    }
}

/// Writes `count` random bytes to the beginning of the memory. Traps if the kernel gives none: a key that can be
/// guessed is worse than a server that is down.
func fillWithRandomBytes(_ memory: UnsafeMutableRawBufferPointer, count: Int) {
    // The most that one call gives.
    let pieceBytes = 256
    for start in stride(from: 0, to: count, by: pieceBytes) {
        // Within the loan, which the caller makes.
        let piece = UnsafeMutableRawBufferPointer(rebasing: memory[start..<min(start + pieceBytes, count)])
        guard getentropy(piece.baseAddress, piece.count) == 0 else {
            preconditionFailure("the kernel gives no random bytes: \(String(cString: strerror(errno)))")
        }
    }
}
