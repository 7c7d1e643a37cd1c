public import CairnCore
internal import CairnGeo
public import CairnWire

extension MessageKind {
    static let react = MessageKind(field: 30, name: "react")
}

/// Reacting to things: one reaction per person and instance (RCT-1, RCT-2).
public struct Reactions: Feature {
    public static let name = "reactions"
    public static let changes: [MessageKind] = [.react]
    public static let openActions = [MessageKind.react.name]
    public static let counts: [StaticText] = ["reactions"]

    public var rules: Rules

    var names: [String] { rules.reactions }

    public init(rules: Rules) {
        self.rules = rules
    }

    public static func home(for request: Request, rules: Rules) throws(Refusal) -> HomeAddress {
        let body = try WireBody.decode(WireReact.self, from: request.payload)
        let cell = try rules.cell(named: body.cell, component: name)
        try request.sender.checkView(of: cell, component: name)
        return .cell(cell)
    }

    public mutating func receive(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let body = try WireBody.decode(WireReact.self, from: request.payload)
        let chosen = try index(of: body.reaction)
        let id = turn.instance(named: body.instance)
        guard let id, var record = turn.objects[id] else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Self.name)
        }
        guard !record.isMoving else {
            throw Refusal(
                .tryAgain, "the instance is on its way to another cell", component: Self.name,
                retryAfter: .milliseconds(50))
        }
        let account = request.sender.account
        let before = record.reactions[account]
        record.reactions[account] = chosen

        var answer = WireReactionSet()
        answer.instance = record.wire.id
        answer.reaction = body.reaction
        answer.reactions = record.reactionCounts(names: rules.reactions)
        let reply = Effect.answer(request, .success(.reactionSet(answer)))
        // The same again changes nothing (RCT-1).
        guard before != chosen else { return [reply] }

        turn.objects[id] = record
        var reacted = WireReacted()
        reacted.instance = record.wire.id
        reacted.reactions = answer.reactions
        // Whoever takes theirs back has not reacted once more.
        let count = chosen == nil ? [] : [Effect.count("reactions")]
        return count + [
            .write(chosen.map { setting(id, account, to: $0) } ?? withdrawal(id, account)),
            reply,
            .publish(
                Publication(
                    scope: record.scope, change: .reacted(reacted), object: id,
                    state: record.described(reactionNames: rules.reactions))),
        ]
    }

    /// Nil withdraws.
    private func index(of reaction: String) throws(Refusal) -> UInt8? {
        guard !reaction.isEmpty else { return nil }
        guard let index = rules.reactions.firstIndex(of: reaction) else {
            throw Refusal(
                .unknownReaction, "\"\(reaction.prefix(32))\" is not one of \(rules.reactions.joined(separator: ", "))",
                component: Self.name)
        }
        return UInt8(index)
    }
}
