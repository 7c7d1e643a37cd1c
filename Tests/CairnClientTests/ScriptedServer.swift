import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation

/// What a server would send, written down: items become messages and go into a core.
struct Script {
    var core: ClientCore
    var now: MonotonicTime = .epoch + .seconds(1)

    static func make(
        profile: ClientProfile = ClientProfile(name: "ada"), format: WireFormat = .proto,
        presence: PresenceMode = .full, limits: ClientLimits = ClientLimits()
    ) -> Script {
        Script(core: ClientCore(profile: profile, format: format, presence: presence, limits: limits, seed: 7))
    }

    /// A core whose session is open.
    static func live(
        format: WireFormat = .proto, presence: PresenceMode = .full, limits: ClientLimits = ClientLimits()
    ) -> Script {
        var script = make(format: format, presence: presence, limits: limits)
        _ = script.open()
        return script
    }

    /// Opens a connection and lets the server welcome it; gives what followed the hello.
    mutating func open(_ welcome: WireWelcome = .make()) -> [ClientEvent] {
        core.connectionOpened(now: now)
        return receive(.reply(id: takeEnvelopes().first?.id ?? 0, .welcome(welcome)))
    }

    mutating func receive(_ items: WireItem...) -> [ClientEvent] { receive(items) }

    mutating func receive(_ items: [WireItem]) -> [ClientEvent] {
        let message = ServerItemEncoder.message(
            items.map { ServerItemEncoder.encode($0, format: core.format) }, format: core.format)
        return message.withUnsafeBytes { core.receive($0, now: now) }
    }

    /// What the core wants sent, in either format, as a server reads it at first.
    mutating func takeEnvelopes() -> [ClientEnvelope] {
        core.takeOutgoing().compactMap { try? ClientEnvelopeDecoder.decode($0, format: core.format) }
    }

    /// The messages that a core of `.proto` wants sent.
    mutating func takeSent() -> [WireClientMessage] {
        core.takeOutgoing().map { (try? WireBody.decode(from: $0)) ?? WireClientMessage() }
    }
}

extension WireWelcome {
    static func make(session: String = "session-1", token: String = "token-1", resumed: Bool = false) -> WireWelcome {
        var welcome = WireWelcome()
        welcome.role = "general"
        welcome.name = "ada"
        welcome.session = session
        welcome.token = token
        welcome.resumed = resumed
        return welcome
    }
}

extension WireItem {
    static func reply(id: UInt32, _ result: WireReply.OneOf_Result) -> WireItem {
        var item = WireItem()
        item.reply.id = id
        item.reply.result = result
        return item
    }

    static func refusal(id: UInt32, _ code: Refusal.Code, retryAfter: Duration? = nil) -> WireItem {
        reply(id: id, .refusal(Refusal(code, retryAfter: retryAfter).wire(correlation: "")))
    }

    static func snapshot(
        _ topic: String, epoch: UInt64 = 1, sequence: UInt64 = 0, first: Bool = true, last: Bool = true,
        _ instances: [WireInstance] = []
    ) -> WireItem {
        var item = WireItem()
        item.snapshot.cursor.topic = topic
        item.snapshot.cursor.epoch = epoch
        item.snapshot.cursor.sequence = sequence
        item.snapshot.first = first
        item.snapshot.last = last
        item.snapshot.instances = instances
        return item
    }

    static func continued(_ topic: String, epoch: UInt64 = 1, sequence: UInt64) -> WireItem {
        var item = WireItem()
        item.continued.cursor.topic = topic
        item.continued.cursor.epoch = epoch
        item.continued.cursor.sequence = sequence
        return item
    }

    static func event(_ topic: String, _ sequence: UInt64, _ change: WireEvent.OneOf_Change) -> WireItem {
        var item = WireItem()
        item.event.topic = topic
        item.event.sequence = sequence
        item.event.change = change
        return item
    }

    static func unfollowed(_ topic: String) -> WireItem {
        var item = WireItem()
        item.unfollowed.topic = topic
        return item
    }

    static func resync(_ topic: String) -> WireItem {
        var item = WireItem()
        item.resync.topic = topic
        return item
    }

    static func own(_ topic: String, _ ids: InstanceID...) -> WireItem {
        var item = WireItem()
        item.own.topic = topic
        item.own.instances = ids.map { id in
            var own = WireOwnInstance()
            own.id = id.description
            return own
        }
        return item
    }

