internal import COpenSSL

/// The hash function SHA-256 (FIPS 180-4, RFC 6234).
public enum SHA256 {
    /// The 32 bytes of a hash. Two are compared in constant time.
    public struct Digest: Hashable, Sendable, RandomAccessCollection {
        private let bytes: [UInt8]

        fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

        public var startIndex: Int { 0 }
        public var endIndex: Int { bytes.count }
        public subscript(position: Int) -> UInt8 { bytes[position] }

        public static func == (left: Self, right: Self) -> Bool { isEqualInConstantTime(left.bytes, right.bytes) }
    }

    private static let byteCount = 32

    private static let contexts = ContextPool.ofHashes()

    // OpenSSL's description of the algorithm: looked up once, which takes longer than hashing a short text. It is never
    // changed and never freed.
    nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// The hash of the bytes. Traps if OpenSSL is configured without SHA-256 or is out of memory.
    public static func hash(data: some Sequence<UInt8>) -> Digest {
        data.withBytes { data in
            let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
                do throws(CryptoFault) {
                    try contexts.lend { context throws(CryptoFault) in
                        guard EVP_DigestInit_ex(context, algorithm, nil) == 1,
                            EVP_DigestUpdate(context, data.baseAddress, data.count) == 1,
                            EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1
                        else { throw CryptoFault("hash with SHA-256") }
                    }
                } catch {
                    preconditionFailure("\(error)")
                }
                count = byteCount
            }
            return Digest(bytes)
        }
    }
}
