internal import COpenSSL

/// Signatures by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2; RS256 of RFC 7518, 3.3).
public enum RSA {
    /// A key that signatures are checked with.
    public struct PublicKey: Sendable {
        /// Fewest bits of a modulus: a shorter one can be factored.
        public static let bitsMin = 2_048
        /// Most bits that OpenSSL computes with.
        private static let bitsMax = 16_384
        /// An even exponent, and 1, have no inverse. A longer one would make checks slow, and nobody has one.
        private static let exponentBits = 2...33
        /// rsaEncryption without parameters (RFC 3279, 2.3.1).
        private static let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]

        private let handle: KeyHandle

        /// - Parameters:
        ///   - n: the modulus, its highest byte first.
        ///   - e: the exponent, likewise.
        /// - Returns: nil = the modulus has fewer than `bitsMin` or more than 16,384 bits, or the numbers are no key.
        public init?(n: some Collection<UInt8>, e: some Collection<UInt8>) {
            let numbers = DER.sequence(DER.integer(n) + DER.integer(e))
            self.init(publicKeyInfo: DER.sequence(Self.algorithm + DER.bitString(numbers)))
        }

        /// - Parameter text: `-----BEGIN PUBLIC KEY-----` (RFC 3279, 2.3.1), for RSA in general: not RSASSA-PSS alone.
        /// - Returns: nil = it is no such key, or as above.
        public init?(pem text: String) {
            guard let info = PEM.decode(text, label: "PUBLIC KEY") else { return nil }
            self.init(publicKeyInfo: info)
        }

        private init?(publicKeyInfo info: [UInt8]) {
            guard let handle = KeyHandle(publicKeyInfo: info), handle.isFor("RSA"),
                handle.hasOdd("n", bits: Self.bitsMin...Self.bitsMax), handle.hasOdd("e", bits: Self.exponentBits)
            else { return nil }
            self.handle = handle
        }

        /// Bits of the modulus.
        public var bitCount: Int { handle.bitCount }

        /// Whether the private key made this signature of the message.
        public func isValidSignature(_ signature: some Sequence<UInt8>, for message: some Sequence<UInt8>) -> Bool {
            handle.isValidSignature(signature, for: message, hash: "SHA256", padding: RSA_PKCS1_PADDING)
        }
    }
}
