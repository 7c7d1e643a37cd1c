import CairnGeo
import CairnWire

@testable import CairnCrowd

/// Falsifies one event or reply in 10,000, one presence batch in 300, or one event of a sub-realm in 500, as a faulty
/// server would.
struct Tampering: Falsifier {
    enum Kind: String, CaseIterable, Sendable {
        /// No change: the messages of the real server.
        case none
        case dropEvent
        case doubleEvent
        case reorderEvents
        /// An event is dropped and the later ones are renumbered, so that there is no gap.
        case swallowEvent
        /// One receiver gets the instance of an event with another pose.
        case alterEvent
        /// One receiver gets a change with another pose.
        case alterChange
        /// A receiver that does not see the cell gets a copy.
        case leakEvent
        case dropReply
        case doubleReply
        /// The first connection gets a smaller quota in its welcome than the one that the server enforces.
        case understateQuota
        case dropPresence
        case doublePresence
        case reorderPresence
        /// The first connection never gets a presence batch.
        case withholdPresence
        /// A receiver that does not see the cell gets a copy.
        case leakPresence
        /// A person who was never in the sub-realm gets a copy of its event.
        case leakScoped
        /// An instance of a sub-realm does not come into view, and the later events are renumbered.
        case swallowScoped

        /// Whether it falsifies events of sub-realms alone.
        var isScoped: Bool { self == .leakScoped || self == .swallowScoped }
    }

    /// One in this many items is falsified. A run has few presence batches, and those of its warm-up are not judged.
    private var period: Int { kind.isScoped ? 500 : target == .presence ? 300 : 10_000 }

    let kind: Kind
    /// Number of events that the server has sent.
    private(set) var events = 0
    /// Number of falsified items.
    private(set) var done = 0
    private var seen = 0
    /// An item that is held until the next one of its kind on the same connection; a batch until newer poses have come
    /// of two of its people.
    private var held: Held?
    /// The number of swallowed events by connection and topic: the numbers of later events are reduced by it.
    private var swallowed: [Follower: UInt64] = [:]
    /// Number of messages, over all connections.
    private var messages = 0
    /// Who follows what, for the kinds that depend on it.
    private let views: RecordedViews
    /// The last long batch of each cell, by the number that short ones have.
    private var headings: [UInt32: WirePresence] = [:]

    private struct Held {
        let link: Int
        let item: Item
        /// The slots of a batch of which newer poses have come.
        var newer: Set<[UInt8]> = []
    }

    private struct Follower: Hashable {
        let link: Int
        let topic: String
    }

    /// Items to send to connections other than the present one.
    private(set) var strays: [(link: Int, bytes: [UInt8])] = []

    /// - Parameter log: of the run that is falsified.
    init(_ kind: Kind, in log: CrowdLog) {
        self.kind = kind
        switch kind {
        case .leakEvent, .leakPresence: views = RecordedViews(log) { $0 }
        case .leakScoped, .swallowScoped: views = RecordedViews(log) { Self.scope(of: $0) }
        default: views = RecordedViews()
        }
    }

    /// Number of events in all messages of a run.
    static func events(in log: CrowdLog) -> Int {
        log.entries.reduce(0) { count, entry in
            guard case .received(let message, _, _) = entry.call else { return count }
            return count + Item.items(of: message).count { $0.field == .event }
        }
    }

    mutating func hear(_ message: [UInt8], from link: Int) {}

    mutating func takeStrays() -> [(link: Int, bytes: [UInt8])] {
        defer { strays = [] }
        return strays
    }

    /// The message that a connection gets in place of the original one.
    mutating func change(_ message: [UInt8], on link: Int) -> [UInt8] {
        messages += 1
        return Item.items(of: message).flatMap { change($0, on: link) }
    }

    private mutating func change(_ item: Item, on link: Int) -> [UInt8] {
        if item.field == .event { events += 1 }
        guard item.field == target, !kind.isScoped || item.topic.flatMap(Self.scope) != nil else { return item.bytes }
        seen += 1
        if kind == .understateQuota {
            guard link == 0, let welcome = Self.understated(item) else { return item.bytes }
            done += 1
            return welcome
        }
        if kind == .withholdPresence { return link == 0 ? withheld() : item.bytes }
        if let late = release(after: item, on: link) { return item.bytes + late }
        if let renumbered = renumbered(item, on: link) { return renumbered }
        // In the long form each bot that gets a leaked batch can read it.
        let item = kind == .leakPresence ? inFull(item) : item
        guard seen >= first + done * period else { return item.bytes }
        return tamper(item, on: link) ?? item.bytes
    }

    /// Number of the first falsified item: after the warm-up, and early enough for a short run.
    private var first: Int {
        switch target {
        case .event: kind.isScoped ? 100 : period / 2
        case .presence: 800
        default: 100
        }
    }

    private var target: Item.Field? {
        switch kind {
        case .none: nil
        case .dropReply, .doubleReply, .understateQuota: .reply
        case .dropPresence, .doublePresence, .reorderPresence, .withholdPresence, .leakPresence: .presence
        default: .event
        }
    }

