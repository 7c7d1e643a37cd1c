public import CairnTime
public import CairnWire

/// Posts and the votes on them.
extension ClientCore {
    /// Leaves a post at the user's last position: answered with `postCreated`.
    public mutating func createPost(_ text: String, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        try ask(WireCreatePost(text), now: now)
    }

    /// Asks for a post in view: answered with `postRead`.
    public mutating func read(post: WireInstance, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        try ask(WireReadPost(post), now: now)
    }

    /// Votes on a post: answered with `voteSet`.
    public mutating func vote(
        _ vote: PostVote, on post: WireInstance, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        try ask(WireVote(vote, on: post), now: now)
    }
}

extension WireCreatePost {
    init(_ text: String) {
        self.init()
        self.text = text
    }
}

extension WireEditPost {
    init(_ post: WireInstance, text: String) {
        self.init()
        (self.post, cell) = (post.id, post.cell)
        self.text = text
    }
}

extension WireRemovePost {
    init(_ post: WireInstance) {
        self.init()
        (self.post, cell) = (post.id, post.cell)
    }
}

extension WireReadPost {
    init(_ post: WireInstance) {
        self.init()
        (self.post, cell) = (post.id, post.cell)
    }
}

extension WireVote {
    init(_ vote: PostVote, on post: WireInstance) {
        self.init()
        (self.post, cell) = (post.id, post.cell)
        self.vote = vote.rawValue
    }
}

/// One person's vote on a post.
public enum PostVote: Int32, Sendable {
    case down = -1
    /// Takes the vote back.
    case withdrawn
    case up
}
