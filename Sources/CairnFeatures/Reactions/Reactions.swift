public import CairnCore
public import CairnWire

/// Reacting to things: one reaction per person and instance (RCT-1, RCT-2).
public enum Reactions: Feature {
    public static let name = "reactions"
    public static let commands: [any Command.Type] = [React.self]
    public static let settings: (any FeatureSettings.Type)? = ReactionSettings.self
    public static let counts = [
        EngagementCount("reactions", unit: "reactions", "given or changed; withdrawals do not count")
    ]

    public static func describe(_ settings: Settings, into limits: inout WireLimits) {
        limits.reactions = settings.reactions.names
    }

    public static func describe(_ record: ObjectRecord, into instance: inout WireInstance, settings: Settings) {
        guard let tally = record.attachments[ReactionTally.self] else { return }
        instance.reactions = tally.counts(names: settings.reactions.names)
    }

    public static func describe(
        _ record: ObjectRecord, to account: AccountID, into selected: inout WireSelected, settings: Settings
    ) {
        selected.actions.append(React.kind.name)
        let names = settings.reactions.names
        guard let own = record.attachments[ReactionTally.self]?[account], Int(own) < names.count else { return }
        selected.ownReaction = names[Int(own)]
    }
}
