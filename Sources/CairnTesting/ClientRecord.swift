public import CairnWire

/// Everything that one client has received.
public struct ClientRecord: Sendable {
    /// Every item, in order.
    public private(set) var items: [WireItem] = []
    /// WebSocket messages; each may hold several items.
    public private(set) var messageCount = 0
    public private(set) var replies: [UInt32: WireReply] = [:]
    /// Topics in view.
    public private(set) var topics: [String: TopicLog] = [:]
    /// Violations of the protocol by the server, in words.
    public private(set) var faults: [String] = []
    public private(set) var closing: WireClosing?
    /// The close code, once the connection is gone.
    public private(set) var closedCode: UInt16?

    private let keepsItems: Bool

    init(topics: [String: TopicLog] = [:], keepsItems: Bool = true) {
        self.keepsItems = keepsItems
        self.topics = topics.mapValues { $0.resumed() }
    }

    /// Everything in view, by id. An instance may be in two topics while it moves; `duplicates` names those that are.
    public var instances: [String: WireInstance] {
        var all: [String: WireInstance] = [:]
        for topic in topics.values {
            all.merge(topic.instances) { $0.version >= $1.version ? $0 : $1 }
        }
        return all
    }

    /// Ids that are in two topics at once.
    public var duplicates: [String] {
        var counts: [String: Int] = [:]
        for topic in topics.values { for id in topic.instances.keys { counts[id, default: 0] += 1 } }
        return counts.filter { $0.value > 1 }.keys.sorted()
    }

    /// The cursors to resume from after a cut (SES-11).
    public var cursors: [WireCursor] { Self.cursors(of: topics) }

    /// The cursors of these topics.
    public static func cursors(of topics: [String: TopicLog]) -> [WireCursor] {
        topics.compactMap { name, topic in
            guard let epoch = topic.epoch else { return nil }
            var cursor = WireCursor()
            cursor.topic = name
            cursor.epoch = epoch
            cursor.sequence = topic.sequence
            return cursor
        }
    }

    /// Presence batches, in order.
    public var presence: [WirePresence] { items.compactMap { if case .presence(let it) = $0.body { it } else { nil } } }

    mutating func receive(_ message: WireServerMessage) {
        messageCount += 1
        for item in message.items { receive(item) }
    }

    mutating func unreadable(_ cause: String) {
        faults.append("unreadable: \(cause)")
    }

    mutating func closed(code: UInt16) {
        closedCode = code
    }

    private mutating func receive(_ item: WireItem) {
        if keepsItems { items.append(item) }
        switch item.body {
        case .reply(let reply):
            if reply.id != 0, replies.updateValue(reply, forKey: reply.id) != nil {
                faults.append("two replies to request \(reply.id)")
            }
        case .snapshot(let page):
            note(topics[page.cursor.topic, default: TopicLog()].receive(page), page.cursor.topic)
        case .event(let event):
            guard topics[event.topic] != nil else { return note("an event of a topic not in view", event.topic) }
            note(topics[event.topic]?.receive(event), event.topic)
        case .unfollowed(let unfollowed):
            let before = topics.removeValue(forKey: unfollowed.topic)
            note(before == nil ? "unfollowed but not in view" : nil, unfollowed.topic)
        case .resync(let resync):
            if topics[resync.topic] == nil { note("resync of a topic not in view", resync.topic) }
            topics[resync.topic]?.startOver()
        case .continued(let continued):
            let name = continued.cursor.topic
            guard topics[name] != nil else { return note("continued but never in view", name) }
            note(topics[name]?.receive(continued), name)
        case .closing(let closing): self.closing = closing
        case .own(let own):
            if topics[own.topic] == nil { note("own things of a topic not in view", own.topic) }
        case .run(let run):
            if topics[run.topic] == nil { note("a run whose topic is not in view", run.topic) }
        case .group(let group):
            if topics[group.topic] == nil { note("a group whose topic is not in view", group.topic) }
        case .presence, .notice, .settings, .realmSelected, .notifications, .signedOut, .standing, .nearbyTours,
            .guidance, .fellowWalkers, .shiftPositions:
            break
        case nil: faults.append("an item without a body")
        }
    }

    private mutating func note(_ fault: String?, _ topic: String) {
        if let fault { faults.append("\(topic): \(fault)") }
    }
}
