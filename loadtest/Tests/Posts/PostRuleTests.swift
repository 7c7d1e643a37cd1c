import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// Each rule about posts detects a server that breaks it, and no rule reports a server that breaks none.
@Suite struct PostRuleTests {
    private static let here = "487604c43"

    private static func post(_ number: UInt64 = 1, score: Int32 = 0, hidden: Bool = false) -> WireInstance {
        var instance = WireInstance()
        instance.id = InstanceID(rawValue: number).description
        instance.version = 1
        instance.cell = here
        instance.text = "post"
        instance.post.score = score
        instance.post.hidden = hidden
        return instance
    }

    private static func voted(_ vote: Int32, by bot: Int) -> Observation {
        var set = WireVoteSet()
        set.vote = vote
        return .post(bot: bot, .voted(InstanceID(rawValue: 1), set))
    }

    private static func judge(_ log: [Observation], _ held: [WireInstance]...) -> [String: Int] {
        var oracle = Oracle()
        for observation in [.followed(bot: 0, topic: here, at: .epoch), .post(bot: 0, .posted(post()))] + log {
            oracle.take(observation)
        }
        let finals = held.enumerated().map { FinalTopic(bot: $0.offset, replica: .make(here, sequence: 1, $0.element)) }
        return oracle.judge(finals).rules.mapValues(\.count)
    }

    @Test func scoreOfTheLastVotes_breaksNoRule() {
        let log = [Self.voted(1, by: 1), Self.voted(-1, by: 1), Self.voted(1, by: 2), Self.voted(1, by: 3)]
        #expect(Self.judge(log, [Self.post(score: 1)], [Self.post(score: 1)]).isEmpty)
    }

    @Test func voteThatCountsTwice_orNot_isCaught() {
        let log = [Self.voted(1, by: 1), Self.voted(1, by: 2)]
        #expect(Self.judge(log, [Self.post(score: 3)]) == ["score_differs": 1])
        #expect(Self.judge(log, [Self.post(score: 1)]) == ["score_differs": 1])
    }

    @Test func voteThatWasTakenBack_countsForNothing() {
        #expect(Self.judge([Self.voted(1, by: 1), Self.voted(0, by: 1)], [Self.post()]).isEmpty)
    }

    @Test func postThatNobodyAskedFor_isCaught() {
        #expect(Self.judge([], [Self.post(), Self.post(2)]) == ["post_unasked": 1])
    }

    @Test func postThatIsAcknowledgedTwice_isCaught() {
        #expect(Self.judge([.post(bot: 1, .posted(Self.post()))], [Self.post()]) == ["posted_twice": 1])
    }

    @Test func postInAViewAfterItsEnd_isCaught_butNotForTheSecondThatIsPromised() {
        func log(_ milliseconds: Int64) -> [Observation] {
            [.post(bot: 1, .heldAfterItsEnd("a post", milliseconds: milliseconds))]
        }
        #expect(Self.judge(log(2_500)).isEmpty)
        #expect(Self.judge(log(2_501)) == ["seen_after_its_end": 1])
    }

    @Test func postThatOnlyItsAuthorHolds_isFine_whenItIsHidden() {
        let log = (1...3).map { Self.voted(-1, by: $0) } + [Self.voted(-1, by: 0)]
        #expect(Self.judge(log, [Self.post(score: -4, hidden: true)], []).isEmpty)
        #expect(Self.judge(log, [Self.post(score: -4)], []) == ["views_differ": 1])
    }
}
