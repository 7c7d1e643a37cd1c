public import CairnTime
public import CairnWire

/// Posts and the votes on them.
extension ClientCore {
    /// Leaves a post at the user's last position: answered with `postCreated`.
    /// - Parameter key: nil = a new one. One of an earlier attempt, for instance from before the app was restarted,
    ///   gives that attempt's answer.
    public mutating func createPost(
        _ text: String, key: String? = nil, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        var body = WireCreatePost()
        body.text = text
        return try ask(.createPost(body), key: key ?? makeKey(), now: now)
    }

    /// Changes the text of an own post: answered with `postEdited`.
    public mutating func edit(post: WireInstance, text: String, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        var body = WireEditPost()
        body.post = post.id
        body.cell = post.cell
        body.text = text
        return try ask(.editPost(body), key: makeKey(), now: now)
    }

    /// Removes an own post: answered with `postRemoved`.
    public mutating func remove(post: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        var body = WireRemovePost()
        body.post = post.id
        body.cell = post.cell
        return try ask(.removePost(body), key: makeKey(), now: now)
    }

    /// Asks for a post in view: answered with `postRead`.
    public mutating func read(post: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        var body = WireReadPost()
        body.post = post.id
        body.cell = post.cell
        return try ask(.readPost(body), key: "", now: now)
    }

    /// Votes on a post: answered with `voteSet`.
    public mutating func vote(
        _ vote: PostVote, on post: WireInstance, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        var body = WireVote()
        body.post = post.id
        body.cell = post.cell
        body.vote = vote.rawValue
        return try ask(.vote(body), key: makeKey(), now: now)
    }

    /// Asks for one's own posts, newest first: answered with `postPage`.
    /// - Parameters:
    ///   - count: of the page, 1 to 100; 0 = as the server likes.
    ///   - page: `WirePostPage.next` of the page before; empty = the first one.
    public mutating func listOwnPosts(
        count: UInt32 = 0, page: String = "", now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        var body = WireListOwnPosts()
        body.count = count
        body.after = page
        return try ask(.listOwnPosts(body), key: "", now: now)
    }

    /// Asks for the posts of a cell in view, or of the whole view for an empty token, best first: answered with
    /// `postPage`. Parameters as of `listOwnPosts`.
    public mutating func listTrendingPosts(
        in cell: String = "", count: UInt32 = 0, page: String = "", now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        var body = WireListTrendingPosts()
        body.cell = cell
        body.count = count
        body.after = page
        return try ask(.listTrendingPosts(body), key: "", now: now)
    }
}

/// One person's vote on a post.
public enum PostVote: Int32, Sendable {
    case down = -1
    /// Takes the vote back.
    case withdrawn
    case up
}
