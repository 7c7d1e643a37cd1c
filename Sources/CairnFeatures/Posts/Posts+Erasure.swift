public import CairnCore
public import CairnWire

extension Posts {
    /// Removes a person's posts in the cell, and their votes on the posts of others; the scores follow.
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        var effects: [Effect] = []
        for record in turn.erasable(of: account, .post) {
            turn.objects[record.id] = nil
            effects += [.write(deletion(of: record.id)), .publish(.departure(of: record))]
        }
        return effects + endVotes(of: account, in: &turn)
    }

    private static func endVotes(of account: AccountID, in turn: inout Turn) -> [Effect] {
        let voted = turn.erasable(.post) { record in
            (record.attachments[PostLife.self]?.votes[account] ?? Vote.Choice.none) != Vote.Choice.none
        }
        var effects: [Effect] = []
        for record in voted {
            guard let life = record.attachments[PostLife.self] else { continue }
            var post = Post(record: record, life: life)
            post.life.votes[account] = .none
            let standing = PostStanding(score: post.life.votes.score, turn.settings)
            let audience = post.record.audience
            if standing.isHidden { post.record.audience = .owner(record.owner) }
            post.keep(in: &turn)
            let kept = turn.objects.record(record.id, .post) ?? post.record
            effects += [
                .write(setting(record.id, account, to: .none)),
                .publish(
                    Publication(
                        of: kept, .voted(Vote.event(kept, standing)), to: audience,
                        state: standing.isHidden ? nil : turn.described(kept))),
            ]
        }
        return effects
    }
}
