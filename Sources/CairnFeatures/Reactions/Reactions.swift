public import CairnCore
public import CairnWire

/// Reactions to instances: one for each person and instance (RCT-1, RCT-2).
public enum Reactions: Feature {
    public static let name = "reactions"
    public static var groundChanges: [any Command.Type] { commands }
    public static let commands: [any Command.Type] = [React.self, ListReactions.self]
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

    public static func encodedAttachment(of record: ObjectRecord, settings: Settings) -> [UInt8]? {
        guard let tally = record.attachments[ReactionTally.self] else { return nil }
        let names = settings.reactions.names
        var all = WireReactionsOfInstance()
        all.reactions = tally.all.compactMap { account, index in
            guard Int(index) < names.count else { return nil }
            var reaction = WireReactionOfAccount()
            reaction.account = account.rawValue
            reaction.reaction = names[Int(index)]
            return reaction
        }
        return WireBody.encode(all)
    }

    /// Decodes reactions by name, as on disk. Reactions that are no longer offered are left out.
    public static func decodeAttachment(
        _ bytes: [UInt8], into record: inout ObjectRecord, settings: Settings
    ) throws(ColumnFault) {
        guard let all = try? WireBody.decode(WireReactionsOfInstance.self, from: bytes) else {
            throw ColumnFault(1, .unreadable)
        }
        var tally = ReactionTally()
        for reaction in all.reactions {
            guard let index = settings.reactions.names.firstIndex(of: reaction.reaction) else { continue }
            tally[AccountID(rawValue: reaction.account)] = UInt8(index)
        }
        record.attachments[ReactionTally.self] = tally.isEmpty ? nil : tally
    }

    /// Index of a reaction on offer; nil = the name is empty.
    /// - Throws: `unknown_reaction`.
    static func index(of reaction: String, in names: [String]) throws(Refusal) -> UInt8? {
        guard !reaction.isEmpty else { return nil }
        guard let index = names.firstIndex(of: reaction) else {
            throw Refusal(
                .unknownReaction, "\"\(reaction.prefix(32))\" is not one of \(names.joined(separator: ", "))",
                component: name)
        }
        return UInt8(index)
    }
}
