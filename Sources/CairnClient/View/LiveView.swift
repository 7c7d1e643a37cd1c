public import CairnGeo
public import CairnWire

/// The user's surroundings: the topics in view and, merged over them, every instance once (VIS-1).
///
/// An instance that moves between cells appears in events of two topics, nearly always first in the new one. The
/// highest version wins, so the instance is visible without a break and never twice, and its move is one step.
public struct LiveView: Sendable {
    /// The topics in view, by name.
    public private(set) var topics: [String: TopicReplica] = [:]
    private var tracks: [InstanceID: Track] = [:]
    /// Instances that have left one topic while another topic, which may hold them, waits for its snapshot. They are
    /// shown until every snapshot is there. Nearly always empty.
    private var travelling: Set<InstanceID> = []
    /// Topics that were in view when the connection was cut and that the new connection has not continued yet.
    private var unconfirmed: Set<String> = []

    /// The state of one instance over all topics.
    private struct Track {
        /// The highest version in any topic.
        var latest: UInt32
        /// The instance as shown; nil = not shown, because the newest version has left all topics.
        var shown: WireInstance?
        /// Topics that have it, mostly one.
        var holders: [String] = []
    }

    /// A visible change.
    public enum Step: Sendable {
        case appeared(WireInstance)
        /// Moved, turned, resized, reacted to, or now in another cell.
        case changed(WireInstance, was: WireInstance)
        case disappeared(WireInstance)
    }

    init() {}

    /// Everything visible, in no order.
    public var instances: some Sequence<WireInstance> { tracks.values.lazy.compactMap(\.shown) }

    /// A visible instance.
    public func instance(_ id: InstanceID) -> WireInstance? { tracks[id]?.shown }

    /// The visible instances within the exact radius; the server works by whole cells (VIS-1).
    public func instances(withinMetres radius: Double, of centre: Coordinate) -> [WireInstance] {
        instances.filter { instance in
            guard let place = instance.pose.geoPose?.coordinate else { return false }
            return place.distanceMetres(to: centre) <= radius
        }
    }

    /// The cursors for resuming: those of complete topics (SES-11).
    public var cursors: [WireCursor] {
        topics.values.compactMap { topic in
            guard topic.isComplete, let seen = topic.cursor else { return nil }
            var cursor = WireCursor()
            cursor.topic = topic.name
            cursor.epoch = seen.epoch
            cursor.sequence = seen.sequence
            return cursor
        }
    }

    // MARK: Changes

    /// The server continues a topic from the cursor that `hello` named: the replica of it is valid.
    mutating func goOn(from cursor: WireCursor, violations: inout [Violation]) {
        unconfirmed.remove(cursor.topic)
        let held = topics[cursor.topic]?.cursor
        guard held == TopicCursor(epoch: cursor.epoch, sequence: cursor.sequence) else {
            violations.append(Violation(.gap, topic: cursor.topic, "continued from a cursor that is not held"))
            return
        }
    }

    mutating func apply(_ page: WireSnapshot, violations: inout [Violation]) -> (steps: [Step], isComplete: Bool) {
        let name = page.cursor.topic
        guard !name.isEmpty else {
            violations.append(Violation(.badIdentifier, "a snapshot of no topic"))
            return ([], false)
        }
        unconfirmed.remove(name)
        let before = topics[name, default: TopicReplica(name: name)].apply(page, violations: &violations)
        guard let before, let now = topics[name]?.instances else { return ([], false) }
        var touched = Set(before.keys).union(now.keys)
        for id in now.keys where before[id] == nil { hold(id, by: name) }
        for id in before.keys where now[id] == nil { release(id, by: name) }
        touched.formUnion(endOfTravel())
        return (touched.compactMap { updateShown($0) }, true)
    }

    /// Applies the server's list of own instances: all after a snapshot, later those that other devices place.
    mutating func apply(_ own: WireOwn) -> [Step] {
        let hidden = topics[own.topic]?.apply(own) ?? []
        for id in hidden { hold(id, by: own.topic) }
        return hidden.compactMap { updateShown($0) }
    }

