import Testing

@testable import CairnCrypto

@Suite("AES-GCM")
struct AESGCMTests {
    private static let key = SymmetricKey(data: Array(UInt8(0)..<32))

    private static func bytes(_ count: Int, from first: UInt8) -> [UInt8] {
        (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }

    // MARK: Known answers

    /// A test case of "The Galois/Counter Mode of Operation" (McGrew and Viega), which NIST SP 800-38D refers to.
    struct Known: Sendable {
        let number: Int
        let key: String
        let nonce: String
        let plain: String
        let bound: String
        let sealed: String
        let tag: String
    }

    private static let noKey = "00000000000000000000000000000000"
    private static let someKey = "feffe9928665731c6d6a8f9467308308"
    private static let (noNonce, someNonce) = ("000000000000000000000000", "cafebabefacedbaddecaf888")
    private static let bound = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
    private static let plain60 = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """
    private static let sealed60ByAES128 = """
        42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
        21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091
        """
    private static let sealed60ByAES256 = """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        """

    private static let known = [
        Known(
            number: 1, key: noKey, nonce: noNonce, plain: "", bound: "", sealed: "",
            tag: "58e2fccefa7e3061367f1d57a4e7455a"),
        Known(
            number: 2, key: noKey, nonce: noNonce, plain: noKey, bound: "",
            sealed: "0388dace60b6a392f328c2b971b2fe78", tag: "ab6e47d42cec13bdf53a67b21257bddf"),
        Known(
            number: 3, key: someKey, nonce: someNonce, plain: plain60 + "1aafd255", bound: "",
            sealed: sealed60ByAES128 + "473f5985", tag: "4d5c2af327cd64a62cf35abd2ba6fab4"),
        Known(
            number: 4, key: someKey, nonce: someNonce, plain: plain60, bound: bound, sealed: sealed60ByAES128,
            tag: "5bc94fbc3221a5db94fae95ae7121a47"),
        Known(
            number: 13, key: noKey + noKey, nonce: noNonce, plain: "", bound: "", sealed: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Known(
            number: 14, key: noKey + noKey, nonce: noNonce, plain: noKey, bound: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Known(
            number: 15, key: someKey + someKey, nonce: someNonce, plain: plain60 + "1aafd255", bound: "",
            sealed: sealed60ByAES256 + "898015ad", tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Known(
            number: 16, key: someKey + someKey, nonce: someNonce, plain: plain60, bound: bound,
            sealed: sealed60ByAES256, tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: known) func sealing_isThatOfTheStandard(known: Known) throws {
        let cipher = AES.GCM(SymmetricKey(data: [UInt8](hex: known.key)))
        let (plain, bound) = ([UInt8](hex: known.plain), [UInt8](hex: known.bound))
        let (nonce, sealed) = ([UInt8](hex: known.nonce), [UInt8](hex: known.sealed + known.tag))
        for _ in 0..<2 {
            #expect(try cipher.seal(plain, nonce: nonce, authenticating: bound) == sealed)
            #expect(cipher.open(sealed, nonce: nonce, authenticating: bound) == plain)
            #expect(cipher.open(nonce + sealed, authenticating: bound) == plain)
        }
    }

    // MARK: Many values

    /// One after the other with one context: nothing of a value before stays in it.
    @Test func valuesOfAllLengths_areSealedAsTheStandardSays() throws {
        let cipher = AES.GCM(Self.key)
        for (count, bound, hash) in MadeBySwiftCrypto.hashes {
            let (plain, bytes) = (Self.bytes(count, from: 7), Self.bytes(bound, from: 11))
            let nonce = Self.bytes(12, from: UInt8(truncatingIfNeeded: count &+ bound))
            let sealed = try cipher.seal(plain, nonce: nonce, authenticating: bytes)
            #expect(Array(SHA256.hash(data: sealed)).hex == hash, "\(count) bytes beside \(bound)")
            #expect(cipher.open(sealed, nonce: nonce, authenticating: bytes) == plain)
        }
    }

    /// The key of the addresses of assets has 16 bytes.
    @Test func valueThatSwiftCryptoSealedByAES128_opens() {
        let cipher = AES.GCM(SymmetricKey(data: Self.bytes(16, from: 0)))
        let sealed = [UInt8](hex: MadeBySwiftCrypto.sealedByAES128)
        #expect(cipher.open(sealed, authenticating: "cairn asset address 1".utf8) == Array("wrapped".utf8))
    }

    @Test func valueSealedInPlace_leavesWhatStandsBesideIt() throws {
        let (plain, nonce, bound) = (Self.bytes(33, from: 7), Self.bytes(12, from: 1), Self.bytes(5, from: 2))
        var bytes = [1, 2, 3] + plain + [UInt8](repeating: 0, count: AES.GCM.tagBytes) + [4]
        try bytes.withUnsafeMutableBufferPointer { all in
            try nonce.withUnsafeBufferPointer { nonce in
                try bound.withUnsafeBufferPointer { bound in
                    try AES.GCM(Self.key).seal(
                        UnsafeMutableBufferPointer(rebasing: all[3..<36]),
                        tag: UnsafeMutableBufferPointer(rebasing: all[36..<52]), nonce: nonce, authenticating: bound)
                }
            }
        }
        let sealed = try AES.GCM(Self.key).seal(plain, nonce: nonce, authenticating: bound)
        #expect(bytes == [1, 2, 3] + sealed + [4])
    }

    @Test func threads_sealAndOpenAtTheSameTime() async throws {
        let cipher = AES.GCM(Self.key)
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for turn in 0..<200 {
                        let plain = Self.bytes(turn, from: UInt8(task))
                        let nonce = [UInt8(task), UInt8(turn)] + [UInt8](repeating: 0, count: 10)
                        let sealed = try cipher.seal(plain, nonce: nonce, authenticating: [UInt8(task)])
                        let alone = try AES.GCM(Self.key).seal(plain, nonce: nonce, authenticating: [UInt8(task)])
                        let opened = cipher.open(sealed, nonce: nonce, authenticating: [UInt8(task)])
                        if sealed != alone || opened != plain { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test func noncesOfOneKey_areDifferent() throws {
        let cipher = AES.GCM(Self.key)
        let sealed = try (0..<1_000).map { _ in try cipher.seal([], authenticating: []) }
        #expect(Set(sealed).count == 1_000)
        #expect(sealed.allSatisfy { $0.count == AES.GCM.nonceBytes + AES.GCM.tagBytes })
    }

    // MARK: What does not open

    @Test func oneChangedBit_isRefused() throws {
        let (plain, bound, nonce) = (Self.bytes(20, from: 3), Self.bytes(9, from: 4), Self.bytes(12, from: 5))
        let cipher = AES.GCM(Self.key)
        let sealed = try cipher.seal(plain, nonce: nonce, authenticating: bound)
        for sealed in sealed.withOneBitFlipped {
            #expect(cipher.open(sealed, nonce: nonce, authenticating: bound) == nil)
        }
        for nonce in nonce.withOneBitFlipped {
            #expect(cipher.open(sealed, nonce: nonce, authenticating: bound) == nil)
            #expect(cipher.open(nonce + sealed, authenticating: bound) == nil)
        }
        for bound in bound.withOneBitFlipped {
            #expect(cipher.open(sealed, nonce: nonce, authenticating: bound) == nil)
        }
        for key in Self.key.withUnsafeBytes({ Array($0) }).withOneBitFlipped {
            let other = AES.GCM(SymmetricKey(data: key))
            #expect(other.open(sealed, nonce: nonce, authenticating: bound) == nil)
        }
        #expect(cipher.open(sealed, nonce: nonce, authenticating: bound) == plain, "it opens after all refusals")
    }

    @Test func otherLengths_areRefused() throws {
        let cipher = AES.GCM(Self.key)
        let (nonce, bound) = (Self.bytes(12, from: 5), Self.bytes(3, from: 6))
        for count in [0, 1, 17] {
            let sealed = try cipher.seal(Self.bytes(count, from: 9), nonce: nonce, authenticating: bound)
            for length in sealed.indices {
                #expect(cipher.open(sealed[..<length], nonce: nonce, authenticating: bound) == nil)
            }
            #expect(cipher.open(sealed + [0], nonce: nonce, authenticating: bound) == nil)
            #expect(cipher.open(sealed, nonce: nonce + [0], authenticating: bound) == nil)
            #expect(cipher.open(sealed, nonce: Array(nonce.dropLast()), authenticating: bound) == nil)
            #expect(cipher.open(sealed, nonce: nonce, authenticating: bound + [0]) == nil)
            #expect(cipher.open(sealed, nonce: nonce, authenticating: []) == nil)
        }
        for length in 0..<28 { #expect(cipher.open(Self.bytes(length, from: 0), authenticating: []) == nil) }
    }

    @Test func refusedCiphertext_leavesNothingOfItsText() throws {
        let nonce = Self.bytes(12, from: 5)
        var sealed = try AES.GCM(Self.key).seal(Self.bytes(64, from: 1), nonce: nonce, authenticating: [])
        sealed[70] ^= 1
        var plain = [UInt8](repeating: 9, count: 64)
        let isOpen = try plain.withUnsafeMutableBufferPointer { plain in
            try sealed.withUnsafeBufferPointer { sealed in
                try nonce.withUnsafeBufferPointer { nonce in
                    try AES.GCM(Self.key).open(
                        UnsafeBufferPointer(rebasing: sealed[..<64]), into: plain,
                        tag: UnsafeBufferPointer(rebasing: sealed[64...]), nonce: nonce,
                        authenticating: UnsafeBufferPointer(rebasing: sealed[..<0]))
                }
            }
        }
        #expect(!isOpen && plain.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [0, 1, 15, 17, 24, 31, 33, 64]) func keyOfAnotherLength_sealsAndOpensNothing(bytes: Int) throws {
        let cipher = AES.GCM(SymmetricKey(data: Self.bytes(bytes, from: 0)))
        let fault = #expect(throws: CryptoFault.self) {
            try cipher.seal([1], nonce: Self.bytes(12, from: 0), authenticating: [2])
        }
        #expect(fault?.description == "crypto: prepare AES-GCM: a key has 16 or 32 bytes, not \(bytes)")
        #expect(cipher.open(Self.bytes(40, from: 0), authenticating: [2]) == nil)
    }
}
