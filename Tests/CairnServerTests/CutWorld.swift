import CairnClient
import CairnCore
import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Foundation

/// Clients whose links are cut again and again while things happen in the topics that they follow: both ends' own
/// cores, a network that loses what is under way, and a clock that is a number.
///
/// A tick is 50 ms. What the server says in a tick is one message of a connection; it arrives later and in order, or
/// never, when a cut comes first.
struct CutWorld {
    static let tick: Duration = .milliseconds(50)
    private static let pageSize = 16

    private(set) var riders: [Rider] = []
    private(set) var streams: [TopicStream]
    private(set) var cutsDone = 0
    private var things: [[Thing]]
    private var random: SeededGenerator
    private var now: MonotonicTime = 1_000_000
    private var issued: UInt64 = 0
    private let cuts: Int
    /// Events of a topic in a tick.
    private let pace: Int

    private struct Thing {
        let id: InstanceID
        var version: UInt32 = 0
    }

    /// - Parameters:
    ///   - cuts: over all clients.
    ///   - pace: events of each topic in a tick.
    ///   - ringEvents: that a topic holds for those who come back.
    init(seed: UInt64, clients: Int, topics: Int, cuts: Int, pace: Int = 1, ringEvents: Int = 1_024) {
        var random = SeededGenerator(seed: seed)
        self.cuts = cuts
        self.pace = pace
        var cells = [Ground.here.cell]
        var index = 0
        while cells.count < topics {
            cells += cells[index].neighbours.filter { !cells.contains($0) }
            index += 1
        }
        streams = cells.prefix(topics).map {
            TopicStream(
                topic: Topic($0), start: Cursor(epoch: random.next(), sequence: 0),
                recentMax: ringEvents)
        }
        things = (0..<topics).map { topic in (1...40).map { Thing(id: InstanceID(rawValue: UInt64(topic * 40 + $0))) } }
        issued = UInt64(topics * 40)
        self.random = random
        for number in 0..<clients { riders.append(Rider(number: number, topic: number % topics, seed: random.next())) }
    }

    /// Goes on until all cuts have been made and everybody has come back and heard everything.
    mutating func run() {
        while cutsDone < cuts || riders.contains(where: { !$0.isSettled }) {
            now += Self.tick
            if cutsDone < cuts { happen() }
            for index in riders.indices {
                riders[index].hear(until: now)
                turn(index)
            }
        }
    }

    /// What a client does not hold as the server does, or heard otherwise than it should have.
    func faults(of rider: Rider) -> [String] {
        let stream = streams[rider.topic]
        var faults = rider.faults
        let accounted = rider.told + rider.jumped
        if accounted != stream.cursor.sequence {
            faults.append("client \(rider.number): \(accounted) events accounted for of \(stream.cursor.sequence)")
        }
        let held = Dictionary(uniqueKeysWithValues: rider.core.view.instances.map { ($0.id, $0) })
        let real = Dictionary(
            uniqueKeysWithValues: stream.snapshot(pageSize: .max).flatMap(\.snapshot.instances).map { ($0.id, $0) })
        if held != real { faults.append("client \(rider.number): holds \(held.count) of \(real.count), or other ones") }
        return faults
    }

    // MARK: The server

    private mutating func happen() {
        for topic in streams.indices {
            for _ in 0..<pace {
                let item = streams[topic].publish(change(of: topic))
                let bytes = ServerItemEncoder.encode(item, format: .proto)
                for index in riders.indices where riders[index].topic == topic { riders[index].tell(bytes) }
            }
        }
    }

    /// Something is placed, moved or removed.
    private mutating func change(of topic: Int) -> Publication {
        let index = Int.random(in: things[topic].indices, using: &random)
        var thing = things[topic][index]
        let name = thing.id.description
        if thing.version > 0, Int.random(in: 0..<8, using: &random) == 0 {
            // What is placed next is another thing: ids never come back.
            issued += 1
            things[topic][index] = Thing(id: InstanceID(rawValue: issued))
            return Publication(
                audience: .everyone, change: .made { $0.left.instance = name }, object: thing.id, owner: nil,
                state: nil)
        }
        thing.version += 1
        things[topic][index] = thing
        var state = WireInstance()
        state.id = name
        state.version = thing.version
        state.pose = .make(heightMetres: .random(in: 0...100, using: &random))
        if thing.version == 1 {
            return Publication(
                audience: .everyone, change: .made { $0.entered.instance = state }, object: thing.id, owner: nil,
                state: state)
        }
        let change = WireEvent.OneOf_Change.made { event in
            event.changed.instance = name
            event.changed.version = thing.version
            event.changed.pose = state.pose
        }
        return Publication(audience: .everyone, change: change, object: thing.id, owner: nil, state: state)
    }

