import Testing

@testable import CairnCrypto

@Suite("SHA-256")
struct SHA256Tests {
    /// FIPS 180-4 and RFC 6234, 8.5, with a text of one byte and one of many blocks.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        (
            "0123456701234567012345670123456701234567012345670123456701234567", 10,
            "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
        ),
        ("\u{19}", 1, "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4"),
    ])
    func hash_isThatOfTheStandard(text: String, times: Int, hash: String) {
        #expect(Array(SHA256.hash(data: String(repeating: text, count: times).utf8)).hex == hash)
    }

    /// In one piece of memory, in a part of one, and in none.
    @Test func hash_isThatOfTheBytes_whereverTheyStand() {
        let bytes = Array(UInt8(0)..<200)
        let hash = SHA256.hash(data: bytes)
        #expect(SHA256.hash(data: ([1, 2, 3] + bytes).dropFirst(3)) == hash)
        #expect(SHA256.hash(data: (0..<200).lazy.map { UInt8($0) }) == hash)
        #expect(Array(hash.prefix(4)) == Array(Array(hash).prefix(4)))
    }

    @Test func digests_areEqualInAllBytesOrNot() {
        let digests = [UInt8](hex: "00ff").withOneBitFlipped.map { SHA256.hash(data: $0) }
        #expect(Set(digests).count == digests.count)
        #expect(SHA256.hash(data: "a".utf8) == SHA256.hash(data: [97]))
        #expect(SHA256.hash(data: "a".utf8) != SHA256.hash(data: "b".utf8))
    }
}
