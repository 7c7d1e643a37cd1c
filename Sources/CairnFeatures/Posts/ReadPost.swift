internal import CairnCore
internal import CairnWire

/// Reads one post in view, for a page of its own (PST-2, PST-3). The answer names the author as their
/// privacy allows (PST-8).
struct ReadPost: Question {
    static let senders = Role.onlookers

    private let body: WireReadPost

    init(_ body: WireReadPost) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Posts.name)
        try sender.checkView(of: cell, component: Posts.name)
        return .cell(cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let post = try Posts.kept(body.post, for: request.sender, in: turn)
        guard !request.sender.isGuest else {
            var read = WirePostRead()
            read.post = turn.describedToGuests(post.record)
            return [.answer(request, .success(.postRead(read)))]
        }
        guard let authorName = turn.shownName(of: post.record.owner, to: request.sender.account) else {
            return [.ask([Relation.query(request.sender.account, post.record.owner)], request)]
        }
        return [answer(request, post, authorName, in: turn)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let viewer = request.sender.account
        let post = try Posts.kept(body.post, for: request.sender, in: turn)
        let relation = turn.relation(in: rows[0], viewer, post.record.owner)
        let authorName = turn.shownName(of: post.record.owner, to: viewer, areFriends: relation.areFriends)
        return [answer(request, post, authorName ?? "", in: turn)]
    }

    private func answer(
        _ request: Request, _ post: Post, _ authorName: String, in turn: Turn
    ) -> Effect {
        let sender = request.sender
        let isOwn = post.record.owner == sender.account
        var read = WirePostRead()
        read.post = isOwn ? turn.describedToOwner(post.record) : turn.described(post.record)
        read.ownVote = post.life.votes[sender.account].rawValue
        read.authorName = authorName
        let settings = turn.settings.posts
        if !isOwn || settings.ownVotes, !read.post.post.hidden, post.reaches(sender, turn.settings) {
            read.actions.append(Vote.kind.name)
        }
        if isOwn {
            if turn.now <= post.life.editableUntil(settings) { read.actions.append(EditPost.kind.name) }
            read.actions.append(RemovePost.kind.name)
        }
        return .answer(request, .success(.postRead(read)))
    }
}
