internal import CairnCore
internal import CairnWire

/// What the stored replies of long answers leave out (SYN-2): texts and lists that others have written, or that can be
/// read again, so that no message of some 60 bytes keeps kilobytes on the disk for a day. A retry is answered without
/// them, and the client reads them by the message that has them.
extension Request.Result {
    /// Bytes up to which an answer is stored whole.
    private static let wholeBytesMax = 2_048

    private static func isLong(_ message: some WireMessage) -> Bool { WireBody.encode(message).count > wholeBytesMax }

    /// A sub-realm without name and description (`list_realms` has them), a group without members (`get_group`), a run
    /// without the texts of its stops and the ids of its popups (`get_run`). A sub-realm always has a name, a group a
    /// member, so that a client sees what was left out. Other answers as they are.
    var withoutLongTexts: Self {
        switch self {
        case .run(let run):
            return .run(run.withoutLongTexts(isLong: Self.isLong))
        case .realm(var realm) where Self.isLong(realm):
            (realm.name, realm.description_p) = ("", "")
            return .realm(realm)
        case .group(var group) where Self.isLong(group):
            group.members = []
            return .group(group)
        default:
            return self
        }
    }

    /// Puts back the texts of a sub-realm that were left out, where the request has both.
    func withTexts(_ name: String?, _ description: String?) -> Self {
        guard case .realm(var realm) = self, realm.name.isEmpty, let name, let description else { return self }
        (realm.name, realm.description_p) = (name, description)
        return .realm(realm)
    }
}

extension WireRun {
    /// Bytes up to which a stop is stored whole.
    private static let stopBytesMax = 1_024

    fileprivate func withoutLongTexts(isLong: (Self) -> Bool) -> Self {
        var run = self
        if hasTarget { run.target = Self.shortened(target) }
        if hasLast { run.last = Self.shortened(last) }
        if isLong(run) { run.popups = [] }
        return run
    }

    private static func shortened(_ stop: WireTourStop) -> WireTourStop {
        guard WireBody.encode(stop).count > stopBytesMax else { return stop }
        var short = WireTourStop()
        (short.id, short.object, short.pose) = (stop.id, stop.object, stop.pose)
        short.pose.clearAnchor()
        return short
    }
}
