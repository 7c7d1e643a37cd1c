import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// Each rule about placements detects a server that breaks it.
@Suite struct PlacementRuleTests: DoctoredLogs {
    // MARK: Completeness

    @Test func placementThatOneBotDidNotSee_isDetected() {
        #expect(judge(Array(faultless().dropLast()), finals(.make(1))) == ["placement_not_seen": 1])
    }

    @Test func placementThatOneBotSawTwice_isDetected() {
        #expect(judge(faultless() + [.appeared(bot: 1, .make(1))], finals(.make(1))) == ["placement_seen_twice": 1])
    }

    @Test func placementSeenAgainAfterComingBack_isFine() {
        let log =
            faultless() + [
                .unfollowed(bot: 1, topic: here, at: second(5)), .appeared(bot: 1, .make(1)),
                .followed(bot: 1, topic: here, at: second(6)),
            ]
        #expect(judge(log, finals(.make(1))).isEmpty)
    }

    @Test func placementThatABotMissedBecauseItLeft_isFine() {
        let log = faultless().dropLast() + [.unfollowed(bot: 1, topic: here, at: second(3))]
        #expect(judge(Array(log), finals(.make(1))).isEmpty)
    }

    @Test func placementSeenFirstWhereItWasMovedTo_isFine() {
        let moved = WireInstance.make(1, version: 2, cell: there)
        let log =
            faultless().dropLast() + [
                .edited(bot: 0, moved, requestedAt: second(3), at: second(4)),
                .followed(bot: 1, topic: there, at: .epoch),
                .appeared(bot: 1, moved),
            ]
        #expect(judge(Array(log), finals()).isEmpty)
    }

    // MARK: Against the acknowledgements

    @Test func acknowledgedPlacementThatIsGone_isCaught() {
        #expect(judge(faultless(), finals()) == ["placement_lost": 1])
    }

    @Test func removedPlacementThatIsStillThere_isCaught() {
        let log =
            faultless() + [
                .removing(bot: 0, .make(1), at: second(3)), .removed(bot: 0, .make(1), at: second(4)),
            ]
        #expect(judge(log, finals(.make(1))) == ["removed_still_there": 1])
        #expect(judge(log, finals()).isEmpty)
    }

    @Test func refusedRemoval_leavesTheInstanceToBeSeen() {
        let log = faultless() + [.removing(bot: 0, .make(1), at: second(3)), .removalRefused(bot: 0, .make(1))]
        #expect(judge(log, finals()) == ["placement_lost": 1])
    }

    @Test func placementThatDiffersFromItsReply_isCaught() {
        var other = WireInstance.make(1)
        other.pose.geopose.position.h = 1
        #expect(judge(faultless(), finals(other)) == ["differs_from_reply": 1])
    }

    @Test func instanceInTwoCells_isCaught() {
        let moved = WireInstance.make(1, version: 2, cell: there)
        let log = faultless() + [.edited(bot: 0, moved, requestedAt: second(3), at: second(4))]
        let finals = finals(.make(1)) + [FinalTopic(bot: 1, replica: .make(there, sequence: 1, [moved]))]
        #expect(judge(log, finals) == ["in_two_cells": 1])
    }

    @Test func placementThatNoBotGot_isDetected() {
        let doubled = WireInstance.make(1)
        let replica = TopicReplica.make(here, sequence: 1, [doubled], own: [doubled.id])
        let verdict = Oracle().judge([FinalTopic(bot: 0, replica: replica)])
        #expect(verdict.rules.keys.sorted() == ["placed_unasked"])
    }

    // MARK: Quotas

    private func placements(_ times: [(asked: Int, answered: Int)]) -> [Observation] {
        times.enumerated().map { index, time in
            .placed(
                bot: 0, .make(UInt64(index + 1)), requestedAt: second(time.asked), at: second(time.answered))
        }
    }

    private func limits(_ change: (inout WireLimits) -> Void) -> WireLimits {
        var limits = WireLimits()
        limits.placementsPerMinute = 1_000
        limits.placementsPerDay = 1_000
        limits.areaQuota = 1_000
        change(&limits)
        return limits
    }

    @Test func placementsBeyondThePeriodQuota_areCaught() {
        let limits = limits { $0.placementsPerMinute = 2 }
        #expect(judge(placements([(0, 1), (10, 11), (50, 59)]), [], limits: limits) == ["quota_period": 1])
        #expect(judge(placements([(0, 1), (10, 11), (50, 61)]), [], limits: limits).isEmpty)
    }

    @Test func placementsBeyondTheAreaQuota_areCaught() {
        let limits = limits { $0.areaQuota = 2 }
        let log = placements([(0, 1), (2, 3), (4, 5)])
        #expect(judge(log, [], limits: limits) == ["quota_area": 1])
        let tidied = [log[0], log[1], .removing(bot: 0, .make(1), at: second(3)), log[2]]
        #expect(judge(tidied, [], limits: limits).isEmpty)
    }

    @Test func refusalForAQuotaThatCannotBeUsedUp_isCaught() {
        #expect(judge([.did(bot: 0, PlacementDeed.refusedWithinQuota(.quotaArea))], []) == ["refused_within_quota": 1])
    }
}
