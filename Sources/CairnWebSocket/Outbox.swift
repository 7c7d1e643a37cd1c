/// The queue of items for one connection, in order, bounded in bytes (SES-8).
struct Outbox {
    enum Lane {
        /// Events of a topic: dropped together when the reader falls too far behind.
        case events(FanOut)
        /// Replies and similar items: bounded by the client's requests in flight.
        case direct
        /// Snapshots and keyframes of a topic. Their size depends on the view and not on the reader's speed.
        case catchUp(FanOut)
        /// Poses: sent in this turn or behind a catch-up, else dropped.
        case volatile(FanOut)

        var isVolatile: Bool {
            if case .volatile = self { true } else { false }
        }

        /// The topic that it tells of.
        var key: FanOutKey? {
            switch self {
            case .events(let fanOut), .catchUp(let fanOut), .volatile(let fanOut): fanOut.key
            case .direct: nil
            }
        }
    }

    struct Entry {
        let bytes: [UInt8]
        let lane: Lane
    }

    private(set) var entries: [Entry] = []
    // Bytes that wait, by lane. Half a word each: every connection has an outbox, and bounds are far below.
    private var events: Int32 = 0
    private var direct: Int32 = 0
    private var catchUp: Int32 = 0
    private var volatile: Int32 = 0

    var eventBytes: Int { Int(events) }
    var directBytes: Int { Int(direct) }
    var catchUpBytes: Int { Int(catchUp) }
    var volatileBytes: Int { Int(volatile) }
    var isEmpty: Bool { entries.isEmpty }
    var bytes: Int { eventBytes + directBytes + catchUpBytes + volatileBytes }

    mutating func append(_ item: [UInt8], lane: Lane) {
        entries.append(Entry(bytes: item, lane: lane))
        count(item.count, in: lane)
    }

    /// Takes out as many entries as fit into one message of about `limit` bytes; at least one.
    mutating func take(limit: Int, _ body: (ArraySlice<Entry>) -> Void) {
        var taken = 0
        var size = 0
        for entry in entries {
            if taken > 0 && size + entry.bytes.count > limit { break }
            size += entry.bytes.count
            taken += 1
        }
        body(entries[..<taken])
        for entry in entries[..<taken] { count(-entry.bytes.count, in: entry.lane) }
        if taken == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 16)
        } else {
            entries.removeFirst(taken)
        }
    }

    /// Frees what an empty queue holds for the next items.
    mutating func giveBackMemory() {
        if entries.isEmpty && entries.capacity > 0 { entries = [] }
    }

    /// Drops all events; gives the topics that lost some and how many went.
    mutating func dropEvents() -> (topics: Set<FanOutKey>, count: Int) {
        drop { if case .events = $0 { $0.key } else { nil } }
    }

    /// Drops all poses; gives the keys that lost some and how many went.
    mutating func dropVolatile() -> (topics: Set<FanOutKey>, count: Int) {
        drop { if case .volatile = $0 { $0.key } else { nil } }
    }

    /// Drops all that waits of some topics; gives those that lost some and how many items went.
    mutating func dropAll(of keys: Set<FanOutKey>) -> (topics: Set<FanOutKey>, count: Int) {
        drop { lane in lane.key.flatMap { keys.contains($0) ? $0 : nil } }
    }

    private mutating func drop(_ key: (Lane) -> FanOutKey?) -> (topics: Set<FanOutKey>, count: Int) {
        let dropped = entries.filter { key($0.lane) != nil }
        entries.removeAll { key($0.lane) != nil }
        for entry in dropped { count(-entry.bytes.count, in: entry.lane) }
        return (Set(dropped.compactMap { key($0.lane) }), dropped.count)
    }

    private mutating func count(_ bytes: Int, in lane: Lane) {
        switch lane {
        case .events: events += Int32(bytes)
        case .direct: direct += Int32(bytes)
        case .catchUp: catchUp += Int32(bytes)
        case .volatile: volatile += Int32(bytes)
        }
    }
}
