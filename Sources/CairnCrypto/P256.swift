/// Signatures by ECDSA on the curve P-256 with SHA-256 (FIPS 186-5; ES256 of RFC 7518, 3.4).
public enum P256 {
    /// Bytes of a coordinate, and of each of a signature's two numbers.
    private static let numberBytes = 32

    /// A key that signatures are checked with.
    public struct PublicKey: Sendable {
        /// What stands before the point's coordinates in a `SubjectPublicKeyInfo` of the named curve, with the mark of
        /// a point that is not compressed (RFC 5480, 2).
        private static let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]

        private let handle: KeyHandle

        /// - Parameter bytes: the point's coordinates x and y, 32 bytes each.
        /// - Returns: nil = they do not have 64 bytes, or there is no such point on the curve.
        public init?(rawRepresentation bytes: some Sequence<UInt8>) {
            let bytes = Array(bytes)
            guard bytes.count == 2 * numberBytes, let handle = KeyHandle(publicKeyInfo: Self.head + bytes),
                handle.isValid
            else { return nil }
            self.handle = handle
        }

        /// - Parameter text: `-----BEGIN PUBLIC KEY-----` with the curve's name and a point that is not compressed.
        /// - Returns: nil = it is no such key, or there is no such point on the curve.
        public init?(pem text: String) {
            guard let info = PEM.decode(text, label: "PUBLIC KEY"), info.starts(with: Self.head) else { return nil }
            self.init(rawRepresentation: info.dropFirst(Self.head.count))
        }

        /// Whether the private key made this signature of the message.
        /// - Parameter signature: its numbers r and s, 32 bytes each.
        public func isValidSignature(_ signature: some Sequence<UInt8>, for message: some Sequence<UInt8>) -> Bool {
            let numbers = Array(signature)
            guard numbers.count == 2 * numberBytes else { return false }
            // OpenSSL wants them in DER (RFC 3279, 2.2.3).
            let signature = DER.sequence(DER.integer(numbers[..<numberBytes]) + DER.integer(numbers[numberBytes...]))
            return handle.isValidSignature(signature, for: message, hash: "SHA256")
        }
    }
}