    /// Adds an own instance that an answer contains.
    mutating func apply(own instance: WireInstance) {
        guard let id = InstanceID(instance.id) else { return }
        for name in topics.keys where TopicReplica.cellToken(of: name) == instance.cell { topics[name]?.own.insert(id) }
    }

    mutating func apply(_ event: WireEvent, violations: inout [Violation]) -> Step? {
        guard topics[event.topic] != nil else {
            violations.append(Violation(.unknownTopic, topic: event.topic, "event \(event.sequence)"))
            return nil
        }
        if unconfirmed.remove(event.topic) != nil {
            violations.append(
                Violation(.eventBeforeSnapshot, topic: event.topic, "event \(event.sequence) before `continued`"))
        }
        let folded = topics[event.topic]?.apply(event, violations: &violations)
        guard let folded, let id = folded.instance else { return nil }
        switch folded.holding {
        case .stays: break
        case .begins: hold(id, by: event.topic)
        case .ends: release(id, by: event.topic)
        case .movesOut(let version): moveOut(id, at: version, from: event.topic)
        }
        return updateShown(id)
    }

    mutating func unfollow(_ name: String) -> [Step] {
        unconfirmed.remove(name)
        guard let topic = topics.removeValue(forKey: name) else { return [] }
        var touched = Set(topic.instances.keys)
        for id in touched { release(id, by: name) }
        touched.formUnion(endOfTravel())
        return touched.compactMap { updateShown($0) }
    }

    mutating func startOver(_ name: String, violations: inout [Violation]) {
        unconfirmed.remove(name)
        guard topics[name] != nil else {
            violations.append(Violation(.unknownTopic, topic: name, "to be resynchronised, but it was not in view"))
            return
        }
        topics[name]?.startOver()
    }

    mutating func distrust(_ name: String) {
        topics[name]?.startOver()
    }

    /// The connection is gone. The view stays, but the next connection may not continue all of it.
    mutating func disconnect() {
        unconfirmed = Set(topics.keys)
        // An incomplete snapshot is dropped; it has no cursor to continue from.
        for (name, topic) in topics where !topic.isComplete { topics[name]?.startOver() }
    }

    /// Topics that the present connection has not continued yet.
    public var unconfirmedTopics: Set<String> { unconfirmed }

    // MARK: Merging

    private mutating func hold(_ id: InstanceID, by topic: String) {
        var track = tracks[id] ?? Track(latest: 0)
        if !track.holders.contains(topic) { track.holders.append(topic) }
        tracks[id] = track
    }

    private mutating func release(_ id: InstanceID, by topic: String) {
        tracks[id]?.holders.removeAll { $0 == topic }
    }

    private mutating func moveOut(_ id: InstanceID, at version: UInt32, from topic: String) {
        guard var track = tracks[id] else { return }
        track.holders.removeAll { $0 == topic }
        if version > track.latest {
            track.latest = version
            if isWaitingForSnapshot { travelling.insert(id) }
        }
        tracks[id] = track
    }

    private var isWaitingForSnapshot: Bool { topics.values.contains { !$0.isComplete } }

    /// Once every snapshot is complete, travelling instances that have not arrived are out of view: returns them for an
    /// update.
    private mutating func endOfTravel() -> Set<InstanceID> {
        guard !travelling.isEmpty, !isWaitingForSnapshot else { return [] }
        defer { travelling = [] }
        return travelling
    }

    /// Updates the shown state of an instance from its topics; returns the visible step, if there is one.
    private mutating func updateShown(_ id: InstanceID) -> Step? {
        guard var track = tracks[id] else { return nil }
        let held = track.holders.compactMap { topics[$0]?.instances[id] }
        let newest = held.max { $0.version < $1.version }
        let was = track.shown
        if let newest, newest.version >= track.latest {
            track.latest = newest.version
            track.shown = newest
            travelling.remove(id)
        } else if !travelling.contains(id) {
            track.shown = nil
        }
        tracks[id] = track.holders.isEmpty && track.shown == nil ? nil : track
        switch (was, track.shown) {
        case (nil, let now?): return .appeared(now)
        case (let was?, nil): return .disappeared(was)
        case (let was?, let now?): return was == now ? nil : .changed(now, was: was)
        case (nil, nil): return nil
        }
    }
}
