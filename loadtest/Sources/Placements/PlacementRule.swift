import CairnClient
import CairnWire

/// At the end every acknowledged instance exists in its acknowledged state, and there are no more than the quotas allow
/// (PLC-5, VIS-10).
struct PlacementRule: FeatureRule {
    private var ledger = PlacementLedger()
    private var completeness = CompletenessRule()
    private var quotas = QuotaRule()

    mutating func learn(_ limits: WireLimits) { quotas = QuotaRule(limits) }

    mutating func take(_ observation: Observation) { completeness.take(observation) }

    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {
        guard let deed = deed as? PlacementDeed else { return }
        ledger.take(deed, of: bot)
        if case .refusedWithinQuota(let code) = deed {
            broken.add("refused_within_quota", "bot \(bot): \(code.rawValue)")
        }
    }

    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance] {
        let placements = ledger.placements
        completeness.judge(placements, grace: views.grace, &broken)
        for topic in views.topics where topic.replica.isComplete {
            for id in topic.replica.own where placements[id] == nil {
                guard let instance = topic.replica.instances[id], !CrowdFeatures.isOwned(instance) else { continue }
                broken.add(
                    "placed_unasked", "\(id) of bot \(topic.bot) is in \(topic.replica.name), and no answer told of it")
            }
        }
        for (name, topic) in views.references {
            for id in topic.replica.instances.keys {
                guard let placement = placements[id], placement.instance.cell != name else { continue }
                broken.add("in_two_cells", "\(id) is in \(name) and should be in \(placement.instance.cell)")
            }
        }
        quotas.judge(placements, &broken)
        return placements.compactMap { id, placement in
            views.references[placement.instance.cell].flatMap { held(id, placement, in: $0, &broken) }
        }
    }

    /// Compares an instance with the acknowledgements.
    /// - Returns: nil when it is removed, or should be.
    private func held(
        _ id: InstanceID, _ placement: PlacementLedger.Placement, in topic: FinalTopic, _ broken: inout Broken
    ) -> HeldInstance? {
        let name = topic.replica.name
        guard let held = topic.replica.instances[id] else {
            // The removal is not acknowledged yet: the instance may exist or not.
            if placement.removingAt == nil { broken.add("placement_lost", "\(id) is not in \(name)") }
            return nil
        }
        guard !placement.isRemoved else {
            broken.add("removed_still_there", "\(id) is in \(name)")
            return nil
        }
        if held.version != placement.instance.version || held.pose != placement.instance.pose {
            broken.add(
                "differs_from_reply",
                "\(id) in \(name): version \(held.version), acknowledged \(placement.instance.version)")
        }
        return HeldInstance(id: id, instance: held, topic: name)
    }
}
