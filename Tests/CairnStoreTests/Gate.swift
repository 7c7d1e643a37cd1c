import Dispatch

/// Holds a thread up until the test opens it.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let (arrivals, continuation) = AsyncStream<Void>.makeStream()

    /// Blocks the calling thread until the gate is open.
    func pass() { opened.wait() }

    func open() { opened.signal() }

    /// Says that somebody stands before the gate.
    func arrive() { continuation.yield() }

    /// Waits for somebody to stand before the gate.
    func arrival() async {
        for await _ in arrivals { return }
    }
}
