import CairnTime
import CairnWire

/// A bot's requests and answers about placements. Times are of one clock.
enum PlacementDeed: Deed {
    /// A placement was acknowledged.
    case placed(WireInstance, requestedAt: MonotonicTime, at: MonotonicTime)
    /// An edit was acknowledged.
    case edited(WireInstance, requestedAt: MonotonicTime, at: MonotonicTime)
    /// A removal was requested; from now on no bot needs to see the instance.
    case removing(InstanceID, at: MonotonicTime)
    /// A removal was acknowledged: from now on no bot may see the instance for long.
    case removed(InstanceID, at: MonotonicTime)
    /// A removal was refused: the instance stays.
    case removalRefused(InstanceID)
    /// A request was refused for a quota that cannot have been used up.
    case refusedWithinQuota(Refusal.Code)

    var telling: Telling? {
        switch self {
        case .placed(let instance, _, _): .whole(instance)
        case .edited(let instance, _, _): .withoutWords(instance)
        case .removed(let id, _): .removed(id)
        case .removing, .removalRefused, .refusedWithinQuota: nil
        }
    }

    /// Only members place into a sub-realm (PLC-3).
    var rightUses: [RightUse] {
        guard case .placed(let instance, let requestedAt, let at) = self else { return [] }
        return instance.realms.map { RightUse(realm: $0, requestedAt: requestedAt, acknowledgedAt: at) }
    }
}
