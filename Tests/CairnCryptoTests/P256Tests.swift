import Foundation
import Testing

@testable import CairnCrypto

@Suite("P-256")
struct P256Tests {
    /// A key, a message and its signature.
    struct Known: Sendable {
        let point: [UInt8]
        let message: String
        let signature: [UInt8]

        var key: P256.PublicKey? { P256.PublicKey(rawRepresentation: point) }
    }

    private static let key6979 = [UInt8](
        hex: """
            60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6
            7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
            """)

    /// RFC 6979, A.2.5, and the JSON Web Signature of RFC 7515, A.3.
    private static let known = [
        Known(
            point: key6979, message: "sample",
            signature: [UInt8](
                hex: """
                    efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716
                    f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
                    """)),
        Known(
            point: key6979, message: "test",
            signature: [UInt8](
                hex: """
                    f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367
                    019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083
                    """)),
        Known(
            point: base64("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ=="),
            message: "eyJhbGciOiJFUzI1NiJ9."
                + "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
            signature: base64(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6+Xx+F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3+Kg6NU1Q==")),
    ]

    private static func base64(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }

    @Test(arguments: known) func signatureOfTheStandard_isValid(known: Known) throws {
        #expect(try #require(known.key).isValidSignature(known.signature, for: known.message.utf8))
    }

    @Test func oneChangedBit_isRefused() throws {
        let known = Self.known[0]
        let (key, message) = (try #require(known.key), Array(known.message.utf8))
        for signature in known.signature.withOneBitFlipped {
            #expect(!key.isValidSignature(signature, for: message))
        }
        for message in message.withOneBitFlipped { #expect(!key.isValidSignature(known.signature, for: message)) }
        for point in known.point.withOneBitFlipped {
            #expect(P256.PublicKey(rawRepresentation: point) == nil, "a point that is not on the curve")
        }
        #expect(key.isValidSignature(known.signature, for: message), "it is valid after all refusals")
    }

    /// FIPS 186-5, 6.4.2: both numbers are from 1 to the order of the group less 1.
    @Test func numbersOutOfBounds_areRefused() throws {
        let known = Self.known[0]
        let key = try #require(known.key)
        let (r, s) = (Array(known.signature[..<32]), Array(known.signature[32...]))
        let order = [UInt8](hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let zero = [UInt8](repeating: 0, count: 32)
        let one: [UInt8] = zero.dropLast() + [1]
        let most = [UInt8](repeating: 0xFF, count: 32)
        for wrong in [zero, one, order, most] {
            #expect(!key.isValidSignature(wrong + s, for: known.message.utf8))
            #expect(!key.isValidSignature(r + wrong, for: known.message.utf8))
            #expect(!key.isValidSignature(wrong + wrong, for: known.message.utf8))
        }
    }

    @Test func otherLengths_areRefused() throws {
        let known = Self.known[0]
        let key = try #require(known.key)
        for length in 0..<64 { #expect(!key.isValidSignature(known.signature[..<length], for: known.message.utf8)) }
        #expect(!key.isValidSignature(known.signature + [0], for: known.message.utf8))
        #expect(!key.isValidSignature([0] + known.signature, for: known.message.utf8))
        for length in [0, 1, 32, 63] { #expect(P256.PublicKey(rawRepresentation: known.point[..<length]) == nil) }
        #expect(P256.PublicKey(rawRepresentation: known.point + [0]) == nil)
        #expect(P256.PublicKey(rawRepresentation: [4] + known.point) == nil)
    }

    /// The point at infinity has no coordinates, and coordinates are below the field's prime.
    @Test func pointsThatAreNone_areRefused() {
        let prime = [UInt8](hex: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        let zero = [UInt8](repeating: 0, count: 32)
        for point in [zero + zero, prime + zero, zero + prime, prime + prime] {
            #expect(P256.PublicKey(rawRepresentation: point) == nil)
        }
    }

    /// OpenSSL makes signatures in DER, of one length or another. Tokens have r and s.
    @Test func signatureInDER_isRefused() throws {
        let known = Self.known[0]
        let signature = DER.sequence(DER.integer(known.signature[..<32]) + DER.integer(known.signature[32...]))
        #expect(try #require(known.key).isValidSignature(signature, for: known.message.utf8) == false)
    }

    // MARK: Texts

    @Test func keyInPEM_isTheOneOfItsPoint() throws {
        let key = try #require(P256.PublicKey(pem: TestKeys.p256))
        #expect(key.isValidSignature(Self.base64(TestKeys.p256Signature), for: "message".utf8))
        #expect(!key.isValidSignature(Self.base64(TestKeys.p256Signature), for: "messagf".utf8))
    }

    @Test(arguments: [
        "", TestKeys.p256Compressed, TestKeys.p256Explicit, TestKeys.p384, TestKeys.secp256k1, TestKeys.x25519,
        TestKeys.rsa, TestKeys.p256.replacing("MFkw", with: "MFow"), TestKeys.p256.replacing("iw==", with: "jA=="),
    ])
    func textOfNoSuchKey_isRefused(text: String) { #expect(P256.PublicKey(pem: text) == nil) }
}
