import Foundation
import Testing

@testable import CairnCrypto

@Suite("RSA")
struct RSATests {
    private static func base64(_ text: String) -> [UInt8] {
        let letters = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
        return Data(base64Encoded: letters + padding).map { Array($0) } ?? []
    }

    /// RFC 7515, A.2: key, message and signature of a JSON Web Signature.
    private static let n = base64(
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ"
            + "S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTB"
            + "EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91"
            + "kzk2PAcDTW9gb54h4FRWyuXpoQ")
    private static let e: [UInt8] = [1, 0, 1]
    private static let message = Array(
        ("eyJhbGciOiJSUzI1NiJ9."
            + "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ").utf8)
    private static let signature = base64(
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU"
            + "Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOL"
            + "n6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVm"
            + "tVrBp0igcN_IoypGlUPQGe77Rw")

    @Test func signatureOfTheStandard_isValid() throws {
        let key = try #require(RSA.PublicKey(n: Self.n, e: Self.e))
        #expect(key.bitCount == 2_048)
        #expect(key.isValidSignature(Self.signature, for: Self.message))
        let padded = try #require(RSA.PublicKey(n: [0, 0] + Self.n, e: [0] + Self.e))
        #expect(padded.isValidSignature(Self.signature, for: Self.message), "leading zeros are nothing of a number")
    }

    @Test func oneChangedBit_isRefused() throws {
        let key = try #require(RSA.PublicKey(n: Self.n, e: Self.e))
        for signature in Self.signature.withOneBitFlipped {
            #expect(!key.isValidSignature(signature, for: Self.message))
        }
        for message in Self.message.withOneBitFlipped.prefix(64) {
            #expect(!key.isValidSignature(Self.signature, for: message))
        }
        for n in Self.n.withOneBitFlipped {
            #expect(RSA.PublicKey(n: n, e: Self.e)?.isValidSignature(Self.signature, for: Self.message) != true)
        }
        for e in Self.e.withOneBitFlipped {
            #expect(RSA.PublicKey(n: Self.n, e: e)?.isValidSignature(Self.signature, for: Self.message) != true)
        }
        #expect(key.isValidSignature(Self.signature, for: Self.message), "it is valid after all refusals")
    }

    @Test func otherLengths_areRefused() throws {
        let key = try #require(RSA.PublicKey(n: Self.n, e: Self.e))
        for length in [0, 1, 128, 255] { #expect(!key.isValidSignature(Self.signature[..<length], for: Self.message)) }
        #expect(!key.isValidSignature(Self.signature + [0], for: Self.message))
        #expect(!key.isValidSignature([0] + Self.signature, for: Self.message))
    }

    /// The number is below the modulus: it and the modulus together would be a second signature.
    @Test func signatureOfTheModulusAndMore_isRefused() throws {
        let key = try #require(RSA.PublicKey(n: Self.n, e: Self.e))
        #expect(!key.isValidSignature(Self.n, for: Self.message))
        #expect(!key.isValidSignature([UInt8](repeating: 0xFF, count: 256), for: Self.message))
        #expect(!key.isValidSignature([UInt8](repeating: 0, count: 256), for: Self.message))
    }

    // MARK: Sizes

    /// An odd number with so many bits.
    private static func modulus(bits: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0x5A, count: (bits + 7) / 8)
        bytes[0] = 1 << UInt8((bits - 1) % 8)
        bytes[bytes.count - 1] |= 1
        return bytes
    }

    @Test func sizeOfTheModulus_isBounded() {
        for bits in [512, 1_024, 2_047, 16_385, 32_768] {
            #expect(RSA.PublicKey(n: Self.modulus(bits: bits), e: Self.e) == nil, "\(bits) bits")
        }
        for bits in [2_048, 2_049, 3_072, 8_192, 8_193, 16_384] {
            #expect(RSA.PublicKey(n: Self.modulus(bits: bits), e: Self.e)?.bitCount == bits, "\(bits) bits")
        }
    }

    @Test func numbersThatAreNoKey_areRefused() {
        let even = Self.n.dropLast() + [Self.n[255] & 0xFE]
        #expect(RSA.PublicKey(n: even, e: Self.e) == nil)
        #expect(RSA.PublicKey(n: [], e: Self.e) == nil)
        for e: [UInt8] in [[], [0], [1], [2], [1, 0, 0], [2, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 1], Self.n] {
            #expect(RSA.PublicKey(n: Self.n, e: e) == nil, "\(e)")
        }
        for e: [UInt8] in [[3], [17], [1, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0, 1]] {
            #expect(RSA.PublicKey(n: Self.n, e: e) != nil, "\(e)")
        }
    }

    // MARK: Texts

    @Test func keyInPEM_checksSignaturesOfOnePaddingAndHash() throws {
        let key = try #require(RSA.PublicKey(pem: TestKeys.rsa))
        #expect(key.bitCount == 2_048)
        #expect(key.isValidSignature(Self.base64(TestKeys.rsaSignature), for: "message".utf8))
        #expect(!key.isValidSignature(Self.base64(TestKeys.rsaSignature), for: "messagf".utf8))
        #expect(!key.isValidSignature(Self.base64(TestKeys.rsaPSSSignature), for: "message".utf8))
        #expect(!key.isValidSignature(Self.base64(TestKeys.rsaSHA512Signature), for: "message".utf8))
    }

    @Test(arguments: [
        "", TestKeys.rsa1024, TestKeys.rsaPSS, TestKeys.rsaPKCS1, TestKeys.p256, TestKeys.x25519,
        TestKeys.rsaPKCS1.replacing("RSA PUBLIC", with: "PUBLIC"),
    ])
    func textOfNoSuchKey_isRefused(text: String) { #expect(RSA.PublicKey(pem: text) == nil) }

    /// OpenSSL also reads BER, in which one key has many spellings.
    @Test func keyInAnotherSpelling_isRefused() throws {
        let info = try #require(PEM.decode(TestKeys.rsa, label: "PUBLIC KEY"))
        #expect(info.starts(with: [0x30, 0x82, 0x01, 0x22]))
        let longer = [0x30, 0x83, 0x00, 0x01, 0x22] + info.dropFirst(4)
        let endless = [0x30, 0x80] + info.dropFirst(4) + [0, 0]
        for wrong in [longer, endless, info + [0], Array(info.dropLast())] {
            #expect(RSA.PublicKey(pem: PEM.encode(wrong, label: "PUBLIC KEY")) == nil)
        }
        #expect(RSA.PublicKey(pem: PEM.encode(info, label: "PUBLIC KEY")) != nil)
    }
}
