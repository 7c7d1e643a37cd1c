import CairnWire

@testable import CairnCrowd

extension Observation {
    /// A bot has reacted to an instance; empty = withdrawn.
    static func reacted(bot: Int, _ id: InstanceID, with reaction: String) -> Observation {
        .did(bot: bot, Reacted(instance: id, reaction: reaction))
    }
}
