internal import CairnCore
internal import CairnFeatures
internal import CairnWire

/// Instances enter, change, leave and move to another cell.
enum TestingPlacements: TestingFeature {
    static func apply(_ change: WireEvent.OneOf_Change, to log: inout TopicLog) -> TopicLog.Verdict? {
        switch change {
        case .entered(let entered):
            return log.enter(entered.instance)
        case .changed(let changed):
            return log.alter(changed.instance, "changed") { instance in
                let before = instance.version
                instance.pose = changed.pose
                instance.version = changed.version
                if changed.hasText { instance.text = changed.text }
                if changed.hasData { instance.data = changed.data }
                guard before + 1 != changed.version else { return nil }
                return "\(changed.instance) went from version \(before) to \(changed.version)"
            }
        case .left(let left): return log.drop(left.instance, "left")
        case .movedOut(let moved): return log.drop(moved.instance, "movedOut")
        default: return nil
        }
    }

    static func lift(_ settings: inout Settings) {
        settings.placements.perMinute = 1_000_000
        settings.placements.perDay = 1_000_000
        settings.placements.areaQuota = 100_000
    }
}
