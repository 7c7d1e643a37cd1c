import CairnConfiguration
import CairnTesting
import CairnTime
import CairnWebSocket
import Testing

@testable import CairnServer

/// What pages may cost, by address and in all.
@Suite("Doors: what HTTP may cost") struct HTTPBudgetTests {
    private func address(_ number: UInt64) -> PeerAddress { PeerAddress(high: 0, low: 0xFFFF_0A00_0000 + number) }

    private func budget(_ change: (inout Configuration.Pages) -> Void) -> HTTPBudget {
        var limits = Configuration.Pages()
        limits.requestsPerSecondPerAddress = 1_000_000
        limits.bytesPerSecondPerAddress = 1_000_000_000
        limits.requestsPerSecond = 1_000_000
        limits.bytesPerSecond = 1_000_000_000
        change(&limits)
        return HTTPBudget(limits)
    }

    @Test func address_hasFourSecondsOfRequests_thenOneASecondAgain() throws {
        let budget = budget { $0.requestsPerSecondPerAddress = 1 }
        for _ in 0..<4 { #expect(budget.take(of: address(1), isVital: false, now: 0) == nil) }
        #expect(try #require(budget.take(of: address(1), isVital: false, now: 0)) == .seconds(1))
        #expect(budget.take(of: address(2), isVital: false, now: 0) == nil, "another's budget is their own")
        #expect(budget.take(of: address(1), isVital: false, now: 1_000_000) == nil)
    }

    @Test func largeAnswer_isPaidOffBeforeTheNextRequest() throws {
        let budget = budget { $0.bytesPerSecondPerAddress = 10_000 }
        #expect(budget.take(of: address(1), isVital: false, now: 0) == nil)
        budget.charge(60_000, to: address(1))
        #expect(budget.take(of: address(1), isVital: false, now: 0) != nil)
        #expect(budget.take(of: address(1), isVital: false, now: 1_900_000) != nil)
        #expect(budget.take(of: address(1), isVital: false, now: 2_100_000) == nil)
    }

    @Test func allTogether_areBoundedToo_butNotTheHealthPages() {
        let budget = budget { $0.requestsPerSecond = 1 }
        for number in 0..<4 { #expect(budget.take(of: address(UInt64(number)), isVital: false, now: 0) == nil) }
        #expect(budget.take(of: address(9), isVital: false, now: 0) != nil)
        #expect(budget.take(of: address(9), isVital: true, now: 0) == nil)
    }

    @Test func addressesOfOneIPv6Network_shareABudget() {
        let budget = budget { $0.requestsPerSecondPerAddress = 1 }
        for low in 0..<4 {
            let one = PeerAddress(high: 0x2001_0DB8_0000_0001, low: UInt64(low))
            #expect(budget.take(of: one, isVital: false, now: 0) == nil)
        }
        let another = PeerAddress(high: 0x2001_0DB8_0000_0001, low: 99)
        #expect(budget.take(of: another, isVital: false, now: 0) != nil)
    }

    @Test func moreAddressesThanAreRemembered_forgetThoseWithNothingSpent() {
        let budget = budget { $0.requestsPerSecondPerAddress = 1 }
        for _ in 0..<5 { _ = budget.take(of: address(1), isVital: false, now: 1_000_000) }
        for number in 2..<UInt64(HTTPBudget.addressesMax) {
            _ = budget.take(of: address(number), isVital: false, now: 0)
        }
        _ = budget.take(of: address(1 << 20), isVital: false, now: 1_000_000)
        _ = budget.take(of: address(1 << 21), isVital: false, now: 1_000_000)
        #expect(budget.take(of: address(1), isVital: false, now: 1_000_000) != nil, "who has spent all is remembered")
    }

    // MARK: Bodies in pieces

    @Test func body_hasHalfOfTheBudgetAtOnce_thenItsRate() {
        let budget = budget { $0.bytesPerSecondPerAddress = 10_000 }
        #expect(budget.pace(20_000, to: address(1), now: 0) == .zero)
        #expect(budget.pace(5_000, to: address(1), now: 0) == .milliseconds(500))
        #expect(budget.pace(5_000, to: address(1), now: 500_000) == .milliseconds(500))
        #expect(budget.pace(1, to: address(2), now: 0) == .zero, "another's budget is their own")
    }

    @Test func body_leavesRoomForPages() {
        let budget = budget { $0.bytesPerSecondPerAddress = 10_000 }
        var now: MonotonicTime = 0
        for _ in 0..<100 {
            now += budget.pace(10_000, to: address(1), now: now)
            #expect(budget.take(of: address(1), isVital: false, now: now) == nil)
        }
        // 40,000 bytes at once but for the reserve of 20,000, the rest at 10,000 a second.
        #expect(now == 98_000_000)
    }

    @Test func bodiesOfAllAddresses_shareTheBudgetOfAll() {
        let budget = budget { $0.bytesPerSecond = 10_000 }
        #expect(budget.pace(20_000, to: address(1), now: 0) == .zero)
        #expect(budget.pace(10_000, to: address(2), now: 0) == .seconds(1))
        #expect(budget.pace(10_000, to: nil, now: 0) == .seconds(2))
    }
}
