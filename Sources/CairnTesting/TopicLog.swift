public import CairnWire

/// One topic as a client has received it, checked against the protocol's rules of order (SES-7).
///
/// It shares no code with the client library: an independent reading of the protocol finds more errors.
public struct TopicLog: Sendable {
    /// Nil before the first snapshot is complete.
    public private(set) var epoch: UInt64?
    /// Number of the last event, or of the snapshot.
    public private(set) var sequence: UInt64 = 0
    /// The instances of the topic, by id.
    public private(set) var instances: [String: WireInstance] = [:]
    /// Number of events since the topic was followed.
    public private(set) var eventCount = 0
    /// Number of complete snapshots.
    public private(set) var snapshotCount = 0
    /// Number of times that the topic continued from this client's cursor.
    public private(set) var continuedCount = 0
    public private(set) var isResynchronising = false
    /// The instances that entered, moved or left by events, in their order.
    public private(set) var history: [(sequence: UInt64, id: String, what: String)] = []
    private var isInSnapshot = false

    /// The log of an earlier connection, for one that resumes from it.
    func resumed() -> TopicLog {
        var log = self
        log.isInSnapshot = false
        log.snapshotCount = 0
        log.continuedCount = 0
        return log
    }

    mutating func receive(_ page: WireSnapshot) -> String? {
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

    /// The server continues from a cursor that this client named.
    mutating func receive(_ continued: WireContinued) -> String? {
        let cursor = continued.cursor
        guard cursor.epoch == epoch, cursor.sequence == sequence else {
            return "continued from \(cursor.sequence), but \(sequence) was the last"
        }
        continuedCount += 1
        return nil
    }

    mutating func receive(_ event: WireEvent) -> String? {
        guard epoch != nil, !isInSnapshot else { return "event \(event.sequence) before the snapshot was whole" }
        guard !isResynchronising else { return "event \(event.sequence) between resync and snapshot" }
        let fault = event.sequence == sequence + 1 ? nil : "event \(event.sequence) after \(sequence)"
        sequence = event.sequence
        eventCount += 1
        return fault ?? apply(event)
    }

    private mutating func apply(_ event: WireEvent) -> String? {
        guard let change = event.change else { return "an event without a change" }
        for feature in TestingFeatures.all {
            if let verdict = feature.apply(change, to: &self) { return verdict.fault }
        }
        return "a change that no feature of the test kit knows"
    }

    // MARK: For features

    /// A feature's verdict on a change of its own: the fault, nil = none.
    struct Verdict {
        let fault: String?

        init(_ fault: String?) { self.fault = fault }
    }

    /// Adds an instance.
    mutating func enter(_ instance: WireInstance) -> Verdict {
        note(instance.id, "entered")
        let before = instances.updateValue(instance, forKey: instance.id)
        return Verdict(before == nil ? nil : "\(instance.id) entered but was there")
    }

    /// Changes an instance of the topic.
    /// - Parameter change: applies the change and returns what is wrong with it.
    mutating func alter(
        _ id: String, _ what: String, _ change: (inout WireInstance) -> String?
    ) -> Verdict {
        note(id, what)
        guard var instance = instances[id] else { return Verdict("\(id) changed but is not there") }
        let fault = change(&instance)
        instances[id] = instance
        return Verdict(fault)
    }

    /// Removes an instance.
    mutating func drop(_ id: String, _ what: String) -> Verdict {
        note(id, what)
        let before = instances.removeValue(forKey: id)
        return Verdict(before == nil ? "\(id) changed but is not there" : nil)
    }

    private mutating func note(_ id: String, _ what: String) { history.append((sequence, id, what)) }

    mutating func startOver() {
        isResynchronising = true
        isInSnapshot = false
    }
}
