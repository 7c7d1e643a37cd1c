public import CairnWire

/// Posts and the votes on them.
extension CairnClient {
    /// Leaves a post at the user's last position. Returns when it is on the server's disk.
    /// - Parameter key: of an attempt before the app was restarted; nil = a new one.
    public func createPost(_ text: String, key: String? = nil) async throws(Refusal) -> WireInstance {
        try await ask(WireCreatePost(text), key: key).post
    }

    /// Changes the text of an own post, until `WirePost.editableUntil`.
    public func edit(post: WireInstance, text: String) async throws(Refusal) -> WireInstance {
        try await ask(WireEditPost(post, text: text)).post
    }

    /// Removes an own post.
    public func remove(post: WireInstance) async throws(Refusal) { _ = try await ask(WireRemovePost(post)) }

    /// A post in view as it is now, with the user's own vote.
    public func read(post: WireInstance) async throws(Refusal) -> WirePostRead { try await ask(WireReadPost(post)) }

    /// Votes on a post in reach, changes the vote or takes it back.
    @discardableResult
    public func vote(_ vote: PostVote, on post: WireInstance) async throws(Refusal) -> WireVoteSet {
        try await ask(WireVote(vote, on: post))
    }

    /// A page of one's own posts, newest first.
    /// - Parameters:
    ///   - count: of the page, 1 to 100; 0 = as the server likes.
    ///   - page: `WirePostPage.next` of the page before; empty = the first one.
    public func ownPosts(count: UInt32 = 0, page: String = "") async throws(Refusal) -> WirePostPage {
        var body = WireListOwnPosts()
        (body.count, body.after) = (count, page)
        return try await ask(body)
    }

    /// A page of the posts of a cell in view, or of the whole view, best score first, then newest. Other parameters as
    /// of `ownPosts`.
    /// - Parameter cell: its token; empty = all cells of the view, in one order.
    public func trendingPosts(
        in cell: String = "", count: UInt32 = 0, page: String = ""
    ) async throws(Refusal) -> WirePostPage {
        var body = WireListTrendingPosts()
        (body.cell, body.count, body.after) = (cell, count, page)
        return try await ask(body)
    }
}
