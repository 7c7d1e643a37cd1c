import CairnConfiguration
import CairnTesting
import CairnTime
import CairnWebSocket
import Testing

@testable import CairnServer

/// The budgets of guests who look, by address and in all (SES-14).
@Suite("GuestViews") struct GuestViewsTests {
    private static func limits(_ change: (inout Configuration.Guests) -> Void = { _ in }) -> Configuration.Guests {
        var limits = Configuration.Guests()
        change(&limits)
        return limits
    }

    private static func address(_ number: UInt64) -> PeerAddress {
        PeerAddress(high: 0x2001_0DB8_0000_0000 + number, low: 1)
    }

    private let here = Self.address(1)

    @Test func viewsOfAnAddress_areBounded_andThoseOfAnotherAreNot() {
        let views = GuestViews(Self.limits())
        for _ in 0..<5 { #expect(views.begin(at: here, now: 0) == nil) }
        let refused = views.begin(at: here, now: 0)
        #expect(refused?.shortage == .address && refused?.limit == 5)
        #expect(views.begin(at: Self.address(2), now: 0) == nil && views.count == 6)
        views.end(at: here)
        #expect(views.begin(at: here, now: 0) == nil)
    }

    @Test func addressesOfOneNetwork_areOne() {
        let views = GuestViews(Self.limits())
        for low in 0..<5 as Range<UInt64> {
            #expect(views.begin(at: PeerAddress(high: here.high, low: low), now: 0) == nil)
        }
        #expect(views.begin(at: PeerAddress(high: here.high, low: 99), now: 0)?.shortage == .address)
    }

    @Test func viewsInAll_areBounded_alsoOfWhomAProxyDoesNotName() {
        let views = GuestViews(Self.limits { $0.viewsMax = 8 })
        for _ in 0..<8 { #expect(views.begin(at: nil, now: 0) == nil) }
        #expect(views.begin(at: nil, now: 0)?.shortage == .all)
        #expect(views.begin(at: here, now: 0)?.shortage == .all)
        views.end(at: nil)
        #expect(views.begin(at: here, now: 0) == nil)
    }

    @Test func cellsOfAnAddress_comeBackWithTime() {
        let views = GuestViews(Self.limits())
        #expect(views.admit(9, at: here, now: 0) == 9)
        #expect(views.admit(15, at: here, now: 0) == 11)
        #expect(views.admit(1, at: here, now: 0) == 0)
        #expect(views.waitForCell(at: here, now: 0) == .seconds(3))
        #expect(views.admit(9, at: Self.address(2), now: 0) == 9)
        #expect(views.admit(9, at: here, now: .epoch + .seconds(6)) == 2)
    }

    @Test func cellsInAll_areTakenFromNoAddressThatGetsNone() {
        let views = GuestViews(Self.limits { $0.cellsPerMinute = 10 })
        #expect(views.admit(20, at: here, now: 0) == 10)
        #expect(views.admit(5, at: Self.address(2), now: 0) == 0)
        // The whole budget of the second is still there.
        #expect(views.admit(20, at: Self.address(2), now: .epoch + .seconds(60)) == 10)
        #expect(views.admit(20, at: Self.address(2), now: .epoch + .seconds(120)) == 10)
    }

    @Test func addressThatHasReadMuch_waits_andOthersDoNot() {
        let views = GuestViews(Self.limits())
        #expect(views.mayRead(at: here, now: 0) && views.admit(1, at: here, now: 0) == 1)
        views.spend(bytes: 30_000_000, at: here, now: 0)
        #expect(!views.mayRead(at: here, now: 0) && views.admit(1, at: here, now: 0) == 0)
        // 10 MB of 20 MB a minute are owed.
        let wait = views.waitForCell(at: here, now: 0)
        #expect(wait > .seconds(29) && wait < .seconds(31))
        #expect(views.mayRead(at: Self.address(2), now: 0) && views.admit(1, at: Self.address(2), now: 0) == 1)
        #expect(views.admit(1, at: here, now: .epoch + .seconds(31)) == 1)
    }

    @Test func bytesInAll_areBounded_alsoOfWhomAProxyDoesNotName() {
        let views = GuestViews(Self.limits { $0.megabytesPerMinute = 1 })
        views.spend(bytes: 2_000_000, at: nil, now: 0)
        #expect(!views.mayRead(at: nil, now: 0) && views.admit(1, at: here, now: 0) == 0)
        #expect(views.mayRead(at: nil, now: .epoch + .seconds(61)))
    }

    @Test func questionsOfAnAddress_areBounded_andThoseOfAnotherAreNot() {
        let views = GuestViews(Self.limits())
        for _ in 0..<300 { #expect(views.ask(at: here, now: 0) == nil) }
        let refused = views.ask(at: here, now: 0)
        #expect(refused?.shortage == .questions && refused?.wait == .milliseconds(200))
        #expect(views.ask(at: Self.address(2), now: 0) == nil && views.ask(at: nil, now: 0) == nil)
        #expect(views.ask(at: here, now: .epoch + .milliseconds(200)) == nil)
    }

    @Test func questionsInAll_areBounded() {
        let views = GuestViews(Self.limits { $0.questionsPerMinute = 2 })
        #expect(views.ask(at: here, now: 0) == nil && views.ask(at: nil, now: 0) == nil)
        let waits = [Self.address(2), nil].map { views.ask(at: $0, now: 0)?.wait }
        #expect(waits == [.seconds(30), .seconds(30)])
    }

    /// A few pages of huge tours are as much as hundreds of small ones.
    @Test func answersToQuestions_areBoundedByTheirBytes_byAddress() {
        let views = GuestViews(Self.limits { $0.megabytesPerMinutePerAddress = 6 })
        #expect(views.ask(at: here, now: 0) == nil)
        views.spend(bytes: 6_100_000, at: here, now: 0)
        let refused = views.ask(at: here, now: 0)
        #expect(refused?.shortage == .bytes && refused.map { $0.wait > .seconds(1) } == true)
        #expect(views.ask(at: Self.address(2), now: 0) == nil)
        #expect(views.ask(at: here, now: .epoch + .seconds(2)) == nil)
    }

    @Test func withoutABudgetByAddress_onlyThoseInAllHold() {
        let views = GuestViews(
            Self.limits {
                $0.viewsPerAddress = 0
                $0.cellsPerMinutePerAddress = 0
                $0.megabytesPerMinutePerAddress = 0
                $0.questionsPerMinutePerAddress = 0
            })
        for _ in 0..<100 { #expect(views.begin(at: here, now: 0) == nil) }
        #expect(views.admit(500, at: here, now: 0) == 500)
        views.spend(bytes: 100_000_000, at: here, now: 0)
        #expect(views.mayRead(at: here, now: 0))
        for _ in 0..<1_000 { #expect(views.ask(at: here, now: 0) == nil) }
    }

    @Test func manyAddresses_areForgotten_butNotThoseWithViews() {
        let views = GuestViews(Self.limits { $0.viewsMax = 1_000_000 })
        for _ in 0..<5 { _ = views.begin(at: here, now: 0) }
        for number in 100..<(100 + 3 * UInt64(GuestViews.addressesMax)) {
            _ = views.admit(1, at: Self.address(number), now: 0)
        }
        #expect(views.begin(at: here, now: 0)?.shortage == .address)
        for _ in 0..<5 { views.end(at: here) }
        #expect(views.count == 0)
    }

    @Test func otherLimits_holdFromThenOn_andViewsStay() {
        let views = GuestViews(Self.limits())
        for _ in 0..<5 { _ = views.begin(at: here, now: 0) }
        views.apply(Self.limits { $0.viewsPerAddress = 6 }, now: 0)
        #expect(views.begin(at: here, now: 0) == nil)
        #expect(views.begin(at: here, now: 0)?.shortage == .address && views.count == 6)
    }
}
