import CairnCore
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnServer

/// What waits while it is undecided where a home lives.
@Suite("Unplaced work")
struct UnplacedWorkTests {
    private static let (here, there) = (HomeAddress.cell(Ground.here.cell), HomeAddress.cell(Ground.here.neighbour))

    private static func entry(_ work: HomeWork, for home: HomeAddress = here) -> UnplacedWork.Entry {
        UnplacedWork.Entry(work: .home(home, work), home: home, isLast: false)
    }

    private static func request(_ id: UInt32, receivedAt: MonotonicTime) -> Request {
        let made = Request.make(.placing(), id: id)
        return Request(
            id: id, key: made.key, command: made.command, payload: made.payload, sender: made.sender,
            receivedAt: receivedAt)
    }

    private static func ids(_ entries: [UnplacedWork.Entry]) -> [UInt32?] {
        entries.map { entry in
            if case .home(_, .decide(let request)) = entry.work { request.id } else { nil }
        }
    }

    @Test func workForAHomeThatIsKnownNow_goesOnInItsOrder_andTheRestWaits() {
        var waiting = UnplacedWork()
        for id in 1...6 as ClosedRange<UInt32> {
            let work = HomeWork.decide(Self.request(id, receivedAt: 0))
            let waits = waiting.append(Self.entry(work, for: id < 4 ? Self.here : Self.there))
            #expect(waits)
        }
        let known = waiting.take { $0 == Self.there }
        let rest = waiting.take { _ in true }
        #expect(Self.ids(known) == [4, 5, 6])
        #expect(Self.ids(rest) == [1, 2, 3])
        #expect(waiting.count == 0)
    }

    @Test func request_isLateAfterThreeSeconds_andAFactNever() {
        var waiting = UnplacedWork()
        _ = waiting.append(Self.entry(.fire))
        _ = waiting.append(Self.entry(.decide(Self.request(1, receivedAt: 10))))
        let (early, late) = (
            waiting.takeLate(now: 10 + HomeQueue.patience), waiting.takeLate(now: 11 + HomeQueue.patience)
        )
        #expect(early.isEmpty && Self.ids(late) == [1])
        #expect(waiting.takeLate(now: .distantFuture).isEmpty)
        #expect(waiting.count == 1)
    }

    @Test func answer_isNoRequest_andWaitsForAsLongAsItTakes() {
        var waiting = UnplacedWork()
        let (request, account) = (Self.request(1, receivedAt: 0), AccountID.make())
        let work = ShardWork.account(account, .decided(request, .success(.done(WireDone()))))
        _ = waiting.append(UnplacedWork.Entry(work: work, home: .account(account), isLast: false))
        #expect(waiting.takeLate(now: .distantFuture).isEmpty)
    }

    @Test func beyondTheBound_requestsAndPositionsHaveNoRoom_andWhoLeavesHas() {
        var waiting = UnplacedWork()
        for _ in 0..<UnplacedWork.countMax { _ = waiting.append(Self.entry(.fire)) }
        let cell = Ground.here.cell
        func entry(_ work: CellWork) -> UnplacedWork.Entry {
            UnplacedWork.Entry(work: .cell(cell, work), home: .cell(cell), isLast: false)
        }
        let hasRequestRoom = waiting.append(Self.entry(.decide(Self.request(1, receivedAt: 0))))
        let hasPositionRoom = waiting.append(entry(.move(.make(), to: .make(), standing: Ground.here.centre)))
        let hasRoomForWhoLeaves = waiting.append(entry(.leave(.make())))
        #expect(!hasRequestRoom && !hasPositionRoom && hasRoomForWhoLeaves)
        #expect(waiting.count == UnplacedWork.countMax + 1)
    }
}
