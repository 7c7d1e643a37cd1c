internal import CairnWire
internal import Synchronization

/// One change of a person at a time: the next begins when the one before has reached all connections. So connections
/// go by what is stored, whichever of two devices was faster (PRF-9). Different people do not wait for one another.
///
/// Those who wait are bounded by the connections of an account, each of which has one change under way.
final class PersonTurns: Sendable {
    private struct Line {
        var last: Task<Void, Never>
        /// Changes under way and waiting.
        var count: Int
    }

    private let lines = Mutex<[AccountID: Line]>([:])

    func take<Value: Sendable>(of account: AccountID, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = lines.withLock { lines in
            let before = lines[account]
            let task = Task {
                await before?.last.value
                return await work()
            }
            lines[account] = Line(last: Task { _ = await task.value }, count: (before?.count ?? 0) + 1)
            return task
        }
        let value = await task.value
        lines.withLock { lines in
            guard let line = lines[account] else { return }
            lines[account] = line.count > 1 ? Line(last: line.last, count: line.count - 1) : nil
        }
        return value
    }
}
