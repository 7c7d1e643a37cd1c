internal import COpenSSL

/// Bytes that are wiped when their last owner lets go of them, and that no description shows (DAT-8).
public final class SecretBytes: Sendable {
    // Allocated and filled in `init`, never written afterwards, freed in `deinit`: any thread may read it.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter fill: writes into the buffer and returns how many bytes it wrote; what is behind them stays unused.
    public init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
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
    public let count: Int

    /// Lends the bytes until `body` returns.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Lent, and only for reading.
        body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
}

/// Overwrites memory with zeros. The compiler may not leave it out.
public func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let start = buffer.baseAddress else { return }
    OPENSSL_cleanse(start, buffer.count)
}

/// Whether both have the same bytes. The time depends on the lengths alone, which are no secret (DAT-8).
public func isEqualInConstantTime(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
    left.withBytes { left in
        right.withBytes { right in
            left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}

extension Sequence<UInt8> {
    /// Lends the bytes in one piece until `body` returns: where they are, or as a copy.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Bytes may be read as bytes.
        let found = withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
        return found ?? Array(self).withUnsafeBytes(body)
    }
}
