public import CairnCore
internal import CairnWire

/// The register: every capability of the server is one line here, one folder beside it and one line in the envelope.
public enum Features {
    public static let register = FeatureRegister(
        features + [ChangeQuota.self], sharing: [gestures, ChangeQuota.quota(of: features, sharing: [gestures])])

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
}