    /// The replacement of the item; nil when this item is not suitable.
    private mutating func tamper(_ item: Item, on link: Int) -> [UInt8]? {
        switch kind {
        case .none, .understateQuota, .withholdPresence: return nil
        case .dropEvent, .dropReply:
            done += 1
            return []
        case .doubleEvent, .doubleReply:
            done += 1
            return item.bytes + item.bytes
        case .dropPresence:
            guard tellsOfOthers(item) else { return nil }
            done += 1
            return []
        case .doublePresence:
            guard tellsOfOthers(item) else { return nil }
            done += 1
            return item.bytes + item.bytes
        case .reorderEvents:
            done += 1
            held = Held(link: link, item: item)
            return []
        case .reorderPresence:
            guard held == nil, tellsOfOthers(item) else { return nil }
            done += 1
            held = Held(link: link, item: item)
            return []
        case .swallowEvent, .swallowScoped:
            // A later snapshot would bring the instance.
            guard let event = event(in: item), case .entered = event.change,
                kind == .swallowEvent || views.areLast(event.topic, on: link, after: messages)
            else { return nil }
            done += 1
            swallowed[Follower(link: link, topic: event.topic), default: 0] += 1
            return []
        case .alterEvent:
            guard var event = event(in: item), case .entered(var entered) = event.change else { return nil }
            done += 1
            entered.instance.pose.scale += 1
            event.change = .entered(entered)
            return encoded(event)
        case .alterChange:
            guard var event = event(in: item), case .changed(var changed) = event.change else { return nil }
            done += 1
            changed.pose.scale += 1
            event.change = .changed(changed)
            return encoded(event)
        case .leakEvent, .leakPresence, .leakScoped:
            let topic = item.topic ?? presence(in: item)?.cell
            let name = kind == .leakScoped ? topic.flatMap(Self.scope) : topic
            guard let name, let other = views.stranger(to: name, after: messages) else { return nil }
            done += 1
            strays.append((other, item.bytes))
            return nil
        }
    }

    private mutating func withheld() -> [UInt8] {
        done += 1
        return []
    }

    private func event(in item: Item) -> WireEvent? {
        guard item.field == .event, case .event(let event)? = item.decoded?.body else { return nil }
        return event
    }

    private func presence(in item: Item) -> WirePresence? {
        guard item.field == .presence, case .presence(let batch)? = item.decoded?.body else { return nil }
        return batch
    }

    /// A batch of poses in the long form.
    private mutating func inFull(_ item: Item) -> Item {
        guard var batch = presence(in: item) else { return item }
        if let cell = CellID(token: batch.cell) {
            if batch.step > 0 { headings[cell.shortNumber] = batch }
            return item
        }
        guard let heading = headings[batch.number] else { return item }
        (batch.cell, batch.step, batch.number) = (heading.cell, heading.step, 0)
        batch.baseHeight = batch.hasBase ? batch.base : heading.baseHeight
        batch.clearBase()
        headings[CellID(token: batch.cell)?.shortNumber ?? 0] = batch
        var full = WireItem()
        full.presence = batch
        return Item(field: item.field, bytes: ServerItemEncoder.encode(full, format: .proto))
    }

    /// Whether a batch has poses only, of at least two people: one of them is not the receiver, whose own pose the
    /// crowd does not judge.
    private func tellsOfOthers(_ item: Item) -> Bool {
        guard let batch = presence(in: item) else { return false }
        let isPlain = !batch.keyframe && batch.joined.isEmpty && batch.left.isEmpty
        return isPlain && batch.poses.count >= 2 * PoseRecord.byteCount
    }

    /// Returns the held item when it is late. A batch is late after newer poses of two of its people: only then it
    /// breaks an order that the crowd judges, because one of the two is not the receiver.
    private mutating func release(after item: Item, on link: Int) -> [UInt8]? {
        guard var held, held.link == link else { return nil }
        if kind == .reorderPresence {
            held.newer.formUnion(slots(item, in: held.item))
            guard held.newer.count >= 2 else {
                self.held = held
                return nil
            }
        }
        self.held = nil
        return held.item.bytes
    }

    /// The slots of a batch that an older batch of the same cell has too.
    private func slots(_ item: Item, in older: Item) -> Set<[UInt8]> {
        guard let one = presence(in: item), let other = presence(in: older), one.cell == other.cell,
            one.number == other.number
        else { return [] }
        func slots(_ batch: WirePresence) -> Set<[UInt8]> {
            Set(
                stride(from: 0, to: batch.poses.count - 1, by: PoseRecord.byteCount).map {
                    Array(batch.poses[$0..<$0 + 2])
                })
        }
        return slots(one).intersection(slots(other))
    }

    /// The event with its reduced number; nil = no event of its topic was swallowed.
    private func renumbered(_ item: Item, on link: Int) -> [UInt8]? {
        guard swallowed.keys.contains(where: { $0.link == link }), var event = event(in: item),
            let count = swallowed[Follower(link: link, topic: event.topic)]
        else { return nil }
        event.sequence -= count
        return encoded(event)
    }

    /// Nil = everyone's.
    private static func scope(of topic: String) -> String? { TopicName(topic).scope.map { String($0) } }

    private func encoded(_ event: WireEvent) -> [UInt8] {
        var item = WireItem()
        item.event = event
        return ServerItemEncoder.encode(item, format: .proto)
    }
}
