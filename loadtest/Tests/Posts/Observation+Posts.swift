@testable import cairn_crowd

extension Observation {
    /// Somebody did or saw something of a post.
    static func post(bot: Int, _ observation: PostObservation) -> Observation { .did(bot: bot, observation) }
}
