public import CairnWire

extension WireClientMessage.OneOf_Body {
    /// Leave a post.
    public static func posting(_ text: String = "Hello, square") -> Self {
        var body = WireCreatePost()
        body.text = text
        return .createPost(body)
    }

    /// Change the text of a post.
    public static func editing(post: WireInstance, text: String) -> Self {
        var body = WireEditPost()
        body.post = post.id
        body.cell = post.cell
        body.text = text
        return .editPost(body)
    }

    /// Remove a post.
    public static func removing(post: WireInstance) -> Self {
        var body = WireRemovePost()
        body.post = post.id
        body.cell = post.cell
        return .removePost(body)
    }

    /// Ask for a post.
    public static func reading(post: WireInstance) -> Self {
        var body = WireReadPost()
        body.post = post.id
        body.cell = post.cell
        return .readPost(body)
    }

    /// Vote on a post: 1 = up, -1 = down, 0 withdraws.
    public static func voting(_ vote: Int32, on post: WireInstance) -> Self {
        var body = WireVote()
        body.post = post.id
        body.cell = post.cell
        body.vote = vote
        return .vote(body)
    }

    /// Ask for a page of one's own posts.
    public static func listingOwnPosts(count: UInt32 = 0, after: String = "") -> Self {
        var body = WireListOwnPosts()
        body.count = count
        body.after = after
        return .listOwnPosts(body)
    }

    /// Ask for a page of a cell's posts.
    public static func listingTrendingPosts(in cell: String = "", count: UInt32 = 0, after: String = "") -> Self {
        var body = WireListTrendingPosts()
        body.cell = cell
        body.count = count
        body.after = after
        return .listTrendingPosts(body)
    }
}
