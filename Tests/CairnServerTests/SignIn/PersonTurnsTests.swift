import CairnCore
import Synchronization
import Testing

@testable import CairnServer

struct PersonTurnsTests {
    private let (ada, bob) = (AccountID(rawValue: 1), AccountID(rawValue: 2))

    @Test func changesOfOnePerson_comeOneAfterAnother_andOthersDoNotWait() async {
        let turns = PersonTurns()
        let order = Mutex<[String]>([])
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        async let first: Void = turns.take(of: ada) {
            begin.yield()
            for await _ in gate { break }
            order.withLock { $0.append("first") }
        }
        for await _ in begun { break }
        async let second: Void = turns.take(of: ada) { order.withLock { $0.append("second") } }
        await turns.take(of: bob) { order.withLock { $0.append("other") } }
        open.yield()
        _ = await (first, second)
        #expect(order.withLock { $0 } == ["other", "first", "second"])
    }
}
