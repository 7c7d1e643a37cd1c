import CairnClient
import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnTime
import CairnWire

@testable import CairnServer

/// Values by chance, repeatable by their seed: all that other nodes are sent.
struct NodeSamples {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Small things

    mutating func number() -> UInt64 { random.next() >> UInt64.random(in: 0..<64, using: &random) }

    mutating func time<Time: Timestamp>() -> Time { Time(milliseconds: Int64(bitPattern: number())) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func bool() -> Bool { Bool.random(using: &random) }

    mutating func text() -> String {
        String((0..<below(6)).map { _ in "aZ9 ü🧭".randomElement(using: &random) ?? "-" })
    }

    mutating func bytes() -> [UInt8] { (0..<below(20)).map { _ in UInt8(below(256)) } }

    mutating func maybe<Value>(_ make: (inout NodeSamples) -> Value) -> Value? { bool() ? make(&self) : nil }

    mutating func some<Value>(_ make: (inout NodeSamples) -> Value) -> [Value] {
        (0..<below(4)).map { _ in make(&self) }
    }

    mutating func place() -> Place { Place(node: NodeID(UInt16(below(1_024))), loop: below(65_536)) }

    mutating func participant() -> Participant {
        Participant(place: place(), connection: number(), format: bool() ? .json : .proto)
    }

    mutating func coordinate() -> Coordinate {
        LocalPlane(origin: Ground.here.centre).coordinate(
            east: .random(in: -900...900, using: &random), north: .random(in: -900...900, using: &random))
    }

    mutating func cell() -> CellID { CellID(coordinate(), level: 10 + below(10)) }

    mutating func account() -> AccountID { AccountID(rawValue: number()) }

    mutating func session() -> SessionID { SessionID(rawValue: number()) }

    mutating func right() -> RightChange { RightChange(account(), scope(), isGrant: bool()) }

    mutating func scope() -> Scope { bool() ? .everyone : Scope(Scope.Kind("z"), account()) }

    mutating func home() -> HomeAddress {
        switch below(4) {
        case 0: .cell(cell())
        case 1: .account(account())
        case 2: .realm(RealmID(rawValue: number()))
        default: .space(SpaceID(rawValue: number()))
        }
    }

    mutating func topic() -> Topic { Topic(home(), scope()) }

    mutating func point() -> GeoPoint {
        GeoPoint(coordinate: coordinate(), altitudeMetres: maybe { Double($0.number()) })
    }

    mutating func sample(before now: MonotonicTime) -> PoseSample {
        PoseSample(
            coordinate: coordinate(), heightMetres: Double(number()), orientation: UInt32(truncatingIfNeeded: number()),
            accuracyMetres: maybe { Float($0.below(100)) }, at: now - .microseconds(below(1_000_000)))
    }

    mutating func item() -> EncodedItem {
        var item = WireItem()
        item.notice.text = text()
        item.notice.sent = Int64(below(1_000))
        return EncodedItem(item, json: bool())
    }

    // MARK: Requests

    mutating func request(before now: MonotonicTime) -> Request {
        var instance = WireInstance()
        instance.id = InstanceID(rawValue: number()).description
        instance.cell = cell().token
        instance.version = UInt32(below(9))
        let bodies: [WireClientMessage.OneOf_Body] = [
            .placing("preset:\(below(9))", .make(at: coordinate()), text: text(), data: bytes()),
            .editing(instance, to: .make(at: coordinate())), .removing(instance), .selecting(instance),
            .reacting(text(), to: instance),
        ]
        let sender = Sender(
            participant: participant(), account: account(), name: text(), position: maybe { $0.point() },
            view: CellSet(some { $0.cell() }), scopes: Set(some { $0.scope() }), shownPlace: maybe { $0.coordinate() },
            language: text())
        let made = Request.make(bodies[below(bodies.count)], id: UInt32(below(99)), key: "key-\(text())", from: sender)
        return Request(
            id: made.id, key: made.key, command: made.command, payload: made.payload, sender: sender,
            receivedAt: now - .microseconds(below(9_000_000)))
    }

    mutating func sentence() -> Refusal.Text {
        let part: Refusal.Text = "\(below(9)) of \(text())"
        return bool() ? "\(text()): \(part)" : part
    }

    mutating func answer() -> Answer {
        if bool() {
            let codes = Features.register.refusals
            var refusal = Refusal(
                codes[below(codes.count)], sentence(), component: text(),
                details: Dictionary(some { ($0.text(), $0.text()) }) { one, _ in one })
            refusal.retryAfter = maybe { .milliseconds($0.below(9_999)) }
            return .refusal(refusal)
        }
        var positioned = WirePositioned()
        positioned.cell = cell().token
        let result: Request.Result = bool() ? .positioned(positioned) : .done(WireDone())
        return bool() ? .success(result) : .unchanged(result)
    }

    mutating func instance() -> WireInstance {
        var instance = WireInstance()
        instance.id = text()
        instance.version = UInt32(below(9))
        instance.pose = .make(at: coordinate())
        return instance
    }

    mutating func follow() -> FollowRequest {
        FollowRequest(
            scope: scope(), participant: participant(), account: account(),
            absent: Set(some { $0.account() }), cursor: maybe { Cursor(epoch: $0.number(), sequence: $0.number()) },
            number: number())
    }

    // MARK: Sessions

    /// Somebody who has walked about.
    mutating func state(before now: MonotonicTime) -> Session.State {
        let reach = ViewTracker.Reach(level: 16, radius: 120, hysteresis: 0.2, border: 10)
        var (tracker, journey) = (ViewTracker(), Journey())
        for step in 0..<below(4) {
            let place = coordinate()
            // Not all of what is near comes into view.
            _ = tracker.move(to: place, reach: reach) { $0 - min($0, step) }
            _ = journey.isJump(to: place, metresPerSecond: 90, now: now - .microseconds(below(60_000_000)))
        }
        return Session.State(
            id: session(), tracker: tracker, position: maybe { $0.point() }, journey: journey,
            boards: Session.Boards(shown: maybe { $0.cell() }, watched: maybe { $0.cell() }), shares: bool(),
            gridMetres: Double(below(1_000)), isPresent: bool())
    }

    mutating func cut(before now: MonotonicTime) -> CutSession {
        let state = state(before: now)
        let term = maybe { samples in
            AppTokenTerm(
                issued: samples.time(), expires: samples.time(), revokedBefore: samples.time())
        }
        let user = Session.User(
            account: account(), name: text(), token: text(), session: state.id, role: bool() ? .admin : .general,
            appToken: term)
        return CutSession(
            user: user, participant: participant(), state: state, cutAt: now - .microseconds(below(60_000_000)))
    }
}
