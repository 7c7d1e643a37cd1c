internal import Foundation

/// Bytes that are wiped when their last owner lets go of them, and that no description shows (DAT-8).
final class SecretBytes: Sendable {
    // Allocated and filled in `init`, never written afterwards, freed in `deinit`: any thread may read it.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter fill: writes into the buffer and returns how many bytes it wrote; what is behind them stays unused.
    init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
        // One byte at least, so that an empty secret has an address.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(capacity, 1), alignment: 1)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        count = min(fill(buffer), capacity)
        bytes = buffer
    }

    deinit {
        wipe(bytes)
        bytes.deallocate()
    }

    /// How many bytes the secret has.
    let count: Int

    /// Lends the bytes until `body` returns.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Lent, and only for reading.
        body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
}

/// Overwrites memory with zeros. The compiler may not leave it out.
func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let start = buffer.baseAddress else { return }
    explicit_bzero(start, buffer.count)
}

/// Whether both have the same bytes. The time depends on the lengths alone, which are no secret (DAT-8).
func isEqualInConstantTime(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
    let (left, right) = (Array(left), Array(right))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
