import CairnTime
import CairnWire

/// What a bot did or was answered of placements. Times are of one clock.
enum PlacementDeed: Deed {
    /// It has placed something: acknowledged.
    case placed(WireInstance, requestedAt: MonotonicTime, at: MonotonicTime)
    /// An edit was acknowledged.
    case edited(WireInstance, requestedAt: MonotonicTime, at: MonotonicTime)
    /// A removal was asked for; from now on nobody need see the instance.
    case removing(InstanceID, at: MonotonicTime)
    /// A removal was acknowledged: from now on nobody may see it for long.
    case removed(InstanceID, at: MonotonicTime)
    /// A removal was refused: the instance stays.
    case removalRefused(InstanceID)
    /// It was refused something for a quota that cannot have been used up.
    case refusedWithinQuota(Refusal.Code)

    var telling: Telling? {
        switch self {
        case .placed(let instance, _, _): .whole(instance)
        case .edited(let instance, _, _): .withoutWords(instance)
        case .removed(let id, _): .removed(id)
        case .removing, .removalRefused, .refusedWithinQuota: nil
        }
    }
}
