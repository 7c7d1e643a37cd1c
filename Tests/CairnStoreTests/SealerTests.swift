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

    /// Ciphertext and tag of a text that stands between other bytes, and those.
    private static func sealed(
        _ plain: [UInt8], nonce: [UInt8], bound: [UInt8], by sealer: Sealer
    ) throws -> (sealed: [UInt8], around: [UInt8]) {
        let before: [UInt8] = [1, 2, 3]
        var bytes = before + plain + [UInt8](repeating: 0, count: Sealer.tagBytes) + [4]
        let text = before.count..<before.count + plain.count
        let tag = text.upperBound..<text.upperBound + Sealer.tagBytes
        try bytes.withUnsafeMutableBufferPointer { all in
            try nonce.withUnsafeBufferPointer { nonce in
                try bound.withUnsafeBufferPointer { bound in
                    try sealer.seal(
                        UnsafeMutableBufferPointer(rebasing: all[text]),
                        tag: UnsafeMutableBufferPointer(rebasing: all[tag]), nonce: nonce, authenticating: bound)
                }
            }
        }
        let sealed = Array(bytes[text.lowerBound..<tag.upperBound])
        return (sealed, Array(bytes[..<text.lowerBound] + bytes[tag.upperBound...]))
    }

    /// One after the other with one context: nothing of a value before stays in it.
    @Test func valuesOfAllLengths_areSealedAsTheStandardSays() throws {
        let sealer = Sealer(Self.key)
        for count in [300, 0, 1, 15, 16, 17, 31, 32, 33, 4_096, 0, 70_000, 5] {
            for boundCount in [1, 3, 16, 90] {
                let (plain, bound) = (Self.bytes(count, from: 7), Self.bytes(boundCount, from: 11))
                let nonce = Self.bytes(12, from: UInt8(truncatingIfNeeded: count &+ boundCount))
                let (sealed, around) = try Self.sealed(plain, nonce: nonce, bound: bound, by: sealer)
                #expect(around == [1, 2, 3, 4], "what stands beside is left alone")
                #expect(
                    try sealed == Self.expected(plain, nonce: nonce, bound: bound),
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
                        let bound = [UInt8(task)]
                        let sealed = try Self.sealed(plain, nonce: nonce, bound: bound, by: sealer).sealed
                        if try sealed != Self.expected(plain, nonce: nonce, bound: bound) { wrong += 1 }
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
        #expect(throws: Sealer.Fault.self) {
            try Self.sealed([1], nonce: Self.bytes(12, from: 0), bound: [2], by: sealer)
        }
    }
}
