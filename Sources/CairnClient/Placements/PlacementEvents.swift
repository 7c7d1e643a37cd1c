internal import CairnWire

/// Instances enter, change, leave and move to another cell.
enum PlacementEvents: EventFold {
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent? {
        switch change {
        case .entered(let entered):
            return FoldedEvent(
                instance: replica.enter(entered.instance, violations: &violations), holding: .begins)
        case .changed(let changed):
            let id = replica.alter(changed.instance, violations: &violations) { instance, report in
                if changed.version <= instance.version {
                    report(.versionBack, "version \(changed.version) of \(instance.id) after \(instance.version)")
                }
                instance.version = changed.version
                instance.pose = changed.pose
                if changed.hasText { instance.text = changed.text }
                if changed.hasData { instance.data = changed.data }
            }
            return FoldedEvent(instance: id)
        case .left(let left):
            return FoldedEvent(instance: replica.drop(left.instance, violations: &violations), holding: .ends)
        case .movedOut(let moved):
            return FoldedEvent(
                instance: replica.drop(moved.instance, violations: &violations),
                holding: .movesOut(version: moved.version))
        default: return nil
        }
    }

    static func own(in result: WireReply.OneOf_Result) -> WireInstance? {
        switch result {
        case .placed(let placed): placed.instance
        case .edited(let edited): edited.instance
        default: nil
        }
    }
}
