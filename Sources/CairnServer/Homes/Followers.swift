internal import CairnCore
internal import CairnWire

/// The number of a topic's followers on each loop. Only the loops know the connections, except for those that read
/// JSON.
struct Followers: Sendable {
    private var counts: [Place: Int] = [:]
    /// Connections that read JSON: the console, a browser.
    private(set) var jsonReaders: Set<Participant> = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var readsJSON: Bool { !jsonReaders.isEmpty }
    /// The loops with at least one follower.
    var places: some Sequence<Place> { counts.keys }
    var placeCount: Int { counts.count }

    mutating func add(_ participant: Participant) {
        counts[participant.place, default: 0] += 1
        if participant.format == .json { jsonReaders.insert(participant) }
        count += 1
    }

    mutating func remove(_ participant: Participant) {
        guard let here = counts[participant.place] else { return }
        counts[participant.place] = here > 1 ? here - 1 : nil
        jsonReaders.remove(participant)
        count -= 1
    }
}

/// The encoded snapshot of a topic, good until its next event: a crowd that joins together shares it.
struct SnapshotCache: Sendable {
    private var cursor: Cursor?
    private var pages: [WireFormat: [[UInt8]]] = [:]

    mutating func pages(of stream: TopicStream, format: WireFormat, pageSize: Int) -> [[UInt8]] {
        if cursor != stream.cursor {
            cursor = stream.cursor
            pages = [:]
        }
        if let known = pages[format] { return known }
        let encoded = stream.snapshot(pageSize: pageSize).map { ServerItemEncoder.encode($0, format: format) }
        pages[format] = encoded
        return encoded
    }
}
