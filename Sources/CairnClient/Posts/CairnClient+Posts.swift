public import CairnWire

/// Posts and the votes on them.
extension CairnClient {
    /// Leaves a post at the user's last position. Returns when it is on the server's disk.
    /// - Parameter key: of an attempt before the app was restarted; nil = a new one.
    public func createPost(_ text: String, key: String? = nil) async throws(Refusal) -> WireInstance {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.createPost(text, key: key, now: now)
        }
        guard case .postCreated(let created) = result else { throw Self.otherAnswer }
        return created.post
    }

    /// Changes the text of an own post, until `WirePost.editableUntil`.
    public func edit(post: WireInstance, text: String) async throws(Refusal) -> WireInstance {
        let result = try await answer { (core, now) throws(Refusal) in try core.edit(post: post, text: text, now: now) }
        guard case .postEdited(let edited) = result else { throw Self.otherAnswer }
        return edited.post
    }

    /// Removes an own post.
    public func remove(post: WireInstance) async throws(Refusal) {
        let result = try await answer { (core, now) throws(Refusal) in try core.remove(post: post, now: now) }
        guard case .postRemoved = result else { throw Self.otherAnswer }
    }

    /// A post in view as it is now, with the user's own vote.
    public func read(post: WireInstance) async throws(Refusal) -> WirePostRead {
        let result = try await answer { (core, now) throws(Refusal) in try core.read(post: post, now: now) }
        guard case .postRead(let read) = result else { throw Self.otherAnswer }
        return read
    }

    /// Votes on a post in reach, changes the vote or takes it back.
    @discardableResult
    public func vote(_ vote: PostVote, on post: WireInstance) async throws(Refusal) -> WireVoteSet {
        let result = try await answer { (core, now) throws(Refusal) in try core.vote(vote, on: post, now: now) }
        guard case .voteSet(let set) = result else { throw Self.otherAnswer }
        return set
    }

    /// A page of one's own posts, newest first. Parameters as of `ClientCore.listOwnPosts`.
    public func ownPosts(count: UInt32 = 0, page: String = "") async throws(Refusal) -> WirePostPage {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.listOwnPosts(count: count, page: page, now: now)
        }
        guard case .postPage(let page) = result else { throw Self.otherAnswer }
        return page
    }

    /// A page of the posts of a cell in view, or of the whole view, best score first, then newest.
    /// - Parameter cell: its token; empty = all cells of the view, in one order.
    public func trendingPosts(
        in cell: String = "", count: UInt32 = 0, page: String = ""
    ) async throws(Refusal) -> WirePostPage {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.listTrendingPosts(in: cell, count: count, page: page, now: now)
        }
        guard case .postPage(let page) = result else { throw Self.otherAnswer }
        return page
    }
}
