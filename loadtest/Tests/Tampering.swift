import CairnWire

@testable import cairn_crowd

/// What a lying server would do to one event, reply or batch in 10,000.
struct Tampering {
    enum Kind: String, CaseIterable, Sendable {
        /// Nothing: what a real server says.
        case none
        case dropEvent
        case doubleEvent
        case reorderEvents
        /// Dropped, and the numbers closed up behind it, so that no gap shows.
        case swallowEvent
        /// Told with another version to one of its receivers.
        case alterEvent
        /// A move, turn or resizing told otherwise to one of its receivers.
        case alterChange
        /// Told to somebody who does not see the cell.
        case leakEvent
        case dropReply
        case doubleReply
        /// The first who comes in is told of a smaller quota than the one that is kept to.
        case understateQuota
        case dropPresence
        case doublePresence
        case reorderPresence
        /// The first who comes in is told of nobody, ever.
        case withholdPresence
        /// Told to somebody who does not see the cell.
        case leakPresence
    }

    /// One item of a server's message, with its tag and length: by itself a message of one item.
    struct Item {
        /// The item's field in envelope.proto.
        enum Field: UInt8 {
            case reply = 1
            case event = 2
            case presence = 4
        }

        let field: Field?
        let bytes: [UInt8]
    }

    /// Of every so many one is tampered with.
    private static let period = 10_000

    let kind: Kind
    /// Events that real connections were sent.
    private(set) var events = 0
    /// How often something was tampered with.
    private(set) var done = 0
    private var seen = 0
    /// Kept back until the next of its kind on the same connection; poses until the next of somebody who is in it.
    private var held: (link: Int, item: Item)?
    /// Connection, topic and number of a swallowed event: later ones are one less.
    private var swallowed: (link: Int, topic: String)?
    /// Topics that each connection was told of.
    private var topics: [Int: Set<String>] = [:]
    /// For connections other than the one at hand.
    private(set) var strays: [(link: Int, bytes: [UInt8])] = []

    init(_ kind: Kind) { self.kind = kind }

    mutating func takeStrays() -> [(link: Int, bytes: [UInt8])] {
        defer { strays = [] }
        return strays
    }

    /// What a connection gets instead of a message.
    mutating func change(_ message: [UInt8], on link: Int) -> [UInt8] {
        Self.items(of: message).flatMap { change($0, on: link) }
    }

    private mutating func change(_ item: Item, on link: Int) -> [UInt8] {
        if item.field == .event { events += 1 }
        guard item.field == target else { return item.bytes }
        seen += 1
        if kind == .understateQuota {
            guard link == 0, let welcome = Self.understated(item) else { return item.bytes }
            done += 1
            return welcome
        }
        if kind == .withholdPresence { return link == 0 ? withheld() : item.bytes }
        if let held, held.link == link, kind != .reorderPresence || tellsOfTheSame(item, as: held.item) {
            self.held = nil
            return item.bytes + held.item.bytes
        }
        if let swallowed, swallowed.link == link { return renumbered(item, swallowed.topic) }
        if kind == .leakEvent || kind == .leakPresence, let topic = topic(of: item) {
            topics[link, default: []].insert(topic)
        }
        guard seen >= first + done * Self.period else { return item.bytes }
        return tamper(item, on: link) ?? item.bytes
    }

    /// One that a short run gets to, and that comes when it has warmed up.
    private var first: Int {
        switch target {
        case .event: Self.period / 2
        case .presence: 800
        default: 500
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

    /// Nil when this item will not do.
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
            held = (link, item)
            return []
        case .reorderPresence:
            guard tellsOfOthers(item) else { return nil }
            done += 1
            held = (link, item)
            return []
        case .swallowEvent:
            guard let event = event(in: item), case .entered = event.change else { return nil }
            done += 1
            swallowed = (link, event.topic)
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
        case .leakEvent, .leakPresence:
            guard let topic = topic(of: item), let other = topics.first(where: { !$0.value.contains(topic) })
            else { return nil }
            done += 1
            strays.append((other.key, item.bytes))
            return nil
        }
    }

    private mutating func withheld() -> [UInt8] {
        done += 1
        return []
    }

    /// The topic of an event, or the cell of a batch of poses, which is the name of its topic.
    private func topic(of item: Item) -> String? { event(in: item)?.topic ?? presence(in: item)?.cell }

    private func event(in item: Item) -> WireEvent? {
        guard let message = try? ServerMessageDecoder.decode(item.bytes, format: .proto),
            case .event(let event)? = message.items.first?.body
        else { return nil }
        return event
    }

    private func presence(in item: Item) -> WirePresence? {
        guard let message = try? ServerMessageDecoder.decode(item.bytes, format: .proto),
            case .presence(let batch)? = message.items.first?.body
        else { return nil }
        return batch
    }

    /// Poses and nothing else, of two people at least: one of them is not the receiver, whom the crowd does not judge.
    private func tellsOfOthers(_ item: Item) -> Bool {
        guard let batch = presence(in: item) else { return false }
        let isPlain = !batch.keyframe && batch.joined.isEmpty && batch.left.isEmpty
        return isPlain && batch.poses.count >= 2 * PoseRecord.byteCount
    }

    /// Whether a batch has newer poses of two people in an older one: only then is there an order to break, of one of
    /// them at least who is not the receiver.
    private func tellsOfTheSame(_ item: Item, as older: Item) -> Bool {
        guard let one = presence(in: item), let other = presence(in: older), one.cell == other.cell
        else { return false }
        func slots(_ batch: WirePresence) -> Set<[UInt8]> {
            Set(
                stride(from: 0, to: batch.poses.count - 1, by: PoseRecord.byteCount).map {
                    Array(batch.poses[$0..<$0 + 2])
                })
        }
        return slots(one).intersection(slots(other)).count >= 2
    }

    private func renumbered(_ item: Item, _ topic: String) -> [UInt8] {
        guard var event = event(in: item), event.topic == topic else { return item.bytes }
        event.sequence -= 1
        return encoded(event)
    }

    private func encoded(_ event: WireEvent) -> [UInt8] {
        var item = WireItem()
        item.event = event
        return ServerItemEncoder.encode(item, format: .proto)
    }

    /// A `ServerMessage` cut into its items.
    private static func items(of message: [UInt8]) -> [Item] {
        var items: [Item] = []
        var offset = 0
        while offset < message.count {
            let start = offset
            // Tag of field 1, a length as a varint, and the item.
            offset += 1
            var length = 0
            var shift = 0
            while offset < message.count {
                let byte = message[offset]
                offset += 1
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte & 0x80 == 0 { break }
            }
            let field = length > 0 && offset < message.count ? Item.Field(rawValue: message[offset] >> 3) : nil
            offset += length
            items.append(Item(field: field, bytes: Array(message[start..<min(offset, message.count)])))
        }
        return items
    }
}
