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
                    "placed_unasked", "\(id) of bot \(topic.bot) is in \(topic.name), and no answer told of it")
            }
        }
        for (name, topic) in views.references {
            for id in topic.replica.instances.keys {
                guard let placement = placements[id], placement.instance.cell != topic.replica.cellToken else {
                    continue
                }
                broken.add("in_two_cells", "\(id) is in \(name) and should be in \(placement.instance.cell)")
            }
        }
        quotas.judge(placements, views.rights, &broken)
        judgeMembers(views, &broken)
        return placements.flatMap { id, placement in
            placement.views(of: placement.instance.cell).compactMap { name in
                views.references[name].flatMap { held(id, placement, in: $0, &broken) }
            }
        }
    }

    /// Each member who follows a cell has all that is shared there in the selected sub-realm (VIS-5, SUB-9).
    private func judgeMembers(_ views: FinalViews, _ broken: inout Broken) {
        var wanted: [String: [InstanceID]] = [:]
        for (id, placement) in ledger.placements where placement.removingAt == nil && !placement.realms.isEmpty {
            for name in placement.views(of: placement.instance.cell) {
                wanted[name, default: []].append(id)
            }
        }
        for topic in views.topics where topic.replica.isComplete {
            for id in wanted[topic.name] ?? [] where topic.replica.instances[id] == nil {
                broken.add(ScopeRule.missing, "bot \(topic.bot) does not hold \(id) in \(topic.name)")
            }
        }
    }

    /// Compares an instance with the acknowledgements.
    /// - Returns: nil when it is removed, or should be.
    private func held(
        _ id: InstanceID, _ placement: PlacementLedger.Placement, in topic: FinalTopic, _ broken: inout Broken
    ) -> HeldInstance? {
        let name = topic.name
        guard let held = topic.replica.instances[id] else {
            // An instance whose removal is not acknowledged yet may exist or not. Instances of sub-realms are judged
            // for each of their members.
            if placement.removingAt == nil, placement.realms.isEmpty {
                broken.add("placement_lost", "\(id) is not in \(name)")
            }
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
