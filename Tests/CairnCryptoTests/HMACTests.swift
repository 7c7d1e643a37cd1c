import Testing

@testable import CairnCrypto

@Suite("HMAC")
struct HMACTests {
    /// A key, a message and its code.
    struct Known: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String

        init(_ key: [UInt8], _ message: String, _ code: String) {
            (self.key, self.message, self.code) = (key, Array(message.utf8), code)
        }

        init(_ key: [UInt8], _ message: [UInt8], _ code: String) {
            (self.key, self.message, self.code) = (key, message, code)
        }

        func code(by hash: HMAC.Hash) -> String { HMAC(hash, key: SymmetricKey(data: key)).code(for: message).hex }
    }

    private static func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    /// RFC 4231, 4.2 to 4.8.
    private static let sha256 = [
        Known(bytes(0x0B, 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Known(
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Known(
            bytes(0xAA, 20), bytes(0xDD, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Known(
            Array(1...25), bytes(0xCD, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Known(
            bytes(0x0C, 20), "Test With Truncation",
            "a3b6167473100ee06e0c796c2955552bfa6f7c0a6a8aef8b93f860aab0cd20c5"),
        Known(
            bytes(0xAA, 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Known(
            bytes(0xAA, 131),
            "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
                + "hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    /// RFC 2202, 3.
    private static let sha1 = [
        Known(bytes(0x0B, 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        Known(
            Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        Known(bytes(0xAA, 20), bytes(0xDD, 50), "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
        Known(Array(1...25), bytes(0xCD, 50), "4c9007f4026250c6bc8414f9bf50c86c2d7235da"),
        Known(bytes(0x0C, 20), "Test With Truncation", "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"),
        Known(
            bytes(0xAA, 80), "Test Using Larger Than Block-Size Key - Hash Key First",
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
        Known(
            bytes(0xAA, 80), "Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data",
            "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"),
    ]

    @Test(arguments: sha256) func code_isThatOfTheStandard(known: Known) {
        #expect(known.code(by: .sha256) == known.code)
    }

    @Test(arguments: sha1) func codeBySHA1_isThatOfTheStandard(known: Known) {
        #expect(known.code(by: .sha1) == known.code)
    }

    @Test func emptyKeyAndMessage_haveTheirCode() {
        let code = HMAC(key: SymmetricKey(data: [])).code(for: [])
        #expect(code.hex == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    /// The name of a master key is the beginning of this code.
    @Test func code_isThatOfSwiftCrypto() {
        let code = HMAC(key: SymmetricKey(data: Array(UInt8(0)..<32))).code(for: "cairn master key".utf8)
        #expect(code.hex == MadeBySwiftCrypto.code)
    }

    /// Nothing of a message before stays in the context.
    @Test func oneKey_makesTheSameCodesAgainAndAgain() {
        let key = SymmetricKey(data: Array(UInt8(0)..<32))
        let hmac = HMAC(key: key)
        for length in [70, 0, 1, 64, 65, 0, 1_000] {
            let message = [UInt8](repeating: 7, count: length)
            #expect(hmac.code(for: message) == HMAC(key: key).code(for: message), "\(length) bytes")
        }
    }

    @Test func threads_makeCodesAtTheSameTime() async {
        let key = SymmetricKey(data: Array(UInt8(0)..<32))
        let hmac = HMAC(key: key)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<200).filter { turn in
                        let message = [UInt8(task), UInt8(turn)]
                        return hmac.code(for: message) != HMAC(key: key).code(for: message)
                    }
                    .count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test func changedKeyOrMessage_hasAnotherCode() {
        let (key, message) = ([UInt8](hex: "0123456789"), [UInt8](hex: "abcdef"))
        let code = HMAC(key: SymmetricKey(data: key)).code(for: message)
        for key in key.withOneBitFlipped { #expect(HMAC(key: SymmetricKey(data: key)).code(for: message) != code) }
        for message in message.withOneBitFlipped {
            #expect(HMAC(key: SymmetricKey(data: key)).code(for: message) != code)
        }
    }
}
