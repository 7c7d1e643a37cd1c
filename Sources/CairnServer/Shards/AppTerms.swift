internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import HeapModule

/// When the sign-ins of connections end that came with a token of the app's backend (ACC-12): one end for each
/// connection, as long as it is open.
struct AppTerms {
    private struct Entry: Comparable {
        let until: WallTime
        let connection: ConnectionID

        static func < (left: Self, right: Self) -> Bool { left.until < right.until }
    }

    private var ends: [ConnectionID: WallTime] = [:]
    /// What `ends` holds, the earliest first, and what was replaced or removed since.
    private var order = Heap<Entry>()

    /// Looked at in one call of `takeDue`: each end leaves cells and topics.
    static let stepsMax = 1_000
    private static let outdatedMin = 64

    /// Connections with an end.
    var count: Int { ends.count }
    /// Entries in memory, at most twice `count` and `outdatedMin`.
    var entryCount: Int { order.count }

    /// Replaces the connection's end, if it has one.
    mutating func set(_ connection: ConnectionID, until time: WallTime) {
        guard ends.updateValue(time, forKey: connection) != time else { return }
        order.insert(Entry(until: time, connection: connection))
        tidy()
    }

    mutating func remove(_ connection: ConnectionID) {
        guard ends.removeValue(forKey: connection) != nil else { return }
        tidy()
    }

    /// Removes and returns connections whose time has come, the earliest first. The rest comes at the next call.
    mutating func takeDue(now: WallTime) -> [ConnectionID] {
        var due: [ConnectionID] = []
        for _ in 0..<Self.stepsMax {
            guard let first = order.min, first.until <= now else { break }
            order.removeMin()
            guard ends[first.connection] == first.until else { continue }
            ends[first.connection] = nil
            due.append(first.connection)
        }
        return due
    }

    /// Forgets what was replaced or removed, once it is more than what counts.
    private mutating func tidy() {
        guard order.count > 2 * ends.count + Self.outdatedMin else { return }
        order = Heap(ends.map { Entry(until: $0.value, connection: $0.key) })
    }
}
