internal import COpenSSL

/// The cipher AES (FIPS 197), in the one mode that is used.
public enum AES {
    /// Seals and opens with AES in Galois/Counter Mode (NIST SP 800-38D) under one key, with nonces of 96 bits and tags
    /// of 128.
    ///
    /// A key of 16 bytes makes it AES-128, one of 32 bytes AES-256; with any other it seals and opens nothing. The text
    /// of one call has less than 2 GiB.
    ///
    /// A nonce is never used twice with one key: that would reveal both texts and the key of the tags. Random nonces
    /// are for at most 2^31 texts of one key.
    public final class GCM: Sendable {
        /// Bytes of a nonce.
        public static let nonceBytes = 12
        /// Bytes of a tag, which stands behind the ciphertext.
        public static let tagBytes = 16

        private let sealing: ContextPool
        private let opening: ContextPool

        // OpenSSL's descriptions of the algorithms: looked up once, which takes longer than sealing a short text. They
        // are never changed and never freed.
        private nonisolated(unsafe) static let aes128 = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
        // As `aes128`.
        private nonisolated(unsafe) static let aes256 = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

        /// The key is expanded at the first use, not here.
        public init(_ key: SymmetricKey) {
            // OpenSSL wipes the expanded key.
            let free = { @Sendable (context: OpaquePointer) in EVP_CIPHER_CTX_free(context) }
            sealing = ContextPool(
                make: { () throws(CryptoFault) in try Self.makeContext(key, isSealing: 1) }, free: free)
            opening = ContextPool(
                make: { () throws(CryptoFault) in try Self.makeContext(key, isSealing: 0) }, free: free)
        }

        /// Seals the text in place.
        /// - Parameters:
        ///   - tag: destination of the tag, `tagBytes` long.
        ///   - nonce: `nonceBytes` long, never used before under this key.
        ///   - bound: additional authenticated data: the text opens only with the same bytes.
        public func seal(
            _ text: UnsafeMutableBufferPointer<UInt8>, tag: UnsafeMutableBufferPointer<UInt8>,
            nonce: UnsafeBufferPointer<UInt8>, authenticating bound: UnsafeBufferPointer<UInt8>
        ) throws(CryptoFault) {
            precondition(nonce.count == Self.nonceBytes, "a nonce has 96 bits")
            precondition(tag.count == Self.tagBytes, "a tag has 128 bits")
            try sealing.lend { context throws(CryptoFault) in
                guard Self.seal(text, tag: tag, nonce: nonce, authenticating: bound, with: context) else {
                    throw CryptoFault("seal with AES-GCM")
                }
            }
        }

        /// Opens a ciphertext. The tag is compared in constant time.
        /// - Parameters:
        ///   - plain: destination of the text, as long as the ciphertext. Wiped if the result is false.
        ///   - tag: `tagBytes` long.
        ///   - nonce: `nonceBytes` long.
        /// - Returns: false = a bit of ciphertext, tag, nonce or bound bytes is not as it was sealed, or the key is
        ///   another one.
        public func open(
            _ sealed: UnsafeBufferPointer<UInt8>, into plain: UnsafeMutableBufferPointer<UInt8>,
            tag: UnsafeBufferPointer<UInt8>, nonce: UnsafeBufferPointer<UInt8>,
            authenticating bound: UnsafeBufferPointer<UInt8>
        ) throws(CryptoFault) -> Bool {
            precondition(plain.count == sealed.count, "a text is as long as its ciphertext")
            precondition(nonce.count == Self.nonceBytes, "a nonce has 96 bits")
            precondition(tag.count == Self.tagBytes, "a tag has 128 bits")
            let isOpen = try opening.lend { context throws(CryptoFault) in
                Self.open(sealed, into: plain, tag: tag, nonce: nonce, authenticating: bound, with: context)
            }
            guard !isOpen else { return true }
            // Bytes may be written as bytes. What was decrypted before the tag was compared is nobody's to see.
            wipe(UnsafeMutableRawBufferPointer(plain))
            forgetErrors()
            return false
        }

        /// An empty text makes no call: OpenSSL would take a text without an address as additional authenticated data.
        private static func seal(
            _ text: UnsafeMutableBufferPointer<UInt8>, tag: UnsafeMutableBufferPointer<UInt8>,
            nonce: UnsafeBufferPointer<UInt8>, authenticating bound: UnsafeBufferPointer<UInt8>,
            with context: OpaquePointer
        ) -> Bool {
            var written: CInt = 0
            guard EVP_EncryptInit_ex(context, nil, nil, nil, nonce.baseAddress) == 1,
                bound.isEmpty
                    || EVP_EncryptUpdate(context, nil, &written, bound.baseAddress, CInt(bound.count)) == 1,
                text.isEmpty
                    || EVP_EncryptUpdate(context, text.baseAddress, &written, text.baseAddress, CInt(text.count)) == 1,
                EVP_EncryptFinal_ex(context, tag.baseAddress, &written) == 1
            else { return false }
            return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), tag.baseAddress) == 1
        }

        /// OpenSSL takes the expected tag from a pointer that is not const, and does not write there.
        private static func open(
            _ sealed: UnsafeBufferPointer<UInt8>, into plain: UnsafeMutableBufferPointer<UInt8>,
            tag: UnsafeBufferPointer<UInt8>, nonce: UnsafeBufferPointer<UInt8>,
            authenticating bound: UnsafeBufferPointer<UInt8>, with context: OpaquePointer
        ) -> Bool {
            var written: CInt = 0
            // Lent for this call, as all of them are.
            let expected = UnsafeMutableRawPointer(mutating: tag.baseAddress)
            return EVP_DecryptInit_ex(context, nil, nil, nil, nonce.baseAddress) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), expected) == 1
                && (bound.isEmpty
                    || EVP_DecryptUpdate(context, nil, &written, bound.baseAddress, CInt(bound.count)) == 1)
                && (sealed.isEmpty
                    || EVP_DecryptUpdate(
                        context, plain.baseAddress, &written, sealed.baseAddress, CInt(sealed.count)) == 1)
                && EVP_DecryptFinal_ex(context, nil, &written) == 1
        }

        private static func makeContext(_ key: SymmetricKey, isSealing: CInt) throws(CryptoFault) -> OpaquePointer {
            let algorithm: OpaquePointer?
            switch key.count {
            case 16: algorithm = aes128
            case 32: algorithm = aes256
            default: throw CryptoFault("prepare AES-GCM", cause: "a key has 16 or 32 bytes, not \(key.count)")
            }
            guard let algorithm, let context = EVP_CIPHER_CTX_new() else {
                throw CryptoFault("make a context of AES-GCM")
            }
            let isReady = key.withUnsafeBytes { key in
                // Bytes may be read as bytes.
                let bytes = key.assumingMemoryBound(to: UInt8.self).baseAddress
                return EVP_CipherInit_ex(context, algorithm, nil, bytes, nil, isSealing)
            }
            guard isReady == 1 else {
                EVP_CIPHER_CTX_free(context)
                throw CryptoFault("prepare AES-GCM")
            }
            return context
        }
    }
}
