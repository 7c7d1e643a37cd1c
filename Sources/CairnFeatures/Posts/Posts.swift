public import CairnCore
internal import CairnGeo
public import CairnWire

/// Posts, short texts at places that live for a day, and the votes on them (PST-1 to PST-10, RCT-3, RCT-4, MAP-7).
///
/// A post is an instance of its own kind in the cell around its place: commands of other features do not find it.
public enum Posts: Feature {
    public static let name = "posts"
    public static var groundChanges: [any Command.Type] { commands }
    public static let commands: [any Command.Type] = [
        CreatePost.self, EditPost.self, RemovePost.self, ReadPost.self, ListOwnPosts.self, ListTrendingPosts.self,
        Vote.self,
    ]
    public static let timers: [any HomeTimer.Type] = [PostsEnd.self]
    public static let settings: (any FeatureSettings.Type)? = PostSettings.self
    public static let refusals: [Refusal.Code] = [.ownPost, .postExpired, .editWindowClosed]
    public static let counts = [
        EngagementCount("posts", unit: "posts", "that were acknowledged"),
        EngagementCount("votes", unit: "votes", "given or changed; withdrawals do not count"),
    ]
    public static let cellCounts = [
        CellCount("posts", unit: "posts", "texts in the cell that have not ended") { $0.count(of: .post) }
    ]

    /// Posts have a minute and a day; removing a post gives nothing back (PST-10). Edits have a minute only: each
    /// leaves a key on disk for a day, and the edit window bounds how many a day can have. Of lists, those of the whole
    /// view count: they alone pass the account, and each takes a turn of every cell in view.
    public static let quotas = [
        Quota(
            "posts", of: name, code: .quotaPeriod, counting: [CreatePost.self],
            windows: [
                Quota.Window(.minute) { $0.posts.perMinute },
                Quota.Window(.day) { $0.posts.perDay },
            ],
            stored: Quota.Stored(query: PostLog.recent, times: PostLog.times)),
        Quota(
            "edits of posts", of: name, code: .rateLimited, counting: [EditPost.self],
            windows: [Quota.Window(.minute) { $0.posts.editsPerMinute }]),
        Quota(
            "lists of posts", of: name, code: .rateLimited, counting: [ListTrendingPosts.self],
            windows: [Quota.Window(.minute) { $0.posts.listsPerMinute }]),
    ]

    public static func describe(_ settings: Settings, into limits: inout WireLimits) {
        let posts = settings.posts
        limits.postCharacters = UInt32(posts.charactersMax)
        limits.postBytes = UInt32(posts.bytesMax)
        limits.postEditSeconds = UInt32(posts.editSeconds)
        limits.postsPerMinute = UInt32(posts.perMinute)
        limits.postsPerDay = UInt32(posts.perDay)
    }

    public static func describe(_ record: ObjectRecord, into instance: inout WireInstance, settings: Settings) {
        guard let life = record.attachments[PostLife.self] else { return }
        let standing = PostStanding(score: life.votes.score, settings)
        instance.post.place.lat = record.coordinate.latitude
        instance.post.place.lon = record.coordinate.longitude
        instance.post.created = life.created.milliseconds
        instance.post.edited = life.edited.milliseconds
        instance.post.expires = life.endsShown.milliseconds
        instance.post.score = standing.score
        instance.post.size = standing.size
        instance.post.reach = standing.reachMetres
        instance.post.hidden = standing.isHidden
        instance.post.editableUntil = life.editableUntil(settings.posts).milliseconds
    }

    /// Guests learn of a post's times the hour alone: its end, which follows from them, is rounded up, so that nobody
    /// drops it too early.
    public static func coarsen(_ instance: inout WireInstance) {
        guard instance.hasPost else { return }
        instance.post.created = hour(of: instance.post.created)
        instance.post.edited = hour(of: instance.post.edited)
        instance.post.expires = hour(of: instance.post.expires + hourMilliseconds - 1)
        instance.post.editableUntil = 0
    }

    public static func coarsened(_ change: WireEvent.OneOf_Change) -> WireEvent.OneOf_Change {
        guard case .postChanged(var changed) = change else { return change }
        changed.edited = hour(of: changed.edited)
        return .postChanged(changed)
    }

    private static let hourMilliseconds: Int64 = 3_600_000

    private static func hour(of milliseconds: Int64) -> Int64 { milliseconds - milliseconds % hourMilliseconds }

    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text, details: [String: String] = [:]) -> Refusal {
        Refusal(code, text, component: name, details: details)
    }
}

extension ObjectKind {
    static let post = ObjectKind("post")
}
