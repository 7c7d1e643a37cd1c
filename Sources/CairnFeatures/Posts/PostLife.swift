internal import CairnCore
internal import CairnWire

/// The part of an instance that makes it a post: its times and votes.
struct PostLife: Attachment {
    /// When it was made (PST-3).
    let created: WallTime
    /// When its text was last edited; `epoch` = never.
    var edited = WallTime.epoch
    /// When it ends, as people are shown. The end itself follows `ObjectRecord.ends`.
    let endsShown: WallTime
    var votes = VoteTally()

    /// When the edit window closes (PST-4).
    func editableUntil(_ settings: PostSettings) -> WallTime { created + .seconds(settings.editSeconds) }
}

/// The votes on one post: the vote of each account, and the score (RCT-3).
struct VoteTally: Sendable {
    /// Most of the votes. While a change of the post is under way the object table holds several versions of it, so a
    /// write copies the dictionary. New votes therefore go into the short `recent`, which is merged now and then.
    private var older: [AccountID: Vote.Choice] = [:]
    private var recent: [AccountID: Vote.Choice] = [:]
    /// Votes up minus votes down.
    private(set) var score: Int32 = 0

    private static let recentMin = 16

    /// A tally without votes; with `score`, one of which only the sum is known.
    init(score: Int32 = 0) {
        self.score = score
    }

    /// The vote of an account.
    subscript(_ account: AccountID) -> Vote.Choice {
        get { recent[account] ?? older[account] ?? .none }
        set {
            score += newValue.rawValue - self[account].rawValue
            recent[account] = newValue
            // Merged at the square root of their number, which bounds the average copying per vote.
            guard recent.count > Self.recentMin, recent.count * recent.count > older.count else { return }
            older.merge(recent) { $1 }
            recent = [:]
        }
    }
}

/// Size, reach and visibility of a post, which follow from its score (RCT-4). An upvote never shrinks a post, a
/// downvote never enlarges it.
struct PostStanding {
    let score: Int32
    /// Size factor; 1 = a post without votes.
    let size: Double
    /// Distance within which people see it.
    let reachMetres: Double
    /// Whether only its author sees it.
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
