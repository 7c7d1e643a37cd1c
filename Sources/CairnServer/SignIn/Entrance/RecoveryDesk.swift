internal import CairnWire
internal import Synchronization

/// Work for requests that are answered before it begins, so that the time of no answer depends on what it finds.
///
/// Each piece begins after a pause by chance: the requests that a client sends behind the first are answered
/// meanwhile, and the load of the work meets whoever is there then. What waits is lost with the process.
final class RecoveryDesk: Sendable {
    /// Most pieces of work that wait or are under way. The next request is refused with `try_again`.
    static let waitingMax = 1_024
    /// Milliseconds before a piece begins.
    private static let pause = 200..<1_200

    private struct State {
        var waiting = 0
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

    /// Takes work and returns before it begins.
    /// - Throws: `try_again`, whatever the work would find.
    func take(_ work: @escaping @Sendable () async -> Void) throws(Refusal) {
        let isTaken = state.withLock { state in
            guard state.waiting < Self.waitingMax else {
                state.refused += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard isTaken else {
            throw Refusal(
                .tryAgain, "many ask for such a mail at the moment", component: SignIn.component,
                retryAfter: .seconds(2))
        }
        Task {
            await waits()
            await work()
            state.withLock { $0.waiting -= 1 }
        }
    }
}
