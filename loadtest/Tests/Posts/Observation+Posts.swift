@testable import CairnCrowd

extension Observation {
    /// Observations about posts: requests and views.
    static func post(bot: Int, _ observation: PostObservation) -> Observation { .did(bot: bot, observation) }
}
