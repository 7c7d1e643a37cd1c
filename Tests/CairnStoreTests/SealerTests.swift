import Crypto
import Foundation
import Testing

@testable import CairnStore

/// What OpenSSL seals is what Swift Crypto would have sealed, so that either opens it.
@Suite("Sealer")
struct SealerTests {
    private static let key = SymmetricKey(data: Array(UInt8(0)..<32))

    private static func bytes(_ count: Int, from first: UInt8) -> [UInt8] {
        (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }

    private static func expected(_ plain: [UInt8], nonce: [UInt8], bound: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(plain, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: bound)
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// One after the other with one context: nothing of a value before stays in it.
    @Test func valuesOfAllLengths_areSealedAsTheStandardSays() throws {
        let sealer = Sealer(Self.key)
        for count in [300, 0, 1, 15, 16, 17, 31, 32, 33, 4_096, 0, 70_000, 5] {
            for boundCount in [1, 3, 16, 90] {
                let (plain, bound) = (Self.bytes(count, from: 7), Self.bytes(boundCount, from: 11))
                let nonce = Self.bytes(12, from: UInt8(truncatingIfNeeded: count &+ boundCount))
                var sealed: [UInt8] = [1, 2, 3]
                try sealer.seal(plain, nonce: nonce[...], authenticating: bound, into: &sealed)
                #expect(sealed.prefix(3) == [1, 2, 3], "what stands before is left alone")
                #expect(
                    try Array(sealed.dropFirst(3)) == Self.expected(plain, nonce: nonce, bound: bound),
                    "\(count) bytes beside \(boundCount)")
            }
        }
    }

    @Test func threads_sealAtTheSameTime() async throws {
        let sealer = Sealer(Self.key)
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for turn in 0..<200 {
                        let plain = Self.bytes(turn, from: UInt8(task))
                        let nonce = [UInt8(task), UInt8(turn)] + [UInt8](repeating: 0, count: 10)
                        var sealed: [UInt8] = []
                        try sealer.seal(plain, nonce: nonce[...], authenticating: [UInt8(task)], into: &sealed)
                        if try sealed != Self.expected(plain, nonce: nonce, bound: [UInt8(task)]) { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test func keyOfAnotherLength_sealsNothing() {
        let sealer = Sealer(SymmetricKey(size: .bits128))
        var sealed: [UInt8] = []
        #expect(throws: Sealer.Fault.self) {
            try sealer.seal([1], nonce: Self.bytes(12, from: 0)[...], authenticating: [2], into: &sealed)
        }
        #expect(sealed.isEmpty)
    }
}
