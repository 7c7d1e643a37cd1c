internal import CairnCore
internal import CairnWire

/// What makes an instance a post: its times and the votes on it.
struct PostLife: Attachment {
    /// When it was made, milliseconds since 1970 as people are told (PST-3).
    let created: Int64
    /// When its text was edited last, likewise; 0 = never.
    var edited: Int64 = 0
    /// When it ends, milliseconds since 1970 as people are told; `ObjectRecord.ends` is what counts.
    let endsTold: Int64
    var votes = VoteTally()

    /// Until when its text may be edited, milliseconds since 1970 (PST-4).
    func editableUntil(_ settings: PostSettings) -> Int64 { created + Int64(settings.editSeconds) * 1_000 }
}

/// The votes on one post: each account's, and what they add up to (RCT-3).
struct VoteTally: Sendable {
    /// Most of the votes. The table of instances holds this post more than once while a change of it is under way, so
    /// whatever is written to is copied: votes go into `recent`, which stays short, and join these from time to time.
    private var older: [AccountID: Vote.Choice] = [:]
    private var recent: [AccountID: Vote.Choice] = [:]
    /// Votes up minus votes down.
    private(set) var score: Int32 = 0

    private static let recentMin = 16

    /// Without votes, or with a score that is known although the votes are not.
    init(score: Int32 = 0) {
        self.score = score
    }

    /// An account's vote.
    subscript(_ account: AccountID) -> Vote.Choice {
        get { recent[account] ?? older[account] ?? .none }
        set {
            score += newValue.rawValue - self[account].rawValue
            recent[account] = newValue
            // The square root of their number bounds what one vote copies, on average.
            guard recent.count > Self.recentMin, recent.count * recent.count > older.count else { return }
            older.merge(recent) { $1 }
            recent = [:]
        }
    }
}

/// What its score makes of a post (RCT-4). A vote up never shrinks it, a vote down never enlarges it.
struct PostStanding {
    let score: Int32
    /// 1 = as without votes.
    let size: Double
    /// Within which people see it.
    let reachMetres: Double
    /// Whether its author alone sees it.
    let isHidden: Bool

    init(score: Int32, _ settings: Settings) {
        let (posts, votes) = (settings.posts, Double(score))
        self.score = score
        size = min(max(1 + posts.sizeStep * votes, posts.sizeMin), posts.sizeMax)
        reachMetres = min(
            max(posts.reachMetres + posts.reachStepMetres * votes, posts.reachMinMetres), settings.viewRadiusMetres)
        isHidden = score <= posts.hiddenScore
    }
}
