import CairnCore
import CairnGeo
import CairnTesting
import CairnWire

/// SplitMix64: the same seed gives the same test.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
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
    static func make(_ id: InstanceID = .make(), owner: AccountID = .make(), version: UInt32 = 1) -> ObjectRecord {
        var wire = WireInstance()
        wire.id = id.description
        wire.version = version
        return ObjectRecord(
            id: id, owner: owner, ownerName: "owner", scope: .everyone, coordinate: Ground.here.centre, wire: wire)
    }
}

extension MessageKind {
    static let setKind = MessageKind(field: 900, name: "set")
    static let dropKind = MessageKind(field: 901, name: "drop")
    static let lookKind = MessageKind(field: 902, name: "look")
    static let askKind = MessageKind(field: 903, name: "ask")
}

/// A feature that knows nothing but numbers: sets the version of thing n, drops it, looks at it, or asks the store for
/// it, and drops it when there are rows.
///
/// The body of a request is one byte, the thing's number; thing 0 is always refused.
struct Things: Feature {
    static let name = "things"
    static let changes: [MessageKind] = [.setKind, .dropKind, .askKind]
    static let questions: [MessageKind] = [.lookKind]
    static let hears: [any HomeMessage.Type] = [ThingPushed.self, ThingPulled.self]
    static let migrations = [
        Migration("things-1", "CREATE TABLE things (id INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT")
    ]

    var rules: Rules

    init(rules: Rules) {
        self.rules = rules
    }

    static func home(for request: Request, rules: Rules) -> HomeAddress { .cell(Ground.here.cell) }

    mutating func restore(_ answers: [[Row]], in turn: inout Turn) {
        for row in answers.first ?? [] {
            guard let number = try? row.integer(0), let version = try? row.integer(1) else { continue }
            let id = InstanceID.make(UInt64(number))
            turn.objects[id] = .make(id, version: UInt32(version))
        }
    }

    mutating func receive(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let id = InstanceID.make(UInt64(request.payload.first ?? 0))
        guard id.rawValue > 0 else { throw Refusal(.forbidden, component: Self.name) }
        switch request.kind {
        case .setKind: return set(id, answering: request, in: &turn)
        case .dropKind: return drop(id, answering: request, in: &turn)
        case .askKind: return [.ask(Query("ASK", .integer(Int64(id.rawValue))), request)]
        default:
            guard let record = turn.objects.kept(id) else { throw Refusal(.notFound, component: Self.name) }
            var selected = WireSelected()
            selected.instance = record.wire
            return [.answer(request, .success(.selected(selected)))]
        }
    }

    mutating func resume(
        _ request: Request, rows: [Row], in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard !rows.isEmpty else { throw Refusal(.notFound, component: Self.name) }
        return drop(.make(UInt64(request.payload[0])), answering: request, in: &turn)
    }

    mutating func hear(_ message: any HomeMessage, in turn: inout Turn) -> [Effect] {
        switch message {
        case let pushed as ThingPushed: return set(pushed.id, answering: nil, in: &turn)
        case let pulled as ThingPulled:
            // Another home has written it: nothing to write here, as when an instance has moved out.
            turn.objects[pulled.id] = nil
            return [told(pulled.id, state: nil)]
        default: return []
        }
    }

    private func set(_ id: InstanceID, answering request: Request?, in turn: inout Turn) -> [Effect] {
        var record = turn.objects[id] ?? .make(id, version: 0)
        record.wire.version += 1
        turn.objects[id] = record
        var effects: [Effect] = [
            .write(Statement("SET", .integer(Int64(id.rawValue)), .integer(Int64(record.wire.version))))
        ]
        if let request {
            var edited = WireEdited()
            edited.instance = record.wire
            effects.append(.answer(request, .success(.edited(edited))))
        }
        return effects + [told(id, state: record.wire)]
    }

    private func drop(_ id: InstanceID, answering request: Request, in turn: inout Turn) -> [Effect] {
        turn.objects[id] = nil
        var removed = WireRemoved()
        removed.instance = id.description
        return [
            .write(Statement("DROP", .integer(Int64(id.rawValue)))),
            .answer(request, .success(.removed(removed))),
            told(id, state: nil),
        ]
    }

    private func told(_ id: InstanceID, state: WireInstance?) -> Effect {
        guard let state else {
            var left = WireLeft()
            left.instance = id.description
            return .publish(Publication(scope: .everyone, change: .left(left), object: id, state: nil))
        }
        var changed = WireChanged()
        changed.instance = id.description
        changed.version = state.version
        return .publish(Publication(scope: .everyone, change: .changed(changed), object: id, state: state))
    }
}

struct ThingPushed: HomeMessage {
    let id: InstanceID

    var ifNotHeard: [Effect]? { [.count("pushes declined")] }
}
struct ThingPulled: HomeMessage { let id: InstanceID }

extension FeatureRegister {
    static let things = FeatureRegister([Things.self], allowances: [FewThings.self])
}

extension Request {
    /// A request about thing `number`; 0 is always refused.
    static func thing(
        _ kind: MessageKind, _ number: UInt8 = 1, id: UInt32 = 1, key: String? = nil, from sender: Sender = .make()
    ) -> Request {
        Request(id: id, key: key ?? "key-\(id)", kind: kind, payload: [number], sender: sender)
    }
}

/// Three things to be set in any second.
struct FewThings: Allowance {
    static let name = "few-things"
    static let kinds: [MessageKind] = [.setKind]

    private var window = RollingWindow(limit: 3, length: 1_000)
    private var reserved = 0

    init(rules: Rules) {}

    mutating func adopt(_ rules: Rules) {}

    mutating func restore(_ answers: [[Row]]) -> [DamagedRow] {
        for row in answers.first ?? [] { window.add((try? row.integer(0)) ?? 0) }
        return []
    }

    mutating func reserve(now: Int64) -> Reservation {
        let used = window.count(now: now)
        guard used < 3 else { return .refused(Refusal(.quotaPeriod, component: Self.name)) }
        if used + reserved >= 3 { return .wait }
        reserved += 1
        return .granted
    }

    mutating func settle(granted: Bool, now: Int64) {
        reserved -= 1
        if granted { window.add(now) }
    }
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
