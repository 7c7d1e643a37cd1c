public import CairnWire

/// What a client has been told of one topic, and every promise about its order that was broken (SES-7).
///
/// Knows nothing of the client library: two readings of the protocol that agree are worth more than one.
public struct TopicLog: Sendable {
    /// Nil before the first snapshot is whole.
    public private(set) var epoch: UInt64?
    /// Number of the last event, or of the snapshot.
    public private(set) var sequence: UInt64 = 0
    /// What the topic holds, by id.
    public internal(set) var instances: [String: WireInstance] = [:]
    /// Events taken since the topic was followed.
    public private(set) var eventCount = 0
    /// Snapshots taken whole.
    public private(set) var snapshotCount = 0
    /// Times that the topic went on from where this client was.
    public private(set) var continuedCount = 0
    public private(set) var isResynchronising = false
    /// Ids in the order in which they entered, moved or left, as events told it.
    public private(set) var history: [(sequence: UInt64, id: String, what: String)] = []
    private var isInSnapshot = false

    /// Goes on from what an earlier connection was told.
    func resumed() -> TopicLog {
        var log = self
        log.isInSnapshot = false
        log.snapshotCount = 0
        log.continuedCount = 0
        return log
    }

    mutating func take(_ page: WireSnapshot) -> String? {
        var fault: String?
        if page.first {
            if isInSnapshot { fault = "a snapshot began inside another" }
            instances = [:]
            isInSnapshot = true
        } else if !isInSnapshot {
            fault = "a page without a first one"
        } else if (epoch, sequence) != (page.cursor.epoch, page.cursor.sequence) {
            fault = "pages of two snapshots"
        }
        epoch = page.cursor.epoch
        sequence = page.cursor.sequence
        for instance in page.instances where instances.updateValue(instance, forKey: instance.id) != nil {
            fault = "\(instance.id) twice in a snapshot"
        }
        if page.last {
            isInSnapshot = false
            isResynchronising = false
            snapshotCount += 1
        }
        return fault
    }

    /// The server goes on from a cursor that this client named.
    mutating func take(_ continued: WireContinued) -> String? {
        let cursor = continued.cursor
        guard cursor.epoch == epoch, cursor.sequence == sequence else {
            return "continued from \(cursor.sequence), but \(sequence) was the last"
        }
        continuedCount += 1
        return nil
    }

    mutating func take(_ event: WireEvent) -> String? {
        guard epoch != nil, !isInSnapshot else { return "event \(event.sequence) before the snapshot was whole" }
        guard !isResynchronising else { return "event \(event.sequence) between resync and snapshot" }
        let fault = event.sequence == sequence + 1 ? nil : "event \(event.sequence) after \(sequence)"
        sequence = event.sequence
        eventCount += 1
        return fault ?? apply(event)
    }

    private mutating func apply(_ event: WireEvent) -> String? {
        func known(_ id: String) -> String? { instances[id] == nil ? "\(id) changed but is not there" : nil }
        func note(_ id: String, _ what: String) { history.append((event.sequence, id, what)) }
        switch event.change {
        case .entered(let entered):
            let id = entered.instance.id
            note(id, "entered")
            let before = instances.updateValue(entered.instance, forKey: id)
            return before == nil ? nil : "\(id) entered but was there"
        case .changed(let changed):
            note(changed.instance, "changed")
            defer {
                instances[changed.instance]?.pose = changed.pose
                instances[changed.instance]?.version = changed.version
                if changed.hasText { instances[changed.instance]?.text = changed.text }
                if changed.hasData { instances[changed.instance]?.data = changed.data }
            }
            if let held = instances[changed.instance], held.version + 1 != changed.version {
                return "\(changed.instance) went from version \(held.version) to \(changed.version)"
            }
            return known(changed.instance)
        case .left(let left):
            note(left.instance, "left")
            defer { instances[left.instance] = nil }
            return known(left.instance)
        case .movedOut(let moved):
            note(moved.instance, "movedOut")
            defer { instances[moved.instance] = nil }
            return known(moved.instance)
        case .reacted(let reacted):
            note(reacted.instance, "reacted")
            defer { instances[reacted.instance]?.reactions = reacted.reactions }
            return known(reacted.instance)
        default:
            return takeChange(ofPost: event)
        }
    }

    mutating func startOver() {
        isResynchronising = true
        isInSnapshot = false
    }
}
