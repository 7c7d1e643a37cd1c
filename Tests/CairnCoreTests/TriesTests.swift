import CairnWire
import Testing

@testable import CairnCore

/// What people have tried (`Tries`): bounded, whoever tries.
@Suite("Tries")
struct TriesTests {
    private static func account(_ number: Int) -> AccountID { AccountID(rawValue: UInt64(number)) }

    @Test func triesOfOnePerson_haveALimit_inASpan() {
        let tries = Tries(within: .seconds(10))
        let ada = Self.account(1)
        #expect(tries.count(by: ada, max: 2, now: .epoch) == .zero)
        #expect(tries.count(by: ada, max: 2, now: .epoch + .seconds(4)) == .zero)
        #expect(tries.count(by: ada, max: 2, now: .epoch + .seconds(5)) == .seconds(5))
        #expect(tries.count(by: Self.account(2), max: 2, now: .epoch + .seconds(5)) == .zero)
        #expect(tries.count(by: ada, max: 2, now: .epoch + .seconds(10)) == .zero)
    }

    @Test func peopleThatAreRemembered_haveABound() {
        let tries = Tries(within: .seconds(10))
        for number in 1...Tries.accountsMax { _ = tries.count(by: Self.account(number), max: 1, now: .epoch) }
        let late = LastingTime.epoch + .seconds(10)
        _ = tries.count(by: Self.account(0), max: 1, now: late)
        #expect(tries.count == 1)
    }
}
