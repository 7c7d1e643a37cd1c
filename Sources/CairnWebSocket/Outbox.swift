/// What waits for one connection, in order, bounded in bytes (SES-8).
struct Outbox {
    enum Lane: Equatable {
        /// Events of a topic: dropped together when the reader falls too far behind.
        case events(FanOutKey)
        /// Replies, snapshots and the like: bounded by what the client may have under way.
        case direct
        /// Leaves in this turn or not at all.
        case volatile
    }

    struct Entry {
        let bytes: [UInt8]
        let lane: Lane
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ item: [UInt8], lane: Lane) {
        entries.append(Entry(bytes: item, lane: lane))
        bytes += item.count
    }

    /// Takes out as many entries as fit into one message of about `limit` bytes; at least one.
    mutating func take(limit: Int, _ body: (ArraySlice<Entry>) -> Void) {
        var count = 0
        var size = 0
        for entry in entries {
            if count > 0 && size + entry.bytes.count > limit { break }
            size += entry.bytes.count
            count += 1
        }
        body(entries[..<count])
        bytes -= size
        if count == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 16)
        } else {
            entries.removeFirst(count)
        }
    }

    /// Drops all events; gives the topics that lost some and how many went.
    mutating func dropEvents() -> (topics: Set<FanOutKey>, count: Int) {
        var topics: Set<FanOutKey> = []
        let before = entries.count
        entries.removeAll { entry in
            guard case .events(let key) = entry.lane else { return false }
            topics.insert(key)
            return true
        }
        bytes = entries.reduce(0) { $0 + $1.bytes.count }
        return (topics, before - entries.count)
    }

    /// Drops what is only worth sending at once; gives how many went.
    mutating func dropVolatile() -> Int {
        let before = entries.count
        entries.removeAll { $0.lane == .volatile }
        bytes = entries.reduce(0) { $0 + $1.bytes.count }
        return before - entries.count
    }
}
