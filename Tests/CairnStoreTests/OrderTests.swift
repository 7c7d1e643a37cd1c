import CairnCore
import Synchronization
import Testing

@testable import CairnStore

/// What is written next is the order's word, and it may come late.
@Suite("Order")
struct OrderTests {
    /// Gives out what was submitted when it is allowed to, the last of a batch first.
    private final class LateOrder: Order {
        private let submitted: any Order
        private let isDecided = Mutex(false)

        init(_ submitted: any Order) { self.submitted = submitted }

        func decide() { isDecided.withLock { $0 = true } }

        func next(changesMax: Int) -> [Backlog.Entry] {
            isDecided.withLock { $0 } ? submitted.next(changesMax: changesMax).reversed() : []
        }
    }

    /// The store writes by a late order from now on.
    private static func delay(_ store: Store) async throws -> LateOrder {
        try #require(
            await store.withWriter { writer in
                let order = LateOrder(writer.order)
                writer.order = order
                return order
            })
    }

    @Test func unitWhoseOrderIsNotDecided_isNeitherWrittenNorAcknowledged() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        let order = try await Self.delay(store)
        store.submit(unit(1))
        // The writer has looked, and has found nothing to write.
        let steps = await store.withWriter { writer in [writer.step(), writer.step()] }
        #expect(steps?.isEmpty == false)
        #expect(outcomes.received.withLock { $0.isEmpty })
        #expect(try await store.markCount == 0)
        #expect(store.figures.backlogChanges == 1, "it waits, and counts as what waits")
        order.decide()
        #expect(await outcomes.decided(1).flatMap(\.committed) == [ticket(1)])
        #expect(try await store.markCount == 1)
    }

    @Test func units_areWrittenAndToldInTheOrderThatWasDecided() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        let order = try await Self.delay(store)
        await store.submitTogether((1...5).map { unit($0) })
        order.decide()
        #expect(await outcomes.decided(5).flatMap(\.committed) == (1...5).reversed().map { ticket($0) })
    }

    @Test func closing_waitsForTheOrder_asForADiskThatRefuses() async throws {
        let store = try await TemporaryDatabase().open { $0.closeMax = .milliseconds(50) }
        _ = try await Self.delay(store)
        store.submit(unit(1))
        #expect(await store.close() == 1, "what has no order yet is not saved, and was not acknowledged")
    }
}
