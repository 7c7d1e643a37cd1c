public import CairnCore
internal import CairnWire

/// The register: every capability of the server is one line here, one folder beside it and one line in the envelope.
public enum Features {
    public static let register = FeatureRegister(
        features + [ChangeQuota.self],
        sharing: [gestures, looksAtRuns, ChangeQuota.quota(of: features, sharing: [gestures])],
        replyBytesMax: { $0.replyBytesPerDay })

    static let features: [any Feature.Type] = [
        Friends.self,
        Realms.self,
        Placements.self,
        Reactions.self,
        Posts.self,
        Runs.self,
        Groups.self,
        Tours.self,
        Feedback.self,
    ]

    /// Limits the reactions and votes of one person per minute, over all places and devices (RCT-5). It is kept in
    /// memory only, so a restart resets it.
    private static let gestures = Quota(
        "reactions and votes", of: Reactions.name, code: .rateLimited, counting: [React.self, Vote.self],
        windows: [Quota.Window(.minute) { $0.reactions.perMinute }])

    /// Limits what a walker looks at of their run and group. It is apart from looks at tours: whoever has just read a
    /// long preview reads what they walk as well.
    static let looksAtRuns = Quota(
        "looks at runs", of: Runs.name, code: .rateLimited,
        counting: [GetRun.self, GetRunContent.self, GetGroup.self],
        windows: [Quota.Window(.minute) { $0.tours.looksPerMinute }])
}

extension Settings {
    /// Bytes on disk of a reply of the usual size: that of a placement takes some 350.
    private static let usualReplyBytes = 512

    /// Most bytes of one person's stored replies in a day. Not less than what the limits in number need for replies of
    /// the usual size, so that operators who raise those need not raise this.
    var replyBytesPerDay: Int {
        let number = changes.perDay + placements.perDay + placements.changesPerDay
        return max(changes.kilobytesPerDay << 10, Self.usualReplyBytes * number)
    }
}
