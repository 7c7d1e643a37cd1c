import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// What waits for a home that does not wake: requests, and what other homes ask.
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

    // MARK: Requests (`Shard.refuseLate`)

    private static func waiter(for id: UInt32, receivedAt: UInt64) -> HomeWaiter<Cell> {
        let made = Request.make(.placing(), id: id)
        let request = Request(
            id: id, key: made.key, command: made.command, payload: made.payload, sender: made.sender,
            receivedAt: receivedAt)
        return HomeWaiter(request: request, work: { _ in })
    }

    @Test func request_isRefusedOnceItHasWaitedForThreeSeconds() {
        var waiting: [HomeWaiter<Cell>]? = [Self.waiter(for: 1, receivedAt: 10)]
        #expect(HomeWaiter.takeLate(from: &waiting, now: 10 + 3_000_000).isEmpty)
        #expect(HomeWaiter.takeLate(from: &waiting, now: 11 + 3_000_000).map(\.id) == [1])
        #expect(waiting?.isEmpty == true, "it must not be run after it was refused")
    }

    @Test func requestThatCameLater_waitsOn_andKeepsItsPlace() {
        var waiting: [HomeWaiter<Cell>]? = [
            Self.waiter(for: 1, receivedAt: 10), Self.waiter(nil), Self.waiter(for: 2, receivedAt: 500_000),
        ]
        #expect(HomeWaiter.takeLate(from: &waiting, now: 3_100_000).map(\.id) == [1])
        #expect(waiting?.map(\.request?.id) == [nil, 2])
    }

    @Test func requestOfAHomeThatIsAwake_isNotLate() {
        var waiting: [HomeWaiter<Cell>]?
        #expect(HomeWaiter.takeLate(from: &waiting, now: .max).isEmpty)
        #expect(waiting == nil, "a home that is awake must not be made to wait again")
    }

    @Test func requestThatIsRefused_isToldToComeBackLater() {
        let refusal = HomeWaiter<Cell>.unreadable
        #expect(refusal.code == .storageUnavailable)
        #expect(refusal.retryAfter == .seconds(5))
    }

    private struct Plea: HomeMessage {
        var ifNotHeard: [Effect]? { [] }

        func heard(in turn: inout Turn) -> [Effect] { [] }
    }
}
