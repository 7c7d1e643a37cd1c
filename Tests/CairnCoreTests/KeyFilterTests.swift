import CairnTesting
import Testing

@testable import CairnCore

/// The filter of keys that an account no longer holds in memory.
@Suite("KeyFilter")
struct KeyFilterTests {
    private static let room = 4_096 + 8_192 + 16_384

    /// A filter with this many keys of time 1.
    private static func filter(_ count: Int) -> KeyFilter {
        var filter = KeyFilter()
        for number in 0..<count { _ = filter.insert(KeyName("in \(number)"), at: 1) }
        return filter
    }

    private static func held(_ filter: KeyFilter, _ word: String, _ count: Int) -> Int {
        (0..<count).count { filter.mayHold(KeyName("\(word) \($0)")) }
    }

    @Test func emptyFilter_holdsNothing() {
        #expect(Self.held(KeyFilter(), "in", 100) == 0)
    }

    @Test func everyKeyOfAFullFilter_isHeld() {
        #expect(Self.held(Self.filter(Self.room), "in", Self.room) == Self.room)
    }

    @Test func ofOtherKeys_aFullFilterMistakesFewerThanTwoInAHundred() {
        #expect(Self.held(Self.filter(Self.room), "out", 10_000) < 200)
    }

    @Test func fullFilter_saysThatThereIsNoRoom() {
        var filter = Self.filter(Self.room - 1)
        let (last, another) = (filter.insert(KeyName("last"), at: 1), filter.insert(KeyName("another"), at: 1))
        #expect(last && !another)
    }

    @Test func keysThatHaveExpired_makeRoom() {
        var filter = Self.filter(Self.room)
        filter.forget(before: 2)
        #expect(Self.held(filter, "in", 1_000) == 0)
        let hasRoom = filter.insert(KeyName("new"), at: 3)
        #expect(hasRoom)
    }

    @Test func keysThatHaveNotExpired_stay() {
        var filter = Self.filter(1_000)
        filter.forget(before: 1)
        #expect(Self.held(filter, "in", 1_000) == 1_000)
    }
}
