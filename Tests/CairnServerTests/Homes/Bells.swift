import CairnCore
import CairnGeo
import CairnStore
import CairnTesting
import CairnWire

@testable import CairnRoot
@testable import CairnServer

/// Rings in homes of every kind: what each rings is counted on disk, and told to those who follow.
enum Bells: Feature {
    static let name = "bells"
    static let commands: [any Command.Type] = []
    static let migrations: [Migration] = []
    static let timers: [any HomeTimer.Type] = [Bell.self]
    static let publishes: Set<HomeKind> = Set(HomeKind.allCases)
    static let messages: [any HomeMessage.Type] = [SetBells.self, RingOn.self]
    static let register = FeatureRegister([Bells.self])

    /// What bell `number` does when it rings: one more ring on disk, and a thing with its number for all to see.
    fileprivate static func ring(_ number: UInt64) -> [Effect] {
        var instance = WireInstance()
        instance.id = "bell \(number)"
        instance.version = 1
        var event = WireEvent()
        event.entered.instance = instance
        guard let change = event.change else { return [] }
        let ring = Statement(
            """
            INSERT INTO engagement (day, what, count) VALUES (0, ?, 1)
            ON CONFLICT (day, what) DO UPDATE SET count = count + 1
            """, .text("bell \(number)"))
        return [
            .write(ring),
            .publish(
                Publication(
                    audience: .everyone, change: change, object: InstanceID(rawValue: number), owner: nil,
                    state: instance)),
        ]
    }
}

/// Rings once.
struct Bell: HomeTimer {
    static let kind: StaticText = "bells.ring"
    let subject: UInt64

    init(_ number: UInt64) { subject = number }

    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) { self.init(subject) }

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] { Bells.ring(subject) }
}

/// Has a home set bells.
struct SetBells: HomeMessage {
    static let kind: StaticText = "bells.set"
    let numbers: Range<UInt64>
    /// Milliseconds from now to the first, and from each to the next.
    let after: Int64
    let apart: Int64

    init(_ numbers: Range<UInt64>, after: Int64, apart: Int64 = 0) {
        self.numbers = numbers
        self.after = after
        self.apart = apart
    }

    init(payload: [UInt8], register: FeatureRegister) {
        let words = payload.numbers
        self.init(words[0]..<words[1], after: Int64(bitPattern: words[2]), apart: Int64(bitPattern: words[3]))
    }

    var payload: [UInt8] {
        [UInt8](numbers: [
            numbers.lowerBound, numbers.upperBound, UInt64(bitPattern: after), UInt64(bitPattern: apart),
        ])
    }

    func heard(in turn: inout Turn) -> [Effect] {
        numbers.enumerated().map { .wake(at: turn.lasting + .milliseconds(after + Int64($0) * apart), Bell($1)) }
    }
}

/// Rings in one home after the other, each of which tells the next.
struct RingOn: HomeMessage {
    static let kind: StaticText = "bells.ringOn"
    let number: UInt64
    let further: [HomeAddress]

    init(number: UInt64, further: [HomeAddress]) {
        self.number = number
        self.further = further
    }

    init(payload: [UInt8], register: FeatureRegister) {
        let words = String(decoding: payload, as: UTF8.self).split(separator: " ")
        self.init(number: UInt64(words[0]) ?? 0, further: words.dropFirst().compactMap { HomeAddress(name: $0) })
    }

    var payload: [UInt8] { Array((["\(number)"] + further.map(\.name)).joined(separator: " ").utf8) }

    func heard(in turn: inout Turn) -> [Effect] {
        var effects = Bells.ring(number)
        if let next = further.first {
            effects.append(.tell(next, RingOn(number: number + 1, further: Array(further.dropFirst()))))
        }
        return effects
    }
}

extension RunningServer {
    /// Says something to a home.
    func tell(_ home: HomeAddress, _ message: any HomeMessage) {
        shards[0].post { $0.give(.hear(message), to: home) }
    }
}

extension ServerBench {
    /// Says something to a home.
    func tell(_ home: HomeAddress, _ message: any HomeMessage) async { await server.tell(home, message) }

    /// How often each bell has rung, as it is on disk.
    func rings() async throws -> [String: Int64] {
        let rows = try await server.store.read([
            Query("SELECT what, count FROM engagement WHERE day = 0 AND what LIKE 'bell %'")
        ])[0]
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.text(0), try $0.integer(1)) })
    }

    /// Timers that are set, as it is on disk.
    func timers() async throws -> Int64 {
        try await server.store.read([Query("SELECT count(*) FROM timers")])[0][0].integer(0)
    }
}
