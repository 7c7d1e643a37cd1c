internal import COpenSSL

/// Message authentication codes by a hash function (RFC 2104, FIPS 198-1) under one key.
///
/// Two contexts of the hash function have taken in the key. They are copied for each message, which costs less than
/// OpenSSL's own HMAC (docs/decisions/0067-openssl-in-place-of-swift-crypto.md).
public final class HMAC: Sendable {
    /// The hash function of a code.
    public enum Hash: Sendable {
        case sha256
        /// For the one-time codes of authenticator apps alone, which know no other (RFC 6238).
        case sha1

        /// Bytes of a code.
        fileprivate var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha1: 20
            }
        }

        /// OpenSSL's description.
        fileprivate var algorithm: OpaquePointer? {
            switch self {
            case .sha256: SHA256.algorithm
            case .sha1: HMAC.sha1
            }
        }
    }

    // OpenSSL's description of the hash function, which is never changed and never freed.
    private nonisolated(unsafe) static let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
    /// Bytes that both hash functions take in at a time.
    private static let blockBytes = 64
    /// Bytes of the longest code.
    private static let codeBytesMax = 32

    private let hash: Hash
    // Made in `init`, freed in `deinit`, and never changed between: any thread may copy them.
    private nonisolated(unsafe) let inner: OpaquePointer
    // As `inner`.
    private nonisolated(unsafe) let outer: OpaquePointer
    /// For the copies.
    private let copies = ContextPool.ofHashes()

    /// Traps if OpenSSL is configured without the hash function or is out of memory.
    /// - Parameter key: of any length; 32 bytes are best.
    public init(_ hash: Hash = .sha256, key: SymmetricKey) {
        self.hash = hash
        do throws(CryptoFault) {
            (inner, outer) = try Self.contexts(hash, key)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    deinit {
        // OpenSSL wipes what the contexts have of the key.
        EVP_MD_CTX_free(inner)
        EVP_MD_CTX_free(outer)
    }

    /// The code of a message: 32 bytes with SHA-256, 20 with SHA-1. Compare two with `isEqualInConstantTime`.
    public func code(for message: some Sequence<UInt8>) -> [UInt8] {
        message.withBytes { withCode(for: $0) { Array($0) } }
    }

    /// Lends the code of a message until `body` returns. Traps if OpenSSL is out of memory.
    public func withCode<Result>(
        for message: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.codeBytesMax) { room in
            // A part of the memory, lent as that is; bytes may be read as bytes.
            let code = UnsafeMutableBufferPointer(rebasing: room[..<hash.byteCount])
            write(code, for: message)
            return body(UnsafeRawBufferPointer(code))
        }
    }

    private func write(_ code: UnsafeMutableBufferPointer<UInt8>, for message: UnsafeRawBufferPointer) {
        // Bytes may be read as bytes: the inner hash is what the outer one takes in.
        let inside = UnsafeRawBufferPointer(code)
        do throws(CryptoFault) {
            try copies.lend { copy throws(CryptoFault) in
                guard Self.finish(inner, with: message, into: code, copy),
                    Self.finish(outer, with: inside, into: code, copy)
                else { throw CryptoFault("authenticate with HMAC") }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Hashes bytes behind what a context has taken in, in a copy of it.
    private static func finish(
        _ begun: OpaquePointer, with bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableBufferPointer<UInt8>,
        _ copy: OpaquePointer
    ) -> Bool {
        var written: UInt32 = 0
        return EVP_MD_CTX_copy_ex(copy, begun) == 1
            && EVP_DigestUpdate(copy, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestFinal_ex(copy, hash.baseAddress, &written) == 1 && written == hash.count
    }

    /// The contexts that have taken in the key, as RFC 2104, 2 says. A key that is longer than a block is hashed first.
    private static func contexts(
        _ hash: Hash, _ key: SymmetricKey
    ) throws(CryptoFault) -> (inner: OpaquePointer, outer: OpaquePointer) {
        let block = SecretBytes(capacity: blockBytes) { block in
            key.withUnsafeBytes { key in
                guard key.count > blockBytes else {
                    block.copyMemory(from: key)
                    return blockBytes
                }
                // Bytes may be written as bytes; the block is longer than a hash.
                let start = block.assumingMemoryBound(to: UInt8.self).baseAddress
                return EVP_Digest(key.baseAddress, key.count, start, nil, hash.algorithm, nil) == 1 ? blockBytes : 0
            }
        }
        guard block.count == blockBytes else { throw CryptoFault("hash a key") }
        let inner = try context(hash, block, with: 0x36)
        do throws(CryptoFault) {
            return (inner, try context(hash, block, with: 0x5C))
        } catch {
            EVP_MD_CTX_free(inner)
            throw error
        }
    }

    /// A context that has taken in the block, each byte of it combined with another one.
    private static func context(
        _ hash: Hash, _ block: SecretBytes, with pad: UInt8
    ) throws(CryptoFault) -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { throw CryptoFault("make a context of a hash") }
        let isReady = withUnsafeTemporaryAllocation(byteCount: blockBytes, alignment: 1) { padded in
            // Wiped whatever becomes of it: the memory is of the stack.
            defer { wipe(padded) }
            block.withBytes { block in for (index, byte) in block.enumerated() { padded[index] = byte ^ pad } }
            return EVP_DigestInit_ex(context, hash.algorithm, nil) == 1
                && EVP_DigestUpdate(context, padded.baseAddress, padded.count) == 1
        }
        guard isReady else {
            EVP_MD_CTX_free(context)
            throw CryptoFault("prepare HMAC")
        }
        return context
    }
}
