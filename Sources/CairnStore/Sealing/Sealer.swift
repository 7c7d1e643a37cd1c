internal import COpenSSL
internal import Crypto
internal import Synchronization

/// Seals with AES-256-GCM under one key, by the system's OpenSSL.
///
/// Swift Crypto expands the key for each value and copies ciphertext and tag through several buffers, which costs more
/// than the cipher (docs/decisions/0003-group-commit.md). Here a context keeps the expanded key, and the result is
/// written in place.
final class Sealer: Sendable {
    static let tagBytes = 16

    /// OpenSSL's context of the cipher with the key in it.
    private struct Context: @unchecked Sendable {
        // @unchecked because a pointer is not Sendable: the thread that takes a context out of `idle` is alone with it.
        let pointer: OpaquePointer
    }

    private let key: SymmetricKey
    /// Idle contexts. Their number is the largest number of threads that have sealed at the same time.
    private let idle = Mutex<[Context]>([])

    init(_ key: SymmetricKey) {
        self.key = key
    }

    deinit {
        // OpenSSL wipes the expanded key.
        idle.withLock { for context in $0 { EVP_CIPHER_CTX_free(context.pointer) } }
    }

    /// Seals the text in place.
    /// - Parameters:
    ///   - tag: destination of the tag, `tagBytes` long.
    ///   - nonce: never used before under this key.
    ///   - bound: additional authenticated data: the value opens only with the same bytes.
    func seal(
        _ text: UnsafeMutableBufferPointer<UInt8>, tag: UnsafeMutableBufferPointer<UInt8>,
        nonce: UnsafeBufferPointer<UInt8>, authenticating bound: UnsafeBufferPointer<UInt8>
    ) throws {
        precondition(nonce.count == Keyring.nonceBytes, "a nonce has 96 bits")
        precondition(tag.count == Self.tagBytes, "a tag has 128 bits")
        let context = try idle.withLock { $0.popLast() } ?? makeContext()
        defer { idle.withLock { $0.append(context) } }
        guard Self.seal(text, tag: tag, nonce: nonce, authenticating: bound, with: context.pointer) else {
            throw Fault()
        }
    }

    /// An empty text makes no call: OpenSSL would take a text without an address as additional authenticated data.
    private static func seal(
        _ text: UnsafeMutableBufferPointer<UInt8>, tag: UnsafeMutableBufferPointer<UInt8>,
        nonce: UnsafeBufferPointer<UInt8>, authenticating bound: UnsafeBufferPointer<UInt8>,
        with context: OpaquePointer
    ) -> Bool {
        var written: CInt = 0
        guard EVP_EncryptInit_ex(context, nil, nil, nil, nonce.baseAddress) == 1,
            EVP_EncryptUpdate(context, nil, &written, bound.baseAddress, CInt(bound.count)) == 1,
            text.isEmpty
                || EVP_EncryptUpdate(context, text.baseAddress, &written, text.baseAddress, CInt(text.count)) == 1,
            EVP_EncryptFinal_ex(context, tag.baseAddress, &written) == 1
        else { return false }
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), tag.baseAddress) == 1
    }

    private func makeContext() throws -> Context {
        guard key.bitCount == 256, let pointer = EVP_CIPHER_CTX_new() else { throw Fault() }
        let isReady = key.withUnsafeBytes { key in
            EVP_EncryptInit_ex(pointer, EVP_aes_256_gcm(), nil, key.baseAddress, nil)
        }
        guard isReady == 1 else {
            EVP_CIPHER_CTX_free(pointer)
            throw Fault()
        }
        return Context(pointer: pointer)
    }

    /// The key does not fit the cipher, or OpenSSL has failed: it is out of memory, or configured without the cipher.
    struct Fault: Error, CustomStringConvertible {
        var description: String { "OpenSSL does not seal with AES-256-GCM" }
    }
}
