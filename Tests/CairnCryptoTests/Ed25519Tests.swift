import Foundation
import Testing

@testable import CairnCrypto

@Suite("Ed25519")
struct Ed25519Tests {
    /// RFC 8032, 7.1.
    struct Known: Sendable {
        let secret: String
        let publicKey: String
        let message: String
        let signature: String

        var key: Ed25519.PublicKey? { Ed25519.PublicKey(rawRepresentation: [UInt8](hex: publicKey)) }

        /// The secret key as RFC 8410, 7 writes it.
        var privateKey: Ed25519.PrivateKey? {
            let info = [UInt8](hex: "302e020100300506032b657004220420" + secret)
            return Ed25519.PrivateKey(pem: PEM.encode(info, label: "PRIVATE KEY"))
        }
    }

    private static let known = [
        Known(
            secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """),
        Known(
            secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """),
        Known(
            secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """),
    ]

    @Test(arguments: known) func signature_isThatOfTheStandard(known: Known) throws {
        let key = try #require(known.privateKey)
        let message = [UInt8](hex: known.message)
        #expect(try key.signature(for: message) == [UInt8](hex: known.signature))
        #expect(key.publicKey.rawRepresentation.hex == known.publicKey)
        #expect(key.publicKey.isValidSignature([UInt8](hex: known.signature), for: message))
        #expect(try #require(known.key).isValidSignature([UInt8](hex: known.signature), for: message))
    }

    /// RFC 8037, A.4 and A.5: a JSON Web Signature.
    @Test func tokenOfTheStandard_isValid() throws {
        let x = try #require(Data(base64Encoded: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="))
        let signature = try #require(
            Data(
                base64Encoded:
                    "hgyY0il/MGCjP0JzlnLWG1PPOt7+09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr/MuM0KAg=="))
        let key = try #require(Ed25519.PublicKey(rawRepresentation: x))
        #expect(
            key.isValidSignature(signature, for: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8))
    }

    @Test func oneChangedBit_isRefused() throws {
        let known = Self.known[2]
        let (key, message) = (try #require(known.key), [UInt8](hex: known.message))
        let signature = [UInt8](hex: known.signature)
        for signature in signature.withOneBitFlipped { #expect(!key.isValidSignature(signature, for: message)) }
        for message in message.withOneBitFlipped { #expect(!key.isValidSignature(signature, for: message)) }
        for bytes in [UInt8](hex: known.publicKey).withOneBitFlipped {
            let other = Ed25519.PublicKey(rawRepresentation: bytes)
            #expect(other?.isValidSignature(signature, for: message) != true)
        }
        #expect(key.isValidSignature(signature, for: message), "it is valid after all refusals")
    }

    /// RFC 8032, 5.1.7: the second number is below the order of the group. Another one would make a second signature.
    @Test func signatureWithTheOrderAdded_isRefused() throws {
        let known = Self.known[1]
        var signature = [UInt8](hex: known.signature)
        let order = [UInt8](hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var carry = 0
        for (index, byte) in order.enumerated() {
            let sum = Int(signature[32 + index]) + Int(byte) + carry
            (signature[32 + index], carry) = (UInt8(sum & 0xFF), sum >> 8)
        }
        #expect(carry == 0)
        #expect(try #require(known.key).isValidSignature(signature, for: [UInt8](hex: known.message)) == false)
    }

    @Test func otherLengths_areRefused() throws {
        let known = Self.known[1]
        let (key, signature) = (try #require(known.key), [UInt8](hex: known.signature))
        for length in 0..<64 { #expect(!key.isValidSignature(signature[..<length], for: [UInt8](hex: known.message))) }
        #expect(!key.isValidSignature(signature + [0], for: [UInt8](hex: known.message)))
        for length in [0, 1, 31, 33, 64] {
            #expect(Ed25519.PublicKey(rawRepresentation: [UInt8](repeating: 1, count: length)) == nil)
        }
    }

    // MARK: Texts

    /// RFC 8410, 10.1 and 10.3.
    private static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
        -----END PUBLIC KEY-----
        """
    private static let privatePEM = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
        -----END PRIVATE KEY-----
        """

    @Test func keysOfTheStandard_areReadAndWritten() throws {
        let key = try #require(Ed25519.PrivateKey(pem: Self.privatePEM))
        #expect(key.pem == Self.privatePEM)
        #expect(key.publicKey.pem == Self.publicPEM)
        #expect(try #require(Ed25519.PublicKey(pem: Self.publicPEM)).pem == Self.publicPEM)
        #expect(Ed25519.PrivateKey(pem: Self.privatePEM + "\n") != nil, "as a file ends")
    }

    @Test func keysThatSwiftCryptoWrote_areReadAndWrittenInTheSameForm() throws {
        let key = try #require(Ed25519.PrivateKey(pem: MadeBySwiftCrypto.privateKey))
        #expect(key.pem == MadeBySwiftCrypto.privateKey && key.publicKey.pem == MadeBySwiftCrypto.publicKey)
    }

    @Test func newKeys_areDifferentAndSign() throws {
        let (key, other) = (Ed25519.PrivateKey(), Ed25519.PrivateKey())
        let signature = try key.signature(for: "message".utf8)
        #expect(key.publicKey.isValidSignature(signature, for: "message".utf8))
        #expect(!other.publicKey.isValidSignature(signature, for: "message".utf8))
        let again = try #require(Ed25519.PrivateKey(pem: key.pem))
        #expect(try again.signature(for: "message".utf8) == signature)
    }

    @Test(arguments: [
        "", publicPEM, TestKeys.encryptedPrivate, TestKeys.p256Private,
        privatePEM.replacing("PRIVATE", with: "PUBLIC"), privatePEM.replacing("MC4C", with: "MC4D"),
        "x\n" + privatePEM,
    ])
    func textOfNoPrivateKey_isRefused(text: String) { #expect(Ed25519.PrivateKey(pem: text) == nil) }

    @Test(arguments: [
        "", privatePEM, TestKeys.p256, TestKeys.rsa, TestKeys.x25519, publicPEM.replacing("MCow", with: "MCox"),
        publicPEM.replacing("ZuE=", with: "ZuEB"), publicPEM.replacing("PUBLIC", with: "X"),
    ])
    func textOfNoPublicKey_isRefused(text: String) { #expect(Ed25519.PublicKey(pem: text) == nil) }
}
