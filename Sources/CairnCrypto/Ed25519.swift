internal import COpenSSL

/// Signatures on the curve edwards25519 (RFC 8032).
public enum Ed25519 {
    /// Bytes of a public key, and of a private one.
    public static let keyBytes = 32
    /// Bytes of a signature.
    public static let signatureBytes = 64

    /// OpenSSL's name.
    private static let name = "ED25519"

    /// A key that signatures are checked with.
    public struct PublicKey: Sendable {
        /// What stands before the key's bytes in a `SubjectPublicKeyInfo` (RFC 8410, 4).
        private static let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        private static let label = "PUBLIC KEY"

        private let handle: KeyHandle
        /// The key's 32 bytes (RFC 8032, 5.1.5).
        public let rawRepresentation: [UInt8]

        /// - Returns: nil = it does not have 32 bytes.
        public init?(rawRepresentation bytes: some Sequence<UInt8>) {
            let bytes = Array(bytes)
            guard bytes.count == keyBytes,
                let handle = KeyHandle(EVP_PKEY_new_raw_public_key_ex(nil, name, nil, bytes, bytes.count))
            else { return nil }
            (self.handle, rawRepresentation) = (handle, bytes)
        }

        /// - Parameter text: `-----BEGIN PUBLIC KEY-----` (RFC 8410, 4).
        /// - Returns: nil = it is no such key.
        public init?(pem text: String) {
            guard let info = PEM.decode(text, label: Self.label), info.starts(with: Self.head) else { return nil }
            self.init(rawRepresentation: info.dropFirst(Self.head.count))
        }

        /// The text that `init(pem:)` reads, without a line break behind it.
        public var pem: String { PEM.encode(Self.head + rawRepresentation, label: Self.label) }

        /// Whether the private key made this signature of the message.
        public func isValidSignature(_ signature: some Sequence<UInt8>, for message: some Sequence<UInt8>) -> Bool {
            handle.isValidSignature(signature, for: message, hash: nil)
        }
    }

    /// A key that signs. OpenSSL wipes it when the last copy is gone.
    public struct PrivateKey: Sendable {
        /// What stands before the key's bytes in a `PrivateKeyInfo` (RFC 8410, 7).
        private static let head: [UInt8] = [
            0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
        ]
        private static let label = "PRIVATE KEY"

        private let handle: KeyHandle
        private let bytes: SymmetricKey
        /// The public key of the pair.
        public let publicKey: PublicKey

        /// A new random key. Traps if OpenSSL is configured without the algorithm or is out of memory.
        public init() {
            guard let key = Self(bytes: .random()) else {
                preconditionFailure(CryptoFault("make an Ed25519 key", cause: "OpenSSL gives none").description)
            }
            self = key
        }

        /// - Parameter text: `-----BEGIN PRIVATE KEY-----` of a key that is not encrypted (RFC 8410, 7), without its
        ///   public key.
        /// - Returns: nil = it is no such key.
        public init?(pem text: String) {
            guard let info = PEM.decode(text, label: Self.label), info.starts(with: Self.head) else { return nil }
            self.init(bytes: SymmetricKey(data: info.dropFirst(Self.head.count)))
        }

        private init?(bytes: SymmetricKey) {
            guard bytes.count == keyBytes else { return nil }
            let key = bytes.withUnsafeBytes { bytes in
                // Bytes may be read as bytes.
                let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
                return EVP_PKEY_new_raw_private_key_ex(nil, name, nil, start, bytes.count)
            }
            guard let handle = KeyHandle(key), let raw = handle.publicBytes(keyBytes),
                let publicKey = PublicKey(rawRepresentation: raw)
            else { return nil }
            (self.handle, self.bytes, self.publicKey) = (handle, bytes, publicKey)
        }

        /// The text that `init(pem:)` reads, without a line break behind it. Swift cannot wipe it.
        public var pem: String {
            PEM.encode(Self.head + bytes.withUnsafeBytes { Array($0) }, label: Self.label)
        }

        /// The 64 bytes of the signature, always the same for one message.
        public func signature(for message: some Sequence<UInt8>) throws(CryptoFault) -> [UInt8] {
            try handle.signature(for: message, byteCount: signatureBytes)
        }
    }
}
