import CairnCore
import CairnGeo
import CairnTesting
import CairnWire

/// SplitMix64: the same seed gives the same test.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Not a multiple of the increment below: otherwise neighbouring seeds would give the same stream, shifted by a
    /// step.
    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

extension InstanceID {
    static func make(_ number: UInt64 = 1) -> InstanceID { InstanceID(rawValue: number) }
}

extension ObjectRecord {
    static func make(
        _ id: InstanceID = .make(), kind: ObjectKind = .object, owner: AccountID = .make(), version: UInt32 = 1,
        audience: Audience = .everyone, ends: LastingTime? = nil
    ) -> ObjectRecord {
        var wire = WireInstance()
        wire.id = id.description
        wire.version = version
        return ObjectRecord(
            id: id, kind: kind, owner: owner, ownerName: "owner", audience: audience,
            coordinate: Ground.here.centre, ends: ends, wire: wire)
    }
}

extension Scope {
    /// A group for tests only.
    static func group(_ number: UInt64) -> Scope { Scope(Scope.Kind("z"), InstanceID.make(number)) }
}

extension Audience {
    /// Things from 100 on are for group 1, from 200 on for groups 1 and 2.
    static func of(_ id: InstanceID) -> Audience {
        switch id.rawValue {
        case ..<100: .everyone
        case ..<200: Audience(.group(1))
        default: Audience(.group(1), [.group(2)])
        }
    }
}

extension MessageKind {
    static let setKind = MessageKind(field: 900, name: "set")
    static let dropKind = MessageKind(field: 901, name: "drop")
    static let lookKind = MessageKind(field: 902, name: "look")
    static let askKind = MessageKind(field: 903, name: "ask")
}

/// A feature of numbered things: sets the version of thing n, drops it, reads it, or asks the store for it and drops it
/// when there are rows.
///
/// A message names the thing's number as an instance; thing 0 is always refused.
enum Things: Feature {
    static let name = "things"
    static let commands: [any Command.Type] = [SetThing.self, DropThing.self, AskThing.self, LookThing.self]
    /// At most three things may be set in any second.
    static let quotas = [
        Quota(
            "things", of: name, code: .quotaPeriod, counting: [SetThing.self],
            windows: [Quota.Window(Quota.Span("second", length: .seconds(1))) { _ in 3 }],
            stored: Quota.Stored(
                query: { _, _ in Query("TIMES") }, times: { rows, _ in rows.map { (try? $0.lastingTime(0)) ?? 0 } }))
    ]
    static let migrations = [
        Migration("things-1", "CREATE TABLE things (id INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT")
    ]

    static func restore(_ answers: [[Row]], in turn: inout Turn) {
        for row in answers.first ?? [] {
            guard let number = try? row.integer(0), let version = try? row.integer(1) else { continue }
            let id = InstanceID.make(UInt64(number))
            turn.objects[id] = .make(id, version: UInt32(version), audience: .of(id))
        }
    }

    fileprivate static func set(_ id: InstanceID, answering request: Request?, in turn: inout Turn) -> [Effect] {
        var record = turn.objects[id] ?? .make(id, version: 0, audience: .of(id))
        record.wire.version += 1
        turn.objects[id] = record
        var effects: [Effect] = [
            .write(Statement("SET", .integer(Int64(id.rawValue)), .integer(Int64(record.wire.version))))
        ]
        if let request {
            effects.append(.answer(request, .success(.made { $0.edited.instance = record.wire })))
        }
        return effects + [told(id, state: record.wire)]
    }

    fileprivate static func drop(_ id: InstanceID, answering request: Request, in turn: inout Turn) -> [Effect] {
        turn.objects[id] = nil
        return [
            .write(Statement("DROP", .integer(Int64(id.rawValue)))),
            .answer(request, .success(.made { $0.removed.instance = id.description })),
            told(id, state: nil),
        ]
    }

    fileprivate static func told(_ id: InstanceID, state: WireInstance?) -> Effect {
        guard let state else {
            let change = WireEvent.OneOf_Change.made { $0.left.instance = id.description }
            return .publish(Publication(audience: .of(id), change: change, object: id, owner: nil, state: nil))
        }
        let change = WireEvent.OneOf_Change.made { event in
            event.changed.instance = id.description
            event.changed.version = state.version
        }
        return .publish(Publication(audience: .of(id), change: change, object: id, owner: nil, state: state))
    }
}