    static func signedOut(_ code: String) -> WireItem {
        var item = WireItem()
        item.signedOut.code = code
        return item
    }

    static func closing(_ code: String, reconnectAfter: UInt32?) -> WireItem {
        var item = WireItem()
        item.closing.code = code
        if let reconnectAfter { item.closing.reconnectAfter = reconnectAfter }
        return item
    }

    static func presence(
        _ cell: CellID, keyframe: Bool = false, joined: [(slot: UInt32, id: String)] = [], left: [UInt32] = [],
        poses: [PoseRecord] = [], livePoses: [WireLivePose] = [], people: UInt32? = nil
    ) -> WireItem {
        var item = WireItem()
        item.presence.cell = cell.token
        item.presence.keyframe = keyframe
        item.presence.joined = joined.map { joined in
            var person = WirePerson()
            person.slot = joined.slot
            person.id = joined.id
            person.name = "name of \(joined.id)"
            return person
        }
        item.presence.left = left
        var bytes: [UInt8] = []
        for pose in poses { pose.append(to: &bytes) }
        item.presence.poses = .init(bytes)
        item.presence.livePoses = livePoses
        item.presence.step = 10
        item.presence.baseHeight = 40
        if let people { item.presence.people = people }
        return item
    }

    static func short(_ cell: CellID, poses: [PoseRecord], base: Int32? = nil) -> WireItem {
        var item = presence(cell, poses: poses)
        (item.presence.cell, item.presence.step, item.presence.baseHeight) = ("", 0, 0)
        item.presence.number = cell.shortNumber
        if let base { item.presence.base = base }
        return item
    }
}

extension WireEvent.OneOf_Change {
    /// Written where it stands in its event, without the name of its message.
    static func made(_ write: (inout WireEvent) -> Void) -> Self {
        var event = WireEvent()
        write(&event)
        guard let change = event.change else { preconditionFailure("no change was written") }
        return change
    }

    static func enter(_ instance: WireInstance) -> Self { .made { $0.entered.instance = instance } }

    static func change(_ id: InstanceID, version: UInt32, height: Double = 1) -> Self {
        .made { event in
            event.changed.instance = id.description
            event.changed.version = version
            event.changed.pose = .make(height: height)
        }
    }

    static func leave(_ id: InstanceID) -> Self { .made { $0.left.instance = id.description } }

    static func moveOut(_ id: InstanceID, version: UInt32) -> Self {
        .made { event in
            event.movedOut.instance = id.description
            event.movedOut.version = version
        }
    }
}

extension WireInstance {
    static func make(
        _ id: InstanceID, version: UInt32 = 1, cell: String = "487604c43", latitude: Double = 51.5007,
        longitude: Double = -0.1246
    ) -> WireInstance {
        var instance = WireInstance()
        instance.id = id.description
        instance.object = "preset:heart"
        instance.version = version
        instance.cell = cell
        instance.pose = .make(latitude: latitude, longitude: longitude)
        return instance
    }
}

extension WirePose {
    static func make(latitude: Double = 51.5007, longitude: Double = -0.1246, height: Double = 0) -> WirePose {
        var pose = WirePose()
        pose.geopose.position.lat = latitude
        pose.geopose.position.lon = longitude
        pose.geopose.position.h = height
        pose.geopose.quaternion.w = 1
        return pose
    }
}

extension InstanceID {
    static func number(_ number: UInt64) -> InstanceID { InstanceID(rawValue: number) }
}

extension [ClientEvent] {
    var violations: [Violation.Rule] {
        compactMap { if case .violation(let violation) = $0 { violation.rule } else { nil } }
    }

    /// The visible steps: "+1" appeared, "~1" changed, "-1" disappeared, with the instance's number.
    var steps: [String] {
        compactMap { event in
            switch event {
            case .appeared(let instance): "+" + Self.number(instance)
            case .changed(let instance, _): "~" + Self.number(instance)
            case .disappeared(let instance): "-" + Self.number(instance)
            default: nil
            }
        }
    }

    var presence: PresenceChange? {
        for case .presence(let change) in self { return change }
        return nil
    }

    private static func number(_ instance: WireInstance) -> String {
        InstanceID(instance.id).map { "\($0.rawValue)" } ?? "?"
    }
}
