import CairnWire

/// Broadcasts of placed, edited and removed instances.
extension Placing {
    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark? {
        switch change {
        case .changed(let changed): .version(changed.version, of: changed.instance)
        // Its `entered` in the other cell has the same mark.
        case .movedOut(let moved): .version(moved.version, of: moved.instance)
        default: nil
        }
    }

    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast? {
        switch result {
        case .placed(let placed): Broadcast(mark: .version(placed.instance.version, of: placed.instance.id))
        case .edited(let edited): Broadcast(mark: .version(edited.instance.version, of: edited.instance.id))
        case .removed(let removed): Broadcast(mark: .end(of: removed.instance))
        default: nil
        }
    }
}
