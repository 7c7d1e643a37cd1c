internal import COpenSSL

/// OpenSSL's form of a public or private key, with what all algorithms of signatures have in common.
final class KeyHandle: Sendable {
    // Set in `init`, freed in `deinit`, and the key is never changed: any number of threads may use it at once.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Takes a key over from OpenSSL; nil = it gave none.
    init?(_ key: OpaquePointer?) {
        guard let key else {
            forgetErrors()
            return nil
        }
        self.key = key
    }

    /// Reads a public key.
    /// - Parameter info: a `SubjectPublicKeyInfo` in DER (RFC 5280, 4.1), in its one canonical spelling: OpenSSL also
    ///   reads BER.
    /// - Returns: nil = it is none, or of an algorithm that OpenSSL does not know.
    convenience init?(publicKeyInfo info: [UInt8]) {
        let key = info.withUnsafeBufferPointer { info in
            // OpenSSL moves it behind what it has read.
            var next = info.baseAddress
            return d2i_PUBKEY_ex(nil, &next, info.count, nil, nil)
        }
        self.init(key)
        guard publicKeyInfo == info else {
            forgetErrors()
            return nil
        }
    }

    deinit { EVP_PKEY_free(key) }

    /// The public key as `SubjectPublicKeyInfo` in DER; nil = OpenSSL does not write it.
    private var publicKeyInfo: [UInt8]? {
        let count = Int(i2d_PUBKEY(key, nil))
        guard count > 0 else { return nil }
        var written = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            // OpenSSL moves it behind what it has written.
            var next = bytes.baseAddress
            written = Int(i2d_PUBKEY(key, &next))
            filled = max(written, 0)
        }
        return written == count ? bytes : nil
    }

    /// Whether it is a key for an algorithm, by OpenSSL's name.
    func isFor(_ algorithm: String) -> Bool { EVP_PKEY_is_a(key, algorithm) == 1 }

    /// Bits of an RSA key's modulus.
    var bitCount: Int { Int(EVP_PKEY_get_bits(key)) }

    /// Whether OpenSSL finds the public key valid: for a curve, that the point is on it.
    var isValid: Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            forgetErrors()
            return false
        }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_public_check(context) == 1 else {
            forgetErrors()
            return false
        }
        return true
    }

    /// Whether a number of the key, by OpenSSL's name, is odd and of so many bits.
    func hasOdd(_ number: String, bits: ClosedRange<Int>) -> Bool {
        var value: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, number, &value) == 1, let value else {
            forgetErrors()
            return false
        }
        defer { BN_free(value) }
        return BN_is_odd(value) == 1 && bits.contains(Int(BN_num_bits(value)))
    }

    // MARK: Signatures

    /// Whether the key made a signature.
    /// - Parameters:
    ///   - signature: in the algorithm's form.
    ///   - hash: OpenSSL's name of the hash function; nil = the algorithm has its own.
    ///   - padding: of RSA; nil = the algorithm has none.
    func isValidSignature(
        _ signature: some Sequence<UInt8>, for message: some Sequence<UInt8>, hash: String?, padding: CInt? = nil
    ) -> Bool {
        let (signature, message) = (Array(signature), Array(message))
        guard let context = EVP_MD_CTX_new() else {
            forgetErrors()
            return false
        }
        defer { EVP_MD_CTX_free(context) }
        // It belongs to `context`.
        var settings: OpaquePointer?
        guard EVP_DigestVerifyInit_ex(context, &settings, hash, nil, nil, key, nil) == 1,
            padding.map({ EVP_PKEY_CTX_set_rsa_padding(settings, $0) == 1 }) ?? true,
            EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        else {
            forgetErrors()
            return false
        }
        return true
    }

    /// Signs with the hash function that the algorithm has.
    /// - Parameter byteCount: of a signature.
    func signature(for message: some Sequence<UInt8>, byteCount: Int) throws(CryptoFault) -> [UInt8] {
        let message = Array(message)
        guard let context = EVP_MD_CTX_new() else { throw CryptoFault("make a context of a signature") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: byteCount)
        var written = byteCount
        guard EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil) == 1,
            EVP_DigestSign(context, &signature, &written, message, message.count) == 1, written == byteCount
        else { throw CryptoFault("sign") }
        return signature
    }

    // MARK: Bytes of keys on Edwards curves

    /// The bytes of the public key; nil = the algorithm has none of that length.
    func publicBytes(_ byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var written = byteCount
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &written) == 1, written == byteCount else {
            forgetErrors()
            return nil
        }
        return bytes
    }
}
