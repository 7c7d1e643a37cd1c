import CairnTime
import CairnWire

@testable import CairnCrowd

/// Observations about placements: requests and answers.
extension Observation {
    static func placed(
        bot: Int, _ instance: WireInstance, requestedAt: MonotonicTime, at: MonotonicTime
    ) -> Observation {
        .did(bot: bot, PlacementDeed.placed(instance, requestedAt: requestedAt, at: at))
    }

    static func edited(
        bot: Int, _ instance: WireInstance, requestedAt: MonotonicTime, at: MonotonicTime
    ) -> Observation {
        .did(bot: bot, PlacementDeed.edited(instance, requestedAt: requestedAt, at: at))
    }

    static func removing(bot: Int, _ id: InstanceID, at: MonotonicTime) -> Observation {
        .did(bot: bot, PlacementDeed.removing(id, at: at))
    }

    static func removed(bot: Int, _ id: InstanceID, at: MonotonicTime) -> Observation {
        .did(bot: bot, PlacementDeed.removed(id, at: at))
    }

    static func removalRefused(bot: Int, _ id: InstanceID) -> Observation {
        .did(bot: bot, PlacementDeed.removalRefused(id))
    }
}
