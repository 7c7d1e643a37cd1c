import CairnCore
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnServer

/// What waits for a home that does not wake: requests, and what other homes say.
@Suite("Home queue")
struct HomeQueueTests {
    private static let patience = HomeQueue.patience

    /// - Parameter work: what waits, and since when.
    private static func queue(_ work: (HomeTask, MonotonicTime)...) -> HomeQueue {
        var queue = HomeQueue()
        for (work, since) in work { queue.append(work, now: since) }
        return queue
    }

    @Test func plea_isNoLongerWaitedWith_afterThreeSeconds() {
        var queue = Self.queue((.work(.hear(Plea())), 10))
        #expect(queue.takeLate(now: 10 + Self.patience).isEmpty)
        #expect(queue.takeLate(now: 11 + Self.patience).count == 1)
        #expect(queue.isEmpty, "it must not be heard after it was declined")
    }

    @Test func factFromAnotherHome_waitsForAsLongAsItTakes() {
        var queue = Self.queue((.work(.hear(Fact())), 0), (.work(.hear(Plea())), .epoch + Self.patience * 50))
        #expect(queue.takeLate(now: .epoch + Self.patience * 50).isEmpty)
        #expect(queue.count == 2)
    }

    // MARK: Requests (`Shard.refuseLate`)

    private static func request(_ id: UInt32, receivedAt: MonotonicTime) -> Request {
        let made = Request.make(.placing(), id: id)
        return Request(
            id: id, key: made.key, command: made.command, payload: made.payload, sender: made.sender,
            receivedAt: receivedAt)
    }

    @Test func request_isRefusedOnceItHasWaitedForThreeSeconds() {
        var queue = Self.queue((.work(.decide(Self.request(1, receivedAt: 10))), 10))
        #expect(queue.takeLate(now: 3_000_010).isEmpty)
        #expect(queue.takeLate(now: 3_000_011).compactMap(\.request?.id) == [1])
        #expect(queue.isEmpty, "it must not be run after it was refused")
    }

    @Test func requestThatWasHandedOn_isLateSinceItCame_notSinceItWaitsHere() {
        var queue = Self.queue((.resume(Self.request(1, receivedAt: 10), rows: nil), 2_900_000))
        #expect(queue.takeLate(now: 3_000_011).compactMap(\.request?.id) == [1])
    }

    @Test func requestThatCameLater_waitsOn_andKeepsItsPlace() {
        var queue = Self.queue(
            (.work(.decide(Self.request(1, receivedAt: 10))), 10), (.work(.hear(Fact())), 20),
            (.work(.decide(Self.request(2, receivedAt: 500_000))), 500_000))
        #expect(queue.takeLate(now: 3_100_000).compactMap(\.request?.id) == [1])
        #expect(queue.takeAll().map(\.request?.id) == [nil, 2])
    }

    @Test func requestThatIsRefused_isToldToComeBackLater() {
        let refusal = HomeQueue.unreadable
        #expect(refusal.code == .storageUnavailable)
        #expect(refusal.retryAfter == .seconds(5))
    }

    private struct Plea: HomeMessage {
        static let kind: StaticText = "tests.plea"

        init() {}

        init(payload: [UInt8], register: FeatureRegister) {}

        var payload: [UInt8] { [] }
        var ifNotHeard: [Effect]? { [] }

        func heard(in turn: inout Turn) -> [Effect] { [] }
    }

    private struct Fact: HomeMessage {
        static let kind: StaticText = "tests.fact"

        init() {}

        init(payload: [UInt8], register: FeatureRegister) {}

        var payload: [UInt8] { [] }

        func heard(in turn: inout Turn) -> [Effect] { [] }
    }
}
