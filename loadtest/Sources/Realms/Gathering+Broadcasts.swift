import CairnWire

/// Broadcasts of who is in a sub-realm, to its members.
extension Gathering {
    private static let membership = "members"

    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark? {
        guard case .realmChanged(let changed) = change, changed.members else { return nil }
        return .passing(membership, of: changed.realm)
    }

    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast? {
        guard let matter = errand.matter as? RealmMatter else { return nil }
        // The owner decides later.
        guard !matter.waits(after: result) else { return nil }
        switch matter.action {
        case .accept, .join, .approve, .add, .leave, .expel:
            return Broadcast(mark: .passing(membership, of: matter.realm))
        // Nobody follows it yet, no longer, or nobody joins.
        case .found, .disband, .invite, .decline, .turnAway: return nil
        }
    }
}
