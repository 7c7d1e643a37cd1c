public import CairnGeo
public import CairnWire

extension WireEvent.OneOf_Change {
    /// A change of an event, made in place: `.made { $0.left.instance = id }`.
    public static func made(_ write: (inout WireEvent) -> Void) -> Self {
        var event = WireEvent()
        write(&event)
        guard let change = event.change else { preconditionFailure("no change was written") }
        return change
    }
}

extension WireReply.OneOf_Result {
    /// A result of a reply, made in place: `.made { $0.edited.instance.version = 2 }`.
    public static func made(_ write: (inout WireReply) -> Void) -> Self {
        var reply = WireReply()
        write(&reply)
        guard let result = reply.result else { preconditionFailure("no result was written") }
        return result
    }
}

extension WireClientMessage.OneOf_Body {
    /// A body of a message, made in place: `.made { $0.remove.instance = id }`.
    public static func made(_ write: (inout WireClientMessage) -> Void) -> Self {
        var message = WireClientMessage()
        write(&message)
        guard let body = message.body else { preconditionFailure("no body was written") }
        return body
    }
}

extension WirePose {
    /// An upright pose in the middle of `Ground.here`, with an anchor that must be kept bit for bit.
    public static func make(
        at place: Coordinate = Ground.here.centre, heightMetres: Double = 12.5, scale: Double? = nil,
        anchorID: String = ""
    ) -> WirePose {
        var pose = WirePose()
        pose.geopose.position.lat = place.latitude
        pose.geopose.position.lon = place.longitude
        pose.geopose.position.h = heightMetres
        // Zeros are set, too: a field that is not set is missing, not 0.
        pose.geopose.quaternion.x = 0
        pose.geopose.quaternion.y = 0
        pose.geopose.quaternion.z = 0
        pose.geopose.quaternion.w = 1
        if let scale { pose.scale = scale }
        if !anchorID.isEmpty {
            pose.anchor.provider = "test"
            pose.anchor.id = anchorID
        }
        return pose
    }
}

extension WireInstance {
    /// The instance as everybody but its placer sees it.
    public var asOthersSee: WireInstance {
        var seen = self
        seen.placer = ""
        seen.created = 0
        return seen
    }
}

extension WirePosition {
    /// A position in the middle of `Ground.here`.
    public static func make(at place: Coordinate = Ground.here.centre, heightMetres: Double = 10) -> WirePosition {
        var position = WirePosition()
        position.lat = place.latitude
        position.lon = place.longitude
        position.h = heightMetres
        return position
    }
}

extension WireHello {
    /// A hello with a name and without a token.
    public static func make(
        name: String = "tester", token: String = "", shares: Bool = false, accuracy: UInt32? = nil,
        cursors: [WireCursor] = []
    ) -> WireHello {
        var hello = WireHello()
        hello.version = 1
        hello.frontEnd = "realm"
        hello.name = name
        hello.token = token
        hello.sharePosition = shares
        if let accuracy { hello.shareAccuracy = accuracy }
        hello.cursors = cursors
        return hello
    }
}
