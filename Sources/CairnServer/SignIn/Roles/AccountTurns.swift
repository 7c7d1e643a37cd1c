internal import Synchronization

/// One change of an account at a time: the next begins when the one before has reached all connections. So connections
/// learn of changes in the order in which these were stored.
///
/// Those who wait are bounded by operators and admins, each of whom has one change under way.
final class AccountTurns: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    func take<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = last.withLock { last in
            let before = last
            let task = Task {
                await before?.value
                return try await work()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await task.value
    }
}
