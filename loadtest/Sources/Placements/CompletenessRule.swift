import CairnTime
import CairnWire

/// Every bot that follows a cell during the whole placement sees an acknowledged placement exactly once, and no bot
/// sees one elsewhere than where it is shared.
struct CompletenessRule {
    /// A period during which a bot followed a topic.
    private struct Tenure {
        let bot: Int
        /// Counts the bot's tenures of the topic, from 0.
        let number: UInt32
        let since: MonotonicTime
        var until: MonotonicTime?
    }

    /// An instance coming into view during one tenure of one topic.
    private struct Sight: Hashable {
        let instance: InstanceID
        let tenure: UInt32
        /// The sub-realm of the topic; empty = everyone's.
        let shown: String
    }

    private struct Follower: Hashable {
        let bot: Int
        let topic: String
    }

    /// By topic.
    private var tenures: [String: [Tenure]] = [:]
    /// How often each bot has stopped following a topic, which is the number of its present or next tenure.
    private var tenureNumbers: [Follower: UInt32] = [:]
    /// By bot.
    private var sights: [[Sight: UInt8]] = []
    /// The sub-realms as which bots were shown an instance; empty = as everyone's.
    private var shownAs: [InstanceID: Set<String>] = [:]

    mutating func take(_ observation: Observation) {
        switch observation {
        case .followed(let bot, let topic, let at):
            let number = tenureNumbers[Follower(bot: bot, topic: topic), default: 0]
            tenures[topic, default: []].append(Tenure(bot: bot, number: number, since: at))
        case .unfollowed(let bot, let topic, let at):
            tenureNumbers[Follower(bot: bot, topic: topic), default: 0] += 1
            guard let index = tenures[topic]?.lastIndex(where: { $0.bot == bot && $0.until == nil }) else { return }
            tenures[topic]?[index].until = at
        case .appeared(let bot, let instance, let shown):
            guard let id = InstanceID(instance.id) else { return }
            shownAs[id, default: []].insert(shown)
            let view = TopicName.view(of: instance.cell, shown: shown)
            let number = tenureNumbers[Follower(bot: bot, topic: view), default: 0]
            let sight = Sight(instance: id, tenure: number, shown: shown)
            if sights.count <= bot { sights += Array(repeating: [:], count: bot + 1 - sights.count) }
            let count = sights[bot][sight, default: 0]
            sights[bot][sight] = count == .max ? count : count + 1
        default: break
        }
    }

    /// - Parameter grace: longest time from an acknowledgement to its event.
    func judge(
        _ placements: [InstanceID: PlacementLedger.Placement], grace: Duration, _ broken: inout Broken
    ) {
        for (id, placement) in placements {
            for shown in placement.shownAs {
                let view = TopicName.view(of: placement.placedIn, shown: shown)
                for tenure in tenures[view] ?? [] where isCertain(tenure, for: placement, grace: grace) {
                    judge(tenure, shown, id, placement, &broken)
                }
            }
            for shown in shownAs[id] ?? [] where !placement.shownAs.contains(shown) {
                broken.add(ScopeRule.leaked, "\(id) of \(placement.shownAs) was shown as one of \"\(shown)\"")
            }
        }
    }

    private func judge(
        _ tenure: Tenure, _ shown: String, _ id: InstanceID, _ placement: PlacementLedger.Placement,
        _ broken: inout Broken
    ) {
        let count = sights(of: tenure.bot)[Sight(instance: id, tenure: tenure.number, shown: shown), default: 0]
        if count == 0, !wasSeenElsewhere(id, placement, by: tenure.bot) {
            let view = TopicName.view(of: placement.placedIn, shown: shown)
            broken.add("placement_not_seen", "bot \(tenure.bot) did not see \(id) in \(view)")
        } else if count > 1, placement.movedTo.isEmpty {
            broken.add("placement_seen_twice", "bot \(tenure.bot) saw \(id) appear \(count) times")
        }
    }

    private func sights(of bot: Int) -> [Sight: UInt8] { sights.indices.contains(bot) ? sights[bot] : [:] }

    /// Whether the bot saw the instance in another cell: one that is moved at once may come into view in its new cell
    /// first.
    private func wasSeenElsewhere(_ id: InstanceID, _ placement: PlacementLedger.Placement, by bot: Int) -> Bool {
        placement.movedTo.contains { move in
            placement.shownAs.contains { shown in
                let view = TopicName.view(of: move.cell, shown: shown)
                let last = tenureNumbers[Follower(bot: bot, topic: view), default: 0]
                return (0...last).contains {
                    sights(of: bot)[Sight(instance: id, tenure: $0, shown: shown)] != nil
                }
            }
        }
    }

    private func isCertain(
        _ tenure: Tenure, for placement: PlacementLedger.Placement, grace: Duration
    ) -> Bool {
        guard tenure.since <= placement.requestedAt else { return false }
        guard let until = tenure.until else { return true }
        return until >= placement.acknowledgedAt + grace
    }
}
