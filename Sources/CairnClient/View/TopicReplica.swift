public import CairnWire

/// How much of a topic the client has seen: one value, because a sequence means nothing without its epoch (SES-7).
public struct TopicCursor: Hashable, Sendable {
    public let epoch: UInt64
    public let sequence: UInt64

    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}

/// A client's copy of one topic: a snapshot and the numbered changes since. Checks every rule of the protocol (SES-7);
/// a violation is reported, and the change is applied as far as possible.
public struct TopicReplica: Sendable {
    public let name: String
    /// Nil until the first snapshot is complete, and while the topic is being resynchronised.
    public private(set) var cursor: TopicCursor?
    public private(set) var instances: [InstanceID: WireInstance] = [:]
    /// The user's own instances in the topic.
    public internal(set) var own: Set<InstanceID> = []
    private var pages: (cursor: TopicCursor, instances: [InstanceID: WireInstance])?
    /// Skipped numbers, which distinguish a late event from a repeated one.
    private var missing: Set<UInt64> = []
    /// Most numbers of one gap that are remembered.
    private static let missingMax = 1_024

    init(name: String) {
        self.name = name
    }

    /// Whether the snapshot is complete, so that the replica equals the server's state.
    public var isComplete: Bool { cursor != nil && pages == nil }

    /// The topic's cell: its name up to the scope.
    public var cellToken: Substring { Self.cellToken(of: name) }

    static func cellToken(of topic: String) -> Substring { topic.prefix { $0 != "/" } }

    /// Applies a page of a snapshot.
    /// - Returns: the instances before the snapshot, when the page is the last one.
    mutating func apply(_ page: WireSnapshot, violations: inout [Violation]) -> [InstanceID: WireInstance]? {
        let cursor = TopicCursor(epoch: page.cursor.epoch, sequence: page.cursor.sequence)
        if page.first {
            if pages != nil { report(.brokenSnapshot, "a first page before the last of the one before", &violations) }
            if let held = self.cursor, held.epoch == cursor.epoch, held.sequence > cursor.sequence {
                report(.brokenSnapshot, "it leads back from \(held.sequence) to \(cursor.sequence)", &violations)
            }
            pages = (cursor, [:])
        } else if pages == nil {
            report(.brokenSnapshot, "a page without a first one", &violations)
            pages = (cursor, [:])
        } else if pages?.cursor != cursor {
            report(.brokenSnapshot, "its pages have different cursors", &violations)
        }
        for instance in page.instances {
            guard let id = InstanceID(instance.id) else {
                report(.badIdentifier, "\"\(instance.id)\" is no instance id", &violations)
                continue
            }
            if pages?.instances.updateValue(instance, forKey: id) != nil {
                report(.enteredTwice, "instance \(id) is twice in a snapshot", &violations)
            }
        }
        guard page.last, let complete = pages else { return nil }
        let before = instances
        instances = complete.instances
        own = []
        self.cursor = cursor
        pages = nil
        missing = []
        return before
    }

    /// Applies the server's list of own instances, after a snapshot or when another device has added one.
    /// - Returns: the own instances that only the user sees, which are in no snapshot.
    mutating func apply(_ told: WireOwn) -> [InstanceID] {
        own.formUnion(told.instances.compactMap { InstanceID($0.id) })
        return told.hidden.compactMap { instance in
            guard let id = InstanceID(instance.id) else { return nil }
            own.insert(id)
            instances[id] = instance
            return id
        }
    }

    /// The topic's events were dropped; a snapshot follows.
    mutating func startOver() {
        cursor = nil
        pages = nil
        missing = []
    }

    /// Applies an event.
    /// - Returns: the effect of the event; nil = it changes nothing.
    mutating func apply(_ event: WireEvent, violations: inout [Violation]) -> FoldedEvent? {
        guard let cursor, pages == nil else {
            report(.eventBeforeSnapshot, "event \(event.sequence) before the snapshot is complete", &violations)
            return nil
        }
        let next = cursor.sequence + 1
        if event.sequence < next {
            // It is not applied, because later events have been.
            if missing.remove(event.sequence) != nil {
                report(.reordered, "event \(event.sequence) after event \(cursor.sequence)", &violations)
            } else {
                report(.repeated, "event \(event.sequence) again, after event \(cursor.sequence)", &violations)
            }
            return nil
        }
        if event.sequence > next {
            report(.gap, "event \(event.sequence) after event \(cursor.sequence)", &violations)
            for number in (next..<event.sequence).prefix(Self.missingMax) { missing.insert(number) }
        }
        self.cursor = TopicCursor(epoch: cursor.epoch, sequence: event.sequence)
        return apply(event.change, violations: &violations)
    }

    /// Applies a change. An unknown change of a newer server has no effect, but its number counts.
    private mutating func apply(_ change: WireEvent.OneOf_Change?, violations: inout [Violation]) -> FoldedEvent? {
        guard let change else { return nil }
        for fold in ClientFeatures.folds {
            if let folded = fold.fold(change, into: &self, violations: &violations) { return folded }
        }
        return nil
    }

    // MARK: Parts of folds

    /// Adds an instance.
    mutating func enter(_ instance: WireInstance, violations: inout [Violation]) -> InstanceID? {
        guard let id = identifier(instance.id, &violations) else { return nil }
        if let held = instances.updateValue(instance, forKey: id) {
            report(.enteredTwice, "instance \(id) version \(instance.version), held at \(held.version)", &violations)
        }
        return id
    }

    /// Changes an instance of the topic.
    mutating func alter(
        _ name: String, violations: inout [Violation],
        _ change: (inout WireInstance, (Violation.Rule, String) -> Void) -> Void
    ) -> InstanceID? {
        guard let id = identifier(name, &violations) else { return nil }
        guard var instance = instances[id] else {
            report(.unknownInstance, "a change of \(id), which is not here", &violations)
            return nil
        }
        var found: [Violation] = []
        change(&instance) { rule, detail in found.append(Violation(rule, topic: self.name, detail)) }
        violations.append(contentsOf: found)
        instances[id] = instance
        return id
    }

    /// Removes an instance.
    mutating func drop(_ name: String, violations: inout [Violation]) -> InstanceID? {
        guard let id = identifier(name, &violations) else { return nil }
        own.remove(id)
        if instances.removeValue(forKey: id) == nil {
            report(.unknownInstance, "the end of \(id), which is not here", &violations)
        }
        return id
    }

    private func identifier(_ name: String, _ violations: inout [Violation]) -> InstanceID? {
        if let id = InstanceID(name) { return id }
        report(.badIdentifier, "\"\(name)\" is no instance id", &violations)
        return nil
    }

    private func report(_ rule: Violation.Rule, _ detail: String, _ violations: inout [Violation]) {
        violations.append(Violation(rule, topic: name, detail))
    }
}