    /// Answers a client's hello: the welcome, what it missed or all there is, and from then on every event.
    private mutating func welcome(_ index: Int, _ hello: WireHello, id: UInt32) {
        var welcome = WireWelcome()
        welcome.token = "token"
        welcome.session = SessionID(rawValue: UInt64(index + 1)).description
        var reply = WireReply()
        reply.id = id
        reply.welcome = welcome
        var item = WireItem()
        item.reply = reply
        riders[index].tell(ServerItemEncoder.encode(item, format: .proto))
        let stream = streams[riders[index].topic]
        let cursor = hello.cursors.first.map { Cursor(epoch: $0.epoch, sequence: $0.sequence) }
        if let continuation = cursor.flatMap({ stream.continuation(after: $0) }) {
            riders[index].continuations += 1
            for item in continuation { riders[index].tell(ServerItemEncoder.encode(item, format: .proto)) }
            riders[index].flush(now: now, isSnapshot: false, random: &random)
        } else {
            riders[index].flush(now: now, isSnapshot: false, random: &random)
            riders[index].snapshots += 1
            for page in stream.snapshot(pageSize: Self.pageSize) {
                riders[index].tell(ServerItemEncoder.encode(page, format: .proto))
                riders[index].flush(now: now, isSnapshot: true, random: &random)
            }
        }
    }

    // MARK: The links

    /// Opens, uses or cuts one client's link, as it is time for.
    private mutating func turn(_ index: Int) {
        switch riders[index].link {
        case .cut(let until) where now >= until:
            // Of what the server says from now on a next cut loses the end.
            riders[index].link = .open(until: now + .microseconds(Int.random(in: 50_000...1_500_000, using: &random)))
            for (id, hello) in riders[index].greet(now: now) { welcome(index, hello, id: id) }
        case .open(let until) where now >= until && cutsDone < cuts:
            cutsDone += 1
            // 0.1 to 30 s, a tenth of a second as likely to be doubled as ten seconds.
            let seconds = 0.1 * exp(.random(in: 0...log(300), using: &random))
            riders[index].cut(until: now + .seconds(seconds), now: now)
        case .open:
            riders[index].flush(now: now, isSnapshot: false, random: &random)
        case .cut: break
        }
    }
}

/// One client: its core, what is under way to it, and a count of its own of what it was told.
struct Rider {
    enum Link {
        case open(until: MonotonicTime)
        case cut(until: MonotonicTime)
    }

    let number: Int
    let topic: Int
    var link = Link.cut(until: 0)
    private(set) var core: ClientCore
    var continuations = 0
    var snapshots = 0
    /// Events that were heard one by one.
    private(set) var told: UInt64 = 0
    /// Events that a snapshot made up for.
    private(set) var jumped: UInt64 = 0
    private(set) var faults: [String] = []
    private var saying: [UInt8] = []
    private var underWay: [Message] = []

    private struct Message {
        let arrival: MonotonicTime
        let bytes: [UInt8]
        let isSnapshot: Bool
    }

    init(number: Int, topic: Int, seed: UInt64) {
        self.number = number
        self.topic = topic
        core = ClientCore(profile: ClientProfile(name: "rider\(number)"), seed: seed)
    }

    var isSettled: Bool {
        guard case .open = link else { return false }
        return saying.isEmpty && underWay.isEmpty && core.phase == .live
    }

    /// The sequence that the client says it has seen; 0 before the first snapshot.
    private var sequence: UInt64 { core.view.topics.values.first?.cursor?.sequence ?? 0 }

    /// Opens the connection; gives the hello that the server gets.
    mutating func greet(now: MonotonicTime) -> [(id: UInt32, hello: WireHello)] {
        core.connectionOpened(now: now)
        return core.takeOutgoing().compactMap { bytes in
            guard let envelope = try? ClientEnvelopeDecoder.decode(bytes, format: .proto),
                let hello = try? WireBody.decode(WireHello.self, from: envelope.payload)
            else { return nil }
            return (envelope.id, hello)
        }
    }

    /// The server says something to an open connection.
    mutating func tell(_ item: [UInt8]) {
        if case .open = link { saying += item }
    }

    /// What was said becomes one message on its way.
    mutating func flush(now: MonotonicTime, isSnapshot: Bool, random: inout SeededGenerator) {
        guard !saying.isEmpty else { return }
        let way = Duration.microseconds(Int.random(in: 5_000...250_000, using: &random))
        let arrival = max(now + way, underWay.last?.arrival ?? .epoch)
        underWay.append(Message(arrival: arrival, bytes: saying, isSnapshot: isSnapshot))
        saying = []
    }

    /// Takes the messages that have arrived.
    mutating func hear(until now: MonotonicTime) {
        while let message = underWay.first, message.arrival <= now {
            underWay.removeFirst()
            let events = message.bytes.withUnsafeBytes { core.receive($0, now: now) }
            if message.isSnapshot {
                if core.view.topics.values.first?.isComplete == true { jump() }
            } else {
                for event in events { note(event) }
            }
            for case .violation(let violation) in events { faults.append("client \(number): \(violation)") }
        }
    }

    /// A snapshot is complete: it makes up for what was not heard one by one.
    private mutating func jump() {
        if sequence < told + jumped { faults.append("client \(number): a snapshot of \(sequence) leads back") }
        jumped = sequence - min(sequence, told)
    }

    private mutating func note(_ event: ClientEvent) {
        switch event {
        case .appeared, .disappeared: told += 1
        case .changed(let instance, let was):
            told += 1
            if instance.version != was.version + 1 {
                faults.append("client \(number): version \(instance.version) after \(was.version)")
            }
        default: break
        }
    }

    /// The link is cut: what is under way is lost, and neither end is told more than that.
    mutating func cut(until: MonotonicTime, now: MonotonicTime) {
        link = .cut(until: until)
        saying = []
        underWay = []
        _ = core.connectionClosed(code: 1006, now: now)
    }
}
