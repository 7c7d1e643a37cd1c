import CairnWire
import Testing

@testable import CairnCrowd

/// The rule detects a server that counts reactions wrongly.
@Suite struct ReactionRuleTests: DoctoredLogs {
    @Test func reactionTotalsThatAreWrong_areCaught() {
        let log =
            faultless() + [
                .reacted(bot: 0, .make(1), with: "love"), .reacted(bot: 1, .make(1), with: "love"),
                .reacted(bot: 1, .make(1), with: ""),
            ]
        #expect(judge(log, finals(.loved(1))).isEmpty)
        #expect(judge(log, finals(.loved(2))) == ["reaction_totals": 1])
    }

    @Test func reactionAnsweredBeforeTheInstanceIsKnown_counts() {
        let log = [.reacted(bot: 1, .make(1), with: "love")] + faultless()
        #expect(judge(log, finals(.loved(1))).isEmpty)
    }
}

extension WireInstance {
    fileprivate static func loved(_ count: UInt32) -> WireInstance {
        var instance = make(1)
        var love = WireReactionCount()
        love.reaction = "love"
        love.count = count
        instance.reactions = [love]
        return instance
    }
}
