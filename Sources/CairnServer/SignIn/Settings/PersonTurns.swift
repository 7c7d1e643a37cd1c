internal import CairnWire
internal import Synchronization

/// One change of a person at a time: the next begins when the one before has reached all connections. So connections
/// go by what is stored, whichever of two devices was faster (PRF-9). Different people do not wait for one another.
///
/// Those who wait are bounded by the connections of an account, each of which has one change under way.
typealias PersonTurns = KeyedTurns<AccountID>

/// One piece of work of a key at a time, in the order of coming. Work of different keys does not wait for one another.
/// A key is remembered while work of it is under way; each connection has one such work at most.
final class KeyedTurns<Key: Hashable & Sendable>: Sendable {
    private struct Line {
        var last: Task<Void, Never>
        /// Changes under way and waiting.
        var count: Int
    }

    private let lines = Mutex<[Key: Line]>([:])

    func take<Value: Sendable>(of key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = lines.withLock { lines in
            let before = lines[key]
            let task = Task {
                await before?.last.value
                return await work()
            }
            lines[key] = Line(last: Task { _ = await task.value }, count: (before?.count ?? 0) + 1)
            return task
        }
        let value = await task.value
        lines.withLock { lines in
            guard let line = lines[key] else { return }
            lines[key] = line.count > 1 ? Line(last: line.last, count: line.count - 1) : nil
        }
        return value
    }
}
