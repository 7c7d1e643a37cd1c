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
        try await desk.take(RecoveryID(rawValue: 1), storing: {}) { work.open() }
        #expect(!work.isOpen)
        pause.open()
        await work.wait()
    }

    @Test func workBeyondTheBound_isRefused_andCounted() async throws {
        let gate = Gate()
        let desk = RecoveryDesk { await gate.wait() }
        let bound = UInt64(RecoveryDesk.waitingMax)
        for number in 0..<bound { try await desk.take(RecoveryID(rawValue: number), storing: {}) {} }
        await #expect(throws: Refusal.self) { try await desk.take(RecoveryID(rawValue: bound), storing: {}) {} }
        #expect(desk.refused == 1)
        gate.open()
    }

    @Test func requestThatIsNotStored_hasNoWork_andTakesNoRoom() async throws {
        struct Fault: Error {}
        let (pause, work) = (Gate(), Gate())
        let desk = RecoveryDesk { await pause.wait() }
        let id = RecoveryID(rawValue: 1)
        await #expect(throws: Fault.self) {
            try await desk.take(id, storing: { throw Fault() }) { Issue.record("it was not stored") }
        }
        desk.resume(id) { work.open() }
        pause.open()
        await work.wait()
    }

    @Test func requestOfThisProcess_isNotBegunTwice() async throws {
        let (pause, work) = (Gate(), Gate())
        let desk = RecoveryDesk { await pause.wait() }
        let id = RecoveryID(rawValue: 1)
        try await desk.take(id, storing: {}) { work.open() }
        desk.resume(id) { Issue.record("it was taken") }
        pause.open()
        await work.wait()
    }
}
