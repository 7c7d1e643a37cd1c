import CairnClient
import CairnWire

/// A bot's reaction was acknowledged; empty = withdrawn.
struct Reacted: Deed {
    let instance: InstanceID
    let reaction: String
}

/// At the end of the run the totals of an instance match the acknowledged reactions (RCT-2).
struct ReactionRule: FeatureRule {
    /// The last acknowledged reaction of each bot, even for unknown instances: a bot may see an instance, react and be
    /// answered before the placer has read its own answer.
    private var reactions: [InstanceID: [Int: String]] = [:]

    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {
        guard let reacted = deed as? Reacted else { return }
        reactions[reacted.instance, default: [:]][bot] = reacted.reaction
    }

    func judge(_ held: HeldInstance, _ broken: inout Broken) {
        let totals = Dictionary(held.instance.reactions.map { ($0.reaction, $0.count) }) { $0 + $1 }
        var wanted: [String: UInt32] = [:]
        for reaction in (reactions[held.id] ?? [:]).values where !reaction.isEmpty { wanted[reaction, default: 0] += 1 }
        if totals != wanted {
            broken.add("reaction_totals", "\(held.id) in \(held.topic): \(totals), acknowledged \(wanted)")
        }
    }
}
