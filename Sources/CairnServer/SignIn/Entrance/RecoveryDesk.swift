internal import CairnWire
internal import Synchronization

/// Work for requests that are answered before it begins, so that the time of no answer depends on what it finds.
///
/// Each request is stored first, the same way whatever it is about. Its work begins after a pause by chance: the
/// requests that a client sends behind the first are answered meanwhile, and the load of the work meets whoever is
/// there then. The work ends what was stored, so what waits when the process ends is done by the next one.
final class RecoveryDesk: Sendable {
    /// Most requests whose work waits or is under way. The next one is refused with `try_again`.
    static let waitingMax = 1_024
    /// Milliseconds before the work begins.
    private static let pause = 200..<1_200

    private struct State {
        var waiting: Set<RecoveryID> = []
        var refused: UInt64 = 0
    }

    private let state = Mutex(State())
    private let waits: @Sendable () async -> Void

    /// - Parameter waits: nil = the pause by chance.
    init(waits: (@Sendable () async -> Void)? = nil) {
        self.waits = waits ?? { try? await Task.sleep(for: .milliseconds(Int.random(in: Self.pause))) }
    }

    /// Requests that were refused because too many waited.
    var refused: UInt64 { state.withLock { $0.refused } }

    /// Takes a request, and returns when it is stored and before its work begins.
    /// - Throws: `try_again`, whatever the work would find; what `store` throws.
    func take(
        _ id: RecoveryID, storing store: () async throws -> Void, _ work: @escaping @Sendable () async -> Void
    ) async throws {
        let isTaken = state.withLock { state in
            guard state.waiting.count < Self.waitingMax else {
                state.refused += 1
                return false
            }
            state.waiting.insert(id)
            return true
        }
        guard isTaken else {
            throw Refusal(
                .tryAgain, "many ask for such a mail at the moment", component: SignIn.component,
                retryAfter: .seconds(2))
        }
        do {
            try await store()
        } catch {
            release(id)
            throw error
        }
        begin(id, work)
    }

    /// Begins the work of a request that was stored before this process. One that this process has taken has its work.
    func resume(_ id: RecoveryID, _ work: @escaping @Sendable () async -> Void) {
        guard state.withLock({ $0.waiting.insert(id).inserted }) else { return }
        begin(id, work)
    }

    private func begin(_ id: RecoveryID, _ work: @escaping @Sendable () async -> Void) {
        Task {
            await waits()
            await work()
            release(id)
        }
    }

    private func release(_ id: RecoveryID) { _ = state.withLock { $0.waiting.remove(id) } }
}
