import COpenSSL
import Testing

@testable import CairnCrypto

@Suite("Secrets")
struct SecretsTests {
    @Test func wipedMemory_isZero() {
        var bytes = [UInt8](repeating: 7, count: 100)
        bytes.withUnsafeMutableBytes { wipe(UnsafeMutableRawBufferPointer(rebasing: $0[10..<90])) }
        #expect(bytes == [UInt8](repeating: 7, count: 10) + [UInt8](repeating: 0, count: 80) + bytes.suffix(10))
        #expect(bytes.suffix(10).allSatisfy { $0 == 7 })
    }

    @Test func bytes_areEqualInAllOfThemOrNot() {
        let bytes = Array(UInt8(0)..<20)
        #expect(isEqualInConstantTime(bytes, ([9] + bytes).dropFirst()))
        for other in bytes.withOneBitFlipped { #expect(!isEqualInConstantTime(bytes, other)) }
        #expect(!isEqualInConstantTime(bytes, bytes.dropLast()))
        #expect(!isEqualInConstantTime(bytes, bytes + [0]))
        #expect(isEqualInConstantTime([], "".utf8) && !isEqualInConstantTime([], [0]))
    }

    @Test func keys_areEqualByTheirBytes() {
        let bytes = Array(UInt8(0)..<32)
        let key = SymmetricKey(data: bytes)
        #expect(key == SymmetricKey(data: bytes) && key.count == 32)
        #expect(key.withUnsafeBytes { Array($0) } == bytes)
        for other in bytes.withOneBitFlipped { #expect(SymmetricKey(data: other) != key) }
        #expect(SymmetricKey(data: bytes.dropLast()) != key)
        #expect(SymmetricKey(data: []) == SymmetricKey(data: []))
    }

    @Test func noDescriptionOfAKey_showsIt() {
        let key = SymmetricKey(data: "geheim".utf8)
        var dumped = ""
        dump([key], to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", dumped] {
            #expect(!text.contains("geheim") && !text.contains("103"), "\(text)")
        }
    }

    /// One call of the kernel gives 256 bytes; more come from several.
    @Test(arguments: [0, 1, 32, 255, 256, 257, 1_000]) func randomBytes_areNeverTheSame(count: Int) {
        let (bytes, others) = (randomBytes(count), randomBytes(count))
        #expect(bytes.count == count && others.count == count)
        // Two of 32 bytes are the same once in 2^256.
        for start in stride(from: 0, to: count - 31, by: 32) {
            #expect(bytes[start..<start + 32] != others[start..<start + 32])
        }
        var zeros = [UInt8](repeating: 0, count: count)
        zeros.withUnsafeMutableBytes { fillWithRandomBytes($0, count: count) }
        for start in stride(from: 0, to: count - 31, by: 32) {
            #expect(!zeros[start..<start + 32].allSatisfy { $0 == 0 }, "up to the end")
        }
        #expect(SymmetricKey.random() != SymmetricKey.random())
        #expect(SymmetricKey.random().count == SymmetricKey.byteCount)
    }

    /// A TLS connection of the same thread would take what is left there for its own failure.
    @Test func refusals_leaveNothingInTheThreadsQueueOfErrors() throws {
        let cipher = AES.GCM(SymmetricKey(data: randomBytes(32)))
        #expect(cipher.open(randomBytes(64), authenticating: []) == nil)
        #expect(ERR_peek_error() == 0)
        #expect(Ed25519.PublicKey(rawRepresentation: randomBytes(32))?.isValidSignature([1], for: [2]) != true)
        #expect(ERR_peek_error() == 0)
        #expect(P256.PublicKey(rawRepresentation: [UInt8](repeating: 1, count: 64)) == nil)
        #expect(ERR_peek_error() == 0)
        for text in [TestKeys.p384, TestKeys.rsa1024, TestKeys.rsaPSS, TestKeys.p256Explicit] {
            #expect(RSA.PublicKey(pem: text) == nil)
            #expect(P256.PublicKey(pem: text) == nil)
            #expect(ERR_peek_error() == 0)
        }
        let rsa = try #require(RSA.PublicKey(pem: TestKeys.rsa))
        #expect(!rsa.isValidSignature(randomBytes(256), for: [1]))
        #expect(!rsa.isValidSignature(randomBytes(3), for: [1]))
        #expect(ERR_peek_error() == 0)
        let p256 = try #require(P256.PublicKey(pem: TestKeys.p256))
        #expect(!p256.isValidSignature(randomBytes(64), for: [1]))
        #expect(!p256.isValidSignature([UInt8](repeating: 0, count: 64), for: [1]))
        #expect(ERR_peek_error() == 0)
    }

    @Test func fault_takesTheReasonAndEmptiesTheQueue() {
        #expect(EVP_MD_fetch(nil, "NO-SUCH-HASH", nil) == nil)
        #expect(ERR_peek_error() != 0)
        let fault = CryptoFault("hash")
        #expect(fault.description == "crypto: hash: unsupported")
        #expect(ERR_peek_error() == 0)
        #expect(CryptoFault("hash").cause == "OpenSSL gives no reason")
    }
}
