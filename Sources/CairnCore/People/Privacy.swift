/// Who may see what is a person's own (PRF-5).
public struct Privacy: Hashable, Sendable {
    /// Who may see one thing.
    public enum Audience: String, Sendable, CaseIterable {
        case everyone, friends, nobody

        /// Whether a person may see it who is a friend, or is none. The owner always may.
        public func admits(_ isFriend: Bool) -> Bool {
            switch self {
            case .everyone: true
            case .friends: isFriend
            case .nobody: false
            }
        }
    }

    public var profile: Audience
    /// The list of friends.
    public var friends: Audience
    /// The name on what they place and how they react.
    public var interactions: Audience

    public init(profile: Audience, friends: Audience, interactions: Audience) {
        self.profile = profile
        self.friends = friends
        self.interactions = interactions
    }

    /// The same where there are no friends.
    var withoutFriends: Self {
        func restricted(_ audience: Audience) -> Audience { audience == .friends ? .nobody : audience }
        return Self(
            profile: restricted(profile), friends: restricted(friends), interactions: restricted(interactions))
    }

    /// The same for all.
    public init(_ audience: Audience) {
        self.init(profile: audience, friends: audience, interactions: audience)
    }
}
