import COpenSSL
import Foundation

/// A private key of an app's backend. The server has public keys only, so it has nothing to sign with these.
final class SigningKey: Sendable {
    /// What OpenSSL did not do.
    struct Fault: Error {
        let operation: String
    }

    // Made in `init`, freed in `deinit`, and the key is never changed: any thread may sign with it.
    private nonisolated(unsafe) let key: OpaquePointer

    static func p256() throws -> SigningKey {
        try SigningKey("EC") { EVP_PKEY_CTX_set_group_name($0, "P-256") }
    }

    static func rsa(bits: Int32) throws -> SigningKey {
        try SigningKey("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, bits) }
    }

    private init(_ algorithm: String, _ prepare: (OpaquePointer) -> Int32) throws {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, algorithm, nil) else { throw Fault(operation: "begin") }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, prepare(context) == 1, EVP_PKEY_generate(context, &made) == 1,
            let made
        else { throw Fault(operation: "make a key") }
        key = made
    }

    deinit { EVP_PKEY_free(key) }

    var publicPEM: String { Self.text { PEM_write_bio_PUBKEY($0, key) } }

    var privatePEM: String { Self.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) } }

    /// A number of the key by OpenSSL's name, its highest byte first.
    func number(_ name: String, byteCount: Int) throws -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { throw Fault(operation: "get \(name)") }
        defer { BN_free(number) }
        return try Self.bytes(of: number, byteCount: byteCount)
    }

    /// A signature with SHA-256: for RSA with the padding of PKCS #1 v1.5, for P-256 in DER.
    func signature(for message: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Fault(operation: "begin") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
        var written = signature.count
        guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1,
            EVP_DigestSign(context, &signature, &written, message, message.count) == 1
        else { throw Fault(operation: "sign") }
        return Array(signature.prefix(written))
    }

    /// A signature of P-256 as a JSON Web Token has it: r and s, 32 bytes each (RFC 7518, 3.4).
    func ecdsaSignature(for message: [UInt8]) throws -> [UInt8] {
        let signature = try signature(for: message)
        let parsed = signature.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        guard let parsed else { throw Fault(operation: "read a signature") }
        defer { ECDSA_SIG_free(parsed) }
        guard let r = ECDSA_SIG_get0_r(parsed), let s = ECDSA_SIG_get0_s(parsed) else { throw Fault(operation: "read") }
        return try Self.bytes(of: r, byteCount: 32) + Self.bytes(of: s, byteCount: 32)
    }

    private static func bytes(of number: OpaquePointer, byteCount: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard BN_bn2binpad(number, &bytes, Int32(byteCount)) == byteCount else { throw Fault(operation: "write") }
        return bytes
    }

    /// What OpenSSL writes.
    private static func text(_ write: (OpaquePointer?) -> Int32) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(memory) }
        var letters = [UInt8](repeating: 0, count: 8_192)
        guard write(memory) == 1 else { return "" }
        let count = BIO_read(memory, &letters, Int32(letters.count))
        return String(decoding: letters.prefix(Int(max(count, 0))), as: UTF8.self)
    }
}
