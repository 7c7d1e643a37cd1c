import CairnWire

/// Broadcasts of posts and votes.
extension Square {
    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark? {
        guard case .voted(let voted) = change else { return nil }
        return .passing("score \(voted.score)", of: voted.post)
    }

    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast? {
        switch result {
        case .postCreated(let created): Broadcast(mark: .version(created.post.version, of: created.post.id))
        case .voteSet(let set):
            Broadcast(mark: .passing("score \(set.score)", of: set.post), own: set.vote == 0 ? "" : "\(set.vote)")
        default: nil
        }
    }
}
