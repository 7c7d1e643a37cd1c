import CairnWire

/// Every acknowledged placement is seen, exactly once, by everybody who followed its cell all the while.
struct CompletenessRule {
    /// Time that an event may take after the placement was acknowledged.
    static let graceMicroseconds: UInt64 = 2_000_000

    private struct Tenure {
        let bot: Int
        let since: UInt64
        var until: UInt64?
    }

    /// By topic.
    private var tenures: [String: [Tenure]] = [:]
    /// How often each bot saw each instance come into view.
    private var appearances: [[InstanceID: UInt8]]

    init(bots: Int) {
        appearances = Array(repeating: [:], count: bots)
    }

    mutating func take(_ observation: Observation) {
        switch observation {
        case .followed(let bot, let topic, let at):
            tenures[topic, default: []].append(Tenure(bot: bot, since: at))
        case .unfollowed(let bot, let topic, let at):
            guard let index = tenures[topic]?.lastIndex(where: { $0.bot == bot && $0.until == nil }) else { return }
            tenures[topic]?[index].until = at
        case .appeared(let bot, let instance):
            guard let id = InstanceID(instance.id) else { return }
            let count = appearances[bot][id, default: 0]
            appearances[bot][id] = count == .max ? count : count + 1
        default: break
        }
    }

    func judge(_ placements: [InstanceID: PlacementLedger.Placement], _ broken: inout Broken) {
        for (id, placement) in placements {
            for tenure in tenures[placement.placedIn] ?? [] where Self.isCertain(tenure, for: placement) {
                let count = appearances[tenure.bot][id, default: 0]
                if count == 0 {
                    broken.add("placement_not_seen", "bot \(tenure.bot) did not see \(id) in \(placement.placedIn)")
                } else if count > 1, placement.movedTo.isEmpty {
                    broken.add("placement_seen_twice", "bot \(tenure.bot) saw \(id) appear \(count) times")
                }
            }
        }
    }

    private static func isCertain(_ tenure: Tenure, for placement: PlacementLedger.Placement) -> Bool {
        guard tenure.since <= placement.requestedAt else { return false }
        guard let until = tenure.until else { return true }
        return until >= placement.acknowledgedAt + graceMicroseconds
    }
}
