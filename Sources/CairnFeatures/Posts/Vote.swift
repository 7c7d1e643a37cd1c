internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Votes on a post, changes the vote or withdraws it (RCT-3, RCT-4).
struct Vote: Change {
    /// The vote of one person on one post; the raw value is what it adds to the score.
    enum Choice: Int32, Sendable {
        case down = -1
        case none
        case up
    }

    private let body: WireVote
    private let choice: Choice

    init(_ body: WireVote) throws(Refusal) {
        guard let choice = Choice(rawValue: body.vote) else {
            throw Posts.refusal(
                .invalidField, "vote: \(body.vote) is not 1, -1 or 0", details: ["field": "vote"])
        }
        self.body = body
        self.choice = choice
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Posts.name)
        try sender.checkView(of: cell, component: Posts.name)
        return .cell(cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let voter = request.sender.account
        var post = try Posts.post(body.post, for: request.sender, in: turn)
        let before = PostStanding(score: post.life.votes.score, turn.settings)
        guard post.record.owner != voter || turn.settings.posts.ownVotes && !before.isHidden else {
            throw Refusal(.ownPost, component: Posts.name)
        }
        guard post.reaches(request.sender, turn.settings) else {
            throw ObjectTable.absence(component: Posts.name)
        }
        // Repeating the same vote changes nothing.
        guard post.life.votes[voter] != choice else {
            return [answer(request, post, before)]
        }
        post.life.votes[voter] = choice
        let standing = PostStanding(score: post.life.votes.score, turn.settings)
        // The audience before the vote: a post that is hidden now leaves the views that show it.
        let audience = post.record.audience
        if standing.isHidden { post.record.audience = .owner(post.record.owner) }
        post.keep(in: &turn)
        let record = turn.objects.record(post.record.id, .post) ?? post.record

        var effects = [
            Effect.write(Posts.setting(record.id, voter, to: choice)),
            answer(request, post, standing),
            .publish(
                Publication(
                    of: record, .voted(Self.event(record, standing)), to: audience,
                    state: standing.isHidden ? nil : turn.described(record))),
        ]
        // A withdrawal does not count as a vote.
        if choice != .none { effects.append(.count("votes")) }
        return effects
    }

    private func answer(_ request: Request, _ post: Post, _ standing: PostStanding) -> Effect {
        var set = WireVoteSet()
        set.post = post.record.wire.id
        set.vote = choice.rawValue
        set.score = standing.score
        set.size = standing.size
        set.reach = standing.reachMetres
        set.hidden = standing.isHidden
        return .answer(request, .success(.voteSet(set)))
    }

    static func event(_ record: ObjectRecord, _ standing: PostStanding) -> WireVoted {
        var voted = WireVoted()
        voted.post = record.wire.id
        voted.score = standing.score
        voted.size = standing.size
        voted.reach = standing.reachMetres
        voted.hidden = standing.isHidden
        return voted
    }
}
