import CairnWire
import Synchronization
import Testing

@testable import CairnServer

@Suite struct PersonTurnsTests {
    /// What has ended, in its order.
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func append(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let ada = AccountID(rawValue: 1)
    private let bob = AccountID(rawValue: 2)

    @Test func changesOfOnePerson_comeOneAfterAnother_andOthersDoNotWait() async {
        let turns = PersonTurns()
        let order = Order()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        async let first: Void = turns.take(of: ada) {
            begin.yield()
            for await _ in gate { break }
            order.append("first")
        }
        for await _ in begun { break }
        async let second: Void = turns.take(of: ada) { order.append("second") }
        await turns.take(of: bob) { order.append("other") }
        open.yield()
        _ = await (first, second)
        #expect(order.all == ["other", "first", "second"])
    }
}
