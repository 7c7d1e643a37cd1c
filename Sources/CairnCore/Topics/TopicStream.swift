public import CairnWire
internal import DequeModule

/// An item for clients, encoded once per wire format however many read it.
public final class EncodedItem: Sendable {
    public let proto: [UInt8]
    /// The JSON form, if a follower reads JSON.
    public let json: [UInt8]?
    /// The binary form for those who asked for short poses, if it differs.
    public let short: [UInt8]?

    public convenience init(_ item: WireItem, json: Bool) { self.init(proto: item, json: json ? item : nil) }

    /// An item whose other forms differ from its binary form. `json` is nil where no follower reads JSON.
    public init(proto: WireItem, json: WireItem?, short: WireItem? = nil) {
        self.proto = ServerItemEncoder.encode(proto, format: .proto)
        self.json = json.map { ServerItemEncoder.encode($0, format: .json) }
        self.short = short.map { ServerItemEncoder.encode($0, format: .proto) }
    }

    /// An item that another node has encoded.
    init(encodedProto: [UInt8], json: [UInt8]?, short: [UInt8]?) {
        proto = encodedProto
        self.json = json
        self.short = short
    }

    /// The item for a reader who may not have been sent the ones before it.
    public var inFull: EncodedItem {
        short == nil ? self : EncodedItem(encodedProto: proto, json: json, short: nil)
    }
}

/// A topic as its followers know it: keyed state and the numbered changes that led to it (SES-7, SES-11).
///
/// It holds only what is on disk: a home feeds it when a turn's writes have committed. So a snapshot never contains
/// anything that a crash could take back (invariant 4).
public struct TopicStream: Sendable {
    public let topic: Topic
    public private(set) var cursor: Cursor
    /// The topic's name, which all held events share.
    let name: String
    private(set) var instances: [InstanceID: Held] = [:]
    private(set) var recent: Deque<Told> = []
    /// Bytes of `recent` in the binary form.
    private var recentBytes = 0
    private let recentMax: Int
    /// Most bytes of the events that are kept: `recentMax` KiB. An event of a run with long texts has up to a MiB, and
    /// a walker causes one by a message of 60 bytes.
    private let recentBytesMax: Int
    /// By account, of accounts for which a person is absent.
    var excerpts: [AccountID: TopicExcerpt] = [:]

    /// An instance and its owner.
    struct Held: Sendable {
        let owner: AccountID?
        let state: WireInstance
    }

    /// An event, the instance that changed, and its owner.
    struct Told: Sendable {
        let object: InstanceID
        let owner: AccountID?
        let item: WireItem
        let bytes: Int
    }

    /// - Parameters:
    ///   - start: an epoch that differs from every one that the topic had before, and the number that the first event
    ///     follows.
    ///   - recentMax: events kept for reconnecting followers, of a KiB each on average; 0 or more.
    public init(topic: Topic, start: Cursor, recentMax: Int) {
        self.topic = topic
        name = topic.name
        self.recentMax = recentMax
        recentBytesMax = recentMax << 10
        cursor = start
    }

    public var instanceCount: Int { instances.count }

    /// Adds an instance without an event: the state with which a home wakes.
    public mutating func restore(_ instance: WireInstance, id: InstanceID, of owner: AccountID? = nil) {
        instances[id] = Held(owner: owner, state: instance)
    }

    /// The next event of the topic.
    public mutating func publish(_ publication: Publication) -> WireItem {
        cursor = Cursor(epoch: cursor.epoch, sequence: cursor.sequence + 1)
        instances[publication.object] = publication.state.map { Held(owner: publication.owner, state: $0) }
        let item = event(publication.change, number: cursor.sequence)
        let bytes = ServerItemEncoder.encode(item, format: .proto).count
        recent.append(
            Told(object: publication.object, owner: publication.owner, item: item, bytes: bytes))
        recentBytes += bytes
        while recent.count > recentMax || recentBytes > recentBytesMax, let first = recent.popFirst() {
            recentBytes -= first.bytes
        }
        return item
    }

    /// Drops the events up to the last one of which this is true: a follower with an older cursor gets a snapshot.
    mutating func forget(upToLast isForgotten: (Told) -> Bool) {
        guard let last = recent.lastIndex(where: isForgotten) else { return }
        recentBytes -= recent[...last].reduce(0) { $0 + $1.bytes }
        recent.removeFirst(last + 1)
    }

    func event(_ change: WireEvent.OneOf_Change?, number: UInt64) -> WireItem {
        var event = WireEvent()
        event.topic = name
        event.sequence = number
        event.change = change
        var item = WireItem()
        item.event = event
        return item
    }

    /// All events after `seen`; nil when some of them are no longer held, so that the follower needs a snapshot.
    public func events(after seen: Cursor) -> [WireItem]? {
        guard seen.epoch == cursor.epoch, seen.sequence <= cursor.sequence else { return nil }
        let missed = cursor.sequence - seen.sequence
        guard missed <= UInt64(recent.count) else { return nil }
        return recent.suffix(Int(missed)).map(\.item)
    }

    /// What a reconnecting follower needs: `Continued`, which confirms its state up to `seen`, and all events after it.
    /// Nil when some of them are no longer held: the follower then needs a snapshot.
    public func continuation(after seen: Cursor) -> [WireItem]? {
        events(after: seen).map { [continued(seen)] + $0 }
    }

    func continued(_ seen: Cursor) -> WireItem {
        var continued = WireContinued()
        continued.cursor = wire(seen)
        var item = WireItem()
        item.continued = continued
        return item
    }

    /// The instances of everybody but some people, in no order.
    public func instances(without absent: Set<AccountID>) -> [WireInstance] {
        instances.values.lazy.filter { held in held.owner.map { !absent.contains($0) } ?? true }.map(\.state)
    }

    /// The state as pages of at most `pageSize` instances, all with the same cursor; at least one page.
    public func snapshot(pageSize: Int) -> [WireItem] {
        snapshot(of: instances.values.map(\.state), at: cursor, pageSize: pageSize)
    }

    func snapshot(of states: [WireInstance], at cursor: Cursor, pageSize: Int) -> [WireItem] {
        var pages: [WireItem] = []
        // Sorted by id, because the order of arrival would reveal more than the state does.
        var rest = ArraySlice(states.sorted { $0.id < $1.id })
        repeat {
            var page = WireSnapshot()
            page.cursor = wire(cursor)
            page.first = pages.isEmpty
            page.instances = Array(rest.prefix(pageSize))
            rest = rest.dropFirst(pageSize)
            page.last = rest.isEmpty
            var item = WireItem()
            item.snapshot = page
            pages.append(item)
        } while !rest.isEmpty
        return pages
    }

    private func wire(_ cursor: Cursor) -> WireCursor {
        var wire = WireCursor()
        wire.topic = name
        wire.epoch = cursor.epoch
        wire.sequence = cursor.sequence
        return wire
    }
}
