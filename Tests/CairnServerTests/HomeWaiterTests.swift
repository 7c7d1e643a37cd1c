import CairnCore
import Testing

@testable import CairnServer

/// What other homes ask of one that does not wake.
@Suite("Home waiters")
struct HomeWaiterTests {
    private static let patience = HomeWaiter<Cell>.patience

    private static func waiter(_ plea: (any HomeMessage)?, since: UInt64 = 10) -> HomeWaiter<Cell> {
        HomeWaiter(request: nil, work: { _ in }, plea: plea, since: since)
    }

    @Test func plea_isNoLongerWaitedWith_afterThreeSeconds() {
        var waiting: [HomeWaiter<Cell>]? = [Self.waiter(Plea())]
        #expect(HomeWaiter.takeLatePleas(from: &waiting, now: 10 + Self.patience).isEmpty)
        #expect(HomeWaiter.takeLatePleas(from: &waiting, now: 11 + Self.patience).count == 1)
        #expect(waiting?.isEmpty == true, "it must not be heard after it was declined")
    }

    @Test func factFromAnotherHome_waitsForAsLongAsItTakes() {
        var waiting: [HomeWaiter<Cell>]? = [Self.waiter(nil), Self.waiter(Plea(), since: 50 * Self.patience)]
        #expect(HomeWaiter.takeLatePleas(from: &waiting, now: 50 * Self.patience).isEmpty)
        #expect(waiting?.count == 2)
    }

    private struct Plea: HomeMessage {
        var ifNotHeard: [Effect]? { [] }
    }
}
