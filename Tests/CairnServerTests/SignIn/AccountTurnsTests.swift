import Synchronization
import Testing

@testable import CairnServer

/// Changes of accounts take turns (ROL-5).
@Suite("Turns of accounts")
struct AccountTurnsTests {
    private struct Failure: Error {}

    /// How many are at work, and how many were at most.
    private final class Gauge: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
        func leave() { counts.withLock { $0.now -= 1 } }
    }

    @Test func work_neverOverlaps() async throws {
        let (turns, gauge) = (AccountTurns(), Gauge())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await turns.take {
                        gauge.enter()
                        await Task.yield()
                        gauge.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(gauge.most == 1)
    }

    @Test func failedWork_letsTheNextBegin() async throws {
        let turns = AccountTurns()
        await #expect(throws: Failure.self) { try await turns.take { throw Failure() } }
        #expect(try await turns.take { 7 } == 7)
    }
}
