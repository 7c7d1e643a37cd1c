internal import Synchronization

/// A state that tests can wait on: it may be changed from any thread, and waiting needs no sleep.
public final class Journal<State: Sendable>: Sendable {
    private let inside: Mutex<Inside>

    private struct Inside {
        var state: State
        var waiters: [Int: Waiter] = [:]
        var number = 0
    }

    private struct Waiter {
        /// Resumes the waiter if the state has what it waits for, and says whether it did.
        let isServed: (State) -> Bool
        let giveUp: (BenchError) -> Void
    }

    /// Begins with this state.
    public init(_ state: State) {
        inside = Mutex(Inside(state: state))
    }

    /// The state at this moment.
    public var now: State { inside.withLock { $0.state } }

    /// Looks at the state without copying it.
    public func look<Result: Sendable>(_ body: (State) throws -> Result) rethrows -> Result {
        try inside.withLock { try body($0.state) }
    }

    /// Changes the state and resumes the waiters whose condition now holds.
    public func note<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        inside.withLock { inside in
            let result = change(&inside.state)
            for (number, waiter) in inside.waiters where waiter.isServed(inside.state) {
                inside.waiters[number] = nil
            }
            return result
        }
    }

    /// Waits until `match` returns a value, now or after a later `note`.
    ///
    /// - Parameters:
    ///   - what: named in the error when it never comes.
    ///   - patience: longest wait; then the test fails.
    public func wait<Found: Sendable>(
        for what: String, patience: Duration = .seconds(120), _ match: @escaping @Sendable (State) -> Found?
    ) async throws -> Found {
        let ticket = inside.withLock { inside in
            inside.number += 1
            return inside.number
        }
        let alarm = Task { [self] in
            try await Task.sleep(for: patience)
            let waiter = inside.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.giveUp(BenchError("waited \(patience) for \(what)"))
        }
        defer { alarm.cancel() }
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Found, any Error>) in
            inside.withLock { inside in
                if let found = match(inside.state) { return continuation.resume(returning: found) }
                inside.waiters[ticket] = Waiter(
                    isServed: { state in
                        guard let found = match(state) else { return false }
                        continuation.resume(returning: found)
                        return true
                    },
                    giveUp: { continuation.resume(throwing: $0) })
            }
        }
    }

    /// Waits until `condition` holds.
    public func wait(
        until what: String, patience: Duration = .seconds(120), _ condition: @escaping @Sendable (State) -> Bool
    ) async throws {
        let _: Bool = try await wait(for: what, patience: patience) { condition($0) ? true : nil }
    }
}
