/// Sealing and opening of whole arrays, where a copy does not matter.
extension AES.GCM {
    /// Seals under a random nonce.
    /// - Returns: nonce, ciphertext and tag, one behind the other.
    public func seal(
        _ plain: some Sequence<UInt8>, authenticating bound: some Sequence<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        let nonce = randomBytes(Self.nonceBytes)
        return nonce + (try seal(plain, nonce: nonce, authenticating: bound))
    }

    /// Seals under a nonce that was never used before with this key.
    /// - Parameter nonce: `nonceBytes` long.
    /// - Returns: ciphertext and tag, one behind the other.
    public func seal(
        _ plain: some Sequence<UInt8>, nonce: [UInt8], authenticating bound: some Sequence<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        let bound = Array(bound)
        var sealed = Array(plain)
        let textBytes = sealed.count
        sealed.append(contentsOf: repeatElement(0, count: Self.tagBytes))
        try sealed.withUnsafeMutableBufferPointer { sealed throws(CryptoFault) in
            // Two parts of the array, lent together.
            let text = UnsafeMutableBufferPointer(rebasing: sealed[..<textBytes])
            let tag = UnsafeMutableBufferPointer(rebasing: sealed[textBytes...])
            try nonce.withUnsafeBufferPointer { nonce throws(CryptoFault) in
                try bound.withUnsafeBufferPointer { bound throws(CryptoFault) in
                    try seal(text, tag: tag, nonce: nonce, authenticating: bound)
                }
            }
        }
        return sealed
    }

    /// Opens what `seal(_:authenticating:)` made; nil = it is damaged, or was sealed by another key or for other bytes.
    /// - Parameter sealed: nonce, ciphertext and tag.
    public func open(_ sealed: some Sequence<UInt8>, authenticating bound: some Sequence<UInt8>) -> [UInt8]? {
        sealed.withBytes { sealed in
            guard sealed.count >= Self.nonceBytes + Self.tagBytes else { return nil }
            // Parts of the sealed bytes, lent together; bytes may be read as bytes.
            let nonce = UnsafeRawBufferPointer(rebasing: sealed[..<Self.nonceBytes])
            let rest = UnsafeRawBufferPointer(rebasing: sealed[Self.nonceBytes...])
            return open(rest, nonce: nonce, authenticating: bound)
        }
    }

    /// Opens what `seal(_:nonce:authenticating:)` made; nil = as above, or the nonce is another one.
    /// - Parameter sealed: ciphertext and tag.
    public func open(
        _ sealed: some Sequence<UInt8>, nonce: [UInt8], authenticating bound: some Sequence<UInt8>
    ) -> [UInt8]? {
        sealed.withBytes { sealed in nonce.withBytes { open(sealed, nonce: $0, authenticating: bound) } }
    }

    private func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, authenticating bound: some Sequence<UInt8>
    ) -> [UInt8]? {
        let textBytes = sealed.count - Self.tagBytes
        guard textBytes >= 0, nonce.count == Self.nonceBytes else { return nil }
        return bound.withBytes { bound in
            // Bytes may be read as bytes: `bound`, `sealed` and `nonce` are lent until this returns.
            let (text, tag) = (sealed[..<textBytes], sealed[textBytes...])
            var isOpen = false
            let plain = [UInt8](unsafeUninitializedCapacity: textBytes) { plain, count in
                isOpen =
                    (try? open(
                        Self.bytes(text), into: UnsafeMutableBufferPointer(rebasing: plain[..<textBytes]),
                        tag: Self.bytes(tag), nonce: Self.bytes(nonce[...]), authenticating: Self.bytes(bound[...])))
                    ?? false
                count = isOpen ? textBytes : 0
            }
            return isOpen ? plain : nil
        }
    }

    private static func bytes(_ part: Slice<UnsafeRawBufferPointer>) -> UnsafeBufferPointer<UInt8> {
        // Bytes may be read as bytes; the part is lent by the caller.
        UnsafeRawBufferPointer(rebasing: part).assumingMemoryBound(to: UInt8.self)
    }
}