/// A command about one thing. Its body is any message that holds a text.
protocol ThingCommand: Command where Body == WireCursor {
    var body: WireCursor { get }
}

extension ThingCommand {
    var number: UInt8 { UInt8(body.topic) ?? 0 }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .cell(Ground.here.cell) }

    fileprivate var id: InstanceID {
        get throws(Refusal) {
            guard number > 0 else { throw Refusal(.forbidden, component: Things.name) }
            return .make(UInt64(number))
        }
    }
}

struct SetThing: ThingCommand, Change {
    static let kind = MessageKind.setKind
    let body: WireCursor

    init(_ body: WireCursor) { self.body = body }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        Things.set(try id, answering: request, in: &turn)
    }
}

struct DropThing: ThingCommand, Change {
    static let kind = MessageKind.dropKind
    let body: WireCursor

    init(_ body: WireCursor) { self.body = body }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        Things.drop(try id, answering: request, in: &turn)
    }
}

struct AskThing: ThingCommand, Change {
    static let kind = MessageKind.askKind
    let body: WireCursor

    init(_ body: WireCursor) { self.body = body }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        [.ask([Query("ASK", .integer(Int64(try id.rawValue)))], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard !rows[0].isEmpty else { throw Refusal(.notFound, component: Things.name) }
        return Things.drop(try id, answering: request, in: &turn)
    }
}

struct LookThing: ThingCommand, Question {
    static let kind = MessageKind.lookKind
    /// The record in which the home notes that somebody has looked. It is in memory only.
    static let noted = InstanceID(rawValue: 1 << 62)
    let body: WireCursor

    init(_ body: WireCursor) { self.body = body }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        turn.objects[Self.noted] = .make(Self.noted)
        guard let record = turn.objects.kept(try id) else { throw Refusal(.notFound, component: Things.name) }
        var selected = WireSelected()
        selected.instance = record.wire
        return [.answer(request, .success(.selected(selected)))]
    }
}

struct ThingPushed: HomeMessage {
    static let kind: StaticText = "things.pushed"
    let id: InstanceID

    init(id: InstanceID) { self.id = id }

    init(payload: [UInt8], register: FeatureRegister) { id = InstanceID(rawValue: payload.numbers[0]) }

    var payload: [UInt8] { [UInt8](numbers: [id.rawValue]) }

    var ifNotHeard: [Effect]? { [.count("pushes declined")] }

    func heard(in turn: inout Turn) -> [Effect] { Things.set(id, answering: nil, in: &turn) }
}

struct ThingPulled: HomeMessage {
    static let kind: StaticText = "things.pulled"
    let id: InstanceID

    init(id: InstanceID) { self.id = id }

    init(payload: [UInt8], register: FeatureRegister) { id = InstanceID(rawValue: payload.numbers[0]) }

    var payload: [UInt8] { [UInt8](numbers: [id.rawValue]) }

    /// Another home has written the change, so this one writes nothing, as when an instance has moved out.
    func heard(in turn: inout Turn) -> [Effect] {
        turn.objects[id] = nil
        return [Things.told(id, state: nil)]
    }
}

extension FeatureRegister {
    static let things = FeatureRegister([Things.self])
}

extension Request {
    /// A request about thing `number`; 0 is always refused.
    static func thing(
        _ kind: MessageKind, _ number: UInt8 = 1, id: UInt32 = 1, key: String? = nil, from sender: Sender = .make()
    ) -> Request {
        var body = WireCursor()
        body.topic = "\(number)"
        let payload = WireBody.encode(body)
        guard let command = try? FeatureRegister.things.command(field: kind.field, payload: payload) else {
            preconditionFailure("no command answers \(kind)")
        }
        return Request(id: id, key: key ?? "key-\(id)", command: command, payload: payload, sender: sender)
    }

    /// The number of its thing.
    var thing: UInt8 { (command as? any ThingCommand)?.number ?? 0 }
}

extension WireReply.OneOf_Result {
    var version: UInt32? {
        switch self {
        case .edited(let edited): edited.instance.version
        case .selected(let selected): selected.instance.version
        default: nil
        }
    }
}
