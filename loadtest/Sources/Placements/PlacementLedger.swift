import CairnTime
import CairnWire

/// The server's acknowledgements about instances: the state that must exist at the end.
struct PlacementLedger {
    struct Placement {
        let placer: Int
        /// The instance according to the last acknowledgement.
        var instance: WireInstance
        /// Cell in which it was placed.
        let placedIn: String
        /// Ids of the sub-realms that share it; empty = it is public.
        let realms: [String]
        let requestedAt: MonotonicTime
        let acknowledgedAt: MonotonicTime
        /// When its removal was requested.
        var removingAt: MonotonicTime?
        var isRemoved = false
        /// Cells that it has been moved to.
        var movedTo: [(cell: String, requestedAt: MonotonicTime)] = []

        /// What a bot has selected to which it is shown: sub-realms, or empty for what is everyone's.
        var shownAs: [String] { realms.isEmpty ? [""] : realms }

        /// The names of the topics of a cell in which it is, or was.
        func views(of cell: String) -> [String] { shownAs.map { TopicName.view(of: cell, shown: $0) } }
    }

    private(set) var placements: [InstanceID: Placement] = [:]

    mutating func take(_ deed: PlacementDeed, of bot: Int) {
        switch deed {
        case .placed(let instance, let requestedAt, let at):
            guard let id = InstanceID(instance.id) else { return }
            placements[id] = Placement(
                placer: bot, instance: instance, placedIn: instance.cell, realms: instance.realms,
                requestedAt: requestedAt, acknowledgedAt: at)
        case .edited(let instance, let requestedAt, _):
            guard let id = InstanceID(instance.id), let before = placements[id]?.instance else { return }
            if before.cell != instance.cell { placements[id]?.movedTo.append((instance.cell, requestedAt)) }
            placements[id]?.instance = instance
        case .removing(let id, let at): placements[id]?.removingAt = at
        case .removed(let id, _): placements[id]?.isRemoved = true
        case .removalRefused(let id): placements[id]?.removingAt = nil
        case .refusedWithinQuota: break
        }
    }
}
