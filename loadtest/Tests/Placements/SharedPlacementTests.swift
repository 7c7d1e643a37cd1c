import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// Placements in sub-realms are seen by followers of the sub-realm, and as nothing else (PLC-3, VIS-5).
@Suite struct SharedPlacementTests: DoctoredLogs {
    private var garden: String { "\(here)/garden" }

    private func shared(_ number: UInt64 = 1) -> WireInstance {
        var instance = WireInstance.make(number)
        instance.realms = ["garden"]
        return instance
    }

    /// Two members have selected the sub-realm, a third bot has not.
    private func log() -> [Observation] {
        [
            .did(bot: 0, founding),
            .followed(bot: 0, topic: garden, at: second(1)), .followed(bot: 1, topic: garden, at: second(1)),
            .followed(bot: 2, topic: here, at: .epoch),
            .placed(bot: 0, shared(), requestedAt: second(2), at: second(3)),
            .appeared(bot: 0, .make(1), shown: "garden"), .appeared(bot: 1, .make(1), shown: "garden"),
        ]
    }

    private var founding: RealmDeed {
        RealmDeed(rightChanges: [
            RightChange(
                realm: "garden", people: [0, 1], isGain: true, requestedAt: .epoch,
                progress: .acknowledged(at: .epoch + .milliseconds(1)))
        ])
    }

    private func finals(_ others: [WireInstance] = [.make(1)]) -> [FinalTopic] {
        let own = [0, 1].map { FinalTopic(bot: $0, replica: .make("realm:1/r1", sequence: 1, [])) }
        return own + [
            FinalTopic(bot: 0, replica: .make("\(here)/r1", sequence: 2, [.make(1)]), shown: "garden"),
            FinalTopic(bot: 1, replica: .make("\(here)/r1", sequence: 2, others), shown: "garden"),
            FinalTopic(bot: 2, replica: .make(here, sequence: 1, [])),
        ]
    }

    @Test func placementThatMembersAloneSee_breaksNoRule() {
        #expect(judge(log(), finals()).isEmpty)
    }

    @Test func placementInTwoSubRealms_isSeenOnceInEach() {
        var both = shared()
        both.realms = ["garden", "attic"]
        let attic = "\(here)/attic"
        let gained = RightChange(
            realm: "attic", people: [0, 1], isGain: true, requestedAt: .epoch,
            progress: .acknowledged(at: .epoch + .milliseconds(1)))
        let log: [Observation] = [
            .did(bot: 0, founding), .did(bot: 0, RealmDeed(rightChanges: [gained])),
            .followed(bot: 1, topic: garden, at: second(1)),
            .placed(bot: 0, both, requestedAt: second(2), at: second(3)),
            .appeared(bot: 1, .make(1), shown: "garden"), .unfollowed(bot: 1, topic: garden, at: second(9)),
            .appeared(bot: 1, .make(1), shown: "attic"), .followed(bot: 1, topic: attic, at: second(9)),
        ]
        #expect(judge(log, []).isEmpty)
        #expect(judge(log + [.appeared(bot: 1, .make(1), shown: "garden")], []).isEmpty)
        #expect(judge(Array(log[..<5]) + [log[4]], []) == ["placement_seen_twice": 1])
    }

    @Test func placementThatAMemberDidNotSee_isCaught() {
        #expect(judge(Array(log().dropLast()), finals()) == ["placement_not_seen": 1])
    }

    @Test func placementThatAMemberDoesNotHoldAtTheEnd_isCaught() {
        #expect(judge(log(), finals([])) == ["scope_missing": 1, "views_differ": 1])
        let removed = log() + [.removing(bot: 0, .make(1), at: second(4)), .removed(bot: 0, .make(1), at: second(5))]
        #expect(judge(removed, finals([]))["scope_missing"] == nil)
    }

    @Test func placementThatIsShownToEverybody_isCaught() {
        #expect(judge(log() + [.appeared(bot: 2, .make(1))], finals()) == ["scope_leaked": 1])
    }

    @Test func publicPlacementInASubRealm_isCaught() {
        let log =
            log() + [
                .placed(bot: 2, .make(2), requestedAt: second(4), at: second(5)), .appeared(bot: 2, .make(2)),
                .appeared(bot: 0, .make(2), shown: "garden"),
            ]
        let views = finals() + [FinalTopic(bot: 3, replica: .make(there, sequence: 1, []))]
        #expect(judge(log, views)["scope_leaked"] == 1)
    }

    @Test func placementByAStranger_isCaught() {
        let placed = Observation.placed(bot: 2, shared(2), requestedAt: second(4), at: second(5))
        #expect(judge(log() + [placed], [])["not_a_member"] == 1)
    }

    @Test func placementsOfASubRealmThatMayHaveEnded_doNotCountForTheArea() {
        var limits = WireLimits()
        limits.placementsPerMinute = 100
        limits.placementsPerDay = 100
        limits.areaQuota = 1
        let another = Observation.placed(bot: 0, shared(2), requestedAt: second(9), at: second(10))
        #expect(judge(log() + [another], [], limits: limits)["quota_area"] == 1)
        let left = RightChange(
            realm: "garden", people: [0], isGain: false, requestedAt: second(5), progress: .underWay)
        let log = log() + [.did(bot: 0, RealmDeed(rightChanges: [left])), another]
        #expect(judge(log, [], limits: limits)["quota_area"] == nil)
    }
}
