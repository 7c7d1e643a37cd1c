import CairnWire
import Synchronization
import Testing

@testable import CairnServer

/// A recovery is answered before its address is looked up (ACC-10).
@Suite("Desk of recoveries")
struct RecoveryDeskTests {
    /// Opens for all who wait.
    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var isOpen: Bool { state.withLock { $0.isOpen } }

        func open() {
            let waiting = state.withLock { state in
                defer { state = State(isOpen: true) }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }

    @Test func work_beginsBehindThePause_andTakeDoesNotWait() async throws {
        let (pause, work) = (Gate(), Gate())
        let desk = RecoveryDesk { await pause.wait() }
        try desk.take { work.open() }
        #expect(!work.isOpen)
        pause.open()
        await work.wait()
    }

    @Test func workBeyondTheBound_isRefused_andCounted() throws {
        let gate = Gate()
        let desk = RecoveryDesk { await gate.wait() }
        for _ in 0..<RecoveryDesk.waitingMax { try desk.take {} }
        #expect(throws: Refusal.self) { try desk.take {} }
        #expect(desk.refused == 1)
        gate.open()
    }
}
