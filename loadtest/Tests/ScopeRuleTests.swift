import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// The rule on scopes detects a server that shows what is shared to others than members, and reports none that does
/// not. Requests and answers alone say who is a member (SUB-9).
@Suite struct ScopeRuleTests: DoctoredLogs {
    private static let garden = "garden"

    /// What a request or an answer tells of rights.
    private struct Told: Deed {
        var rightChanges: [RightChange] = []
        var rightUses: [RightUse] = []
    }

    private func change(
        _ people: [Int]?, gains: Bool, _ asked: Int, _ progress: RightChange.Progress
    ) -> Observation {
        let change = RightChange(
            realm: Self.garden, people: people, isGain: gains, requestedAt: second(asked), progress: progress)
        return .did(bot: 0, Told(rightChanges: [change]))
    }

    private func gained(_ bot: Int, _ asked: Int, _ answered: Int) -> Observation {
        change([bot], gains: true, asked, .acknowledged(at: second(answered)))
    }

    private func lost(_ bot: Int, _ asked: Int, _ answered: Int) -> Observation {
        change([bot], gains: false, asked, .acknowledged(at: second(answered)))
    }

    private func received(_ bot: Int, _ at: Int, since: Int? = nil) -> Observation {
        .received(bot: bot, scope: "r1", since: second(since ?? at - 1), at: second(at))
    }

    private let named = Observation.named(bot: 0, scope: "r1", realm: ScopeRuleTests.garden)

    /// The views of members at the end: each follows the sub-realm's own topic.
    private func followers(_ bots: Int...) -> [FinalTopic] {
        bots.map { FinalTopic(bot: $0, replica: .make("realm:1/r1", sequence: 1, [])) }
    }

    @Test func membersWhoReceive_breakNoRule() {
        let log = [named, gained(0, 1, 2), received(0, 3), gained(1, 4, 5), received(1, 6), received(0, 7)]
        #expect(judge(log, followers(0, 1)).isEmpty)
    }

    @Test func itemForSomebodyWhoNeverWasAMember_isCaught() {
        #expect(judge([named, gained(0, 1, 2), received(1, 3)], followers(0)) == ["scope_leaked": 1])
    }

    @Test func itemThatWasSentAfterTheLossWasAcknowledged_isCaught() {
        let log = [named, gained(0, 1, 2), gained(1, 1, 2), lost(1, 5, 6)]
        #expect(judge(log + [received(1, 8, since: 7)], followers(0)) == ["scope_leaked": 1])
        // It may have been sent before, and read late.
        #expect(judge(log + [received(1, 8, since: 5)], followers(0)).isEmpty)
    }

    @Test func itemBeforeTheGainWasRequested_isCaught_andOneBeforeItsAnswerIsFine() {
        let log = [named, gained(0, 1, 2)]
        #expect(judge(log + [received(1, 3), gained(1, 4, 5)], followers(0, 1)) == ["scope_leaked": 1])
        #expect(judge(log + [received(1, 5), gained(1, 4, 6)], followers(0, 1)).isEmpty)
    }

    @Test func itemWhileAChangeIsUnderWay_isJudgedNeitherWay() {
        let log = [named, gained(0, 1, 2), change([1], gains: true, 3, .underWay), received(1, 9)]
        #expect(judge(log, followers(0)).isEmpty)
        let refused = log + [change([1], gains: true, 3, .refused)]
        #expect(judge(refused, followers(0)) == ["scope_leaked": 1])
    }

    @Test func gainAndLossThatOverlap_leaveTheRightUncertain() {
        let log = [named, gained(0, 1, 2), gained(1, 3, 6), lost(1, 4, 5), received(1, 9)]
        #expect(judge(log, followers(0)).isEmpty)
        #expect(judge(log, followers(0, 1)).isEmpty)
        // A later change makes it certain again.
        #expect(judge(log + [lost(1, 10, 11), received(1, 14, since: 12)], followers(0)) == ["scope_leaked": 1])
    }

    @Test func endOfASubRealm_endsEverybodysRight() {
        let log = [named, gained(0, 1, 2), gained(1, 3, 4), change(nil, gains: false, 5, .acknowledged(at: second(6)))]
        #expect(judge(log, []).isEmpty)
        #expect(judge(log + [received(0, 9, since: 7), received(1, 9, since: 7)], []) == ["scope_leaked": 2])
    }

    @Test func scopeWhoseSubRealmIsUnknown_mayBeAnyThatIsUnknown() {
        #expect(judge([gained(0, 1, 2), received(0, 3)], followers(0)).isEmpty)
        #expect(judge([gained(0, 1, 2), received(1, 3)], followers(0)) == ["scope_leaked": 1])
        let founding = RightChange(
            realm: "", people: [1], isGain: true, requestedAt: second(1), progress: .underWay)
        #expect(judge([.did(bot: 1, Told(rightChanges: [founding])), received(1, 3)], []).isEmpty)
    }

    @Test func viewOfAnotherSubRealmThanTheSelectedOne_isCaught() {
        let log = [named, gained(0, 1, 2), .named(bot: 0, scope: "r2", realm: Self.garden)]
        #expect(judge(log, followers(0)) == ["scope_leaked": 1])
        #expect(
            judge([named, gained(0, 1, 2), .named(bot: 0, scope: "r1", realm: "")], followers(0))
                == ["scope_leaked": 1])
    }

    @Test func topicThatIsStillFollowedAtTheEnd_isCaught() {
        let log = [named, gained(0, 1, 2), gained(1, 3, 4), lost(1, 5, 6)]
        #expect(judge(log, followers(0)).isEmpty)
        #expect(judge(log, followers(0, 1)) == ["scope_leaked": 1])
    }

    @Test func memberWhoDoesNotFollowTheSubRealm_isCaught() {
        let elsewhere = FinalTopic(bot: 1, replica: .make(here, sequence: 1, []))
        let log = [named, gained(0, 1, 2), gained(1, 3, 4)]
        #expect(judge(log, followers(0) + [elsewhere]) == ["scope_missing": 1])
        #expect(judge(Array(log.dropFirst()), followers(0) + [elsewhere]) == ["scope_missing": 1])
        // A bot without a connection at the end is judged by another rule.
        #expect(judge(log, followers(0)).isEmpty)
    }

    @Test func requestOfSomebodyWhoIsNoMember_isCaught() {
        func use(_ asked: Int, _ answered: Int) -> Observation {
            let use = RightUse(
                realm: Self.garden, requestedAt: second(asked), acknowledgedAt: second(answered))
            return .did(bot: 1, Told(rightUses: [use]))
        }
        let log = [named, gained(0, 1, 2), gained(1, 3, 4), lost(1, 6, 7)]
        #expect(judge(log + [use(5, 8)], followers(0)).isEmpty)
        #expect(judge(log + [use(8, 9)], followers(0)) == ["not_a_member": 1])
        #expect(judge(log + [use(1, 2)], followers(0)) == ["not_a_member": 1])
    }
}
