import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// Each rule detects a server that breaks it, and no rule reports a server that breaks none.
@Suite struct OracleTests: DoctoredLogs {
    @Test func faultlessServer_breaksNoRule() {
        #expect(judge(faultless(), finals(.make(1))).isEmpty)
    }

    // MARK: Sameness

    @Test func versionThatDiffersForOneReceiver_isDetected_evenWhenItIsEditedLater() {
        var altered = WireInstance.make(1)
        altered.pose.scale += 1
        let log =
            faultless().dropLast() + [
                .appeared(bot: 1, altered),
                .edited(bot: 0, .make(1, version: 2), requestedAt: second(3), at: second(4)),
            ]
        #expect(judge(Array(log), finals(.make(1, version: 2))) == ["told_otherwise": 1])
    }

    @Test func editThatDiffersForOneReceiver_isDetected() {
        var altered = WireInstance.make(1, version: 2)
        altered.pose.scale += 1
        let log =
            faultless() + [
                .edited(bot: 0, .make(1, version: 2), requestedAt: second(3), at: second(4)),
                .changed(bot: 0, .make(1, version: 2)), .changed(bot: 1, altered),
            ]
        #expect(judge(log, finals(.make(1, version: 2))) == ["told_otherwise": 1])
    }

    @Test func textThatDiffersForOneReceiver_isDetected() {
        var altered = WireInstance.make(1, version: 2)
        altered.text = "other words"
        let log =
            faultless() + [
                .edited(bot: 0, .make(1, version: 2), requestedAt: second(3), at: second(4)),
                .changed(bot: 0, .make(1, version: 2)), .changed(bot: 1, altered),
            ]
        #expect(judge(log, finals(.make(1, version: 2))) == ["told_otherwise": 1])
    }

    // MARK: Convergence

    @Test func viewsThatDiffer_areCaught() {
        let finals = [
            FinalTopic(bot: 0, replica: .make(here, sequence: 1, [.make(1)])),
            FinalTopic(bot: 1, replica: .make(here, sequence: 1, [.make(1), .make(2)])),
        ]
        #expect(judge(faultless(), finals) == ["views_differ": 1])
    }

    @Test func viewsAtDifferentVersions_areCaught() {
        let log = faultless() + [.edited(bot: 0, .make(1, version: 2), requestedAt: second(3), at: second(4))]
        let finals = [
            FinalTopic(bot: 0, replica: .make(here, sequence: 2, [.make(1, version: 2)])),
            FinalTopic(bot: 1, replica: .make(here, sequence: 2, [.make(1)])),
        ]
        #expect(judge(log, finals) == ["views_differ": 1])
    }

    @Test func viewsAtDifferentNumbers_areCaught() {
        let finals = [
            FinalTopic(bot: 0, replica: .make(here, sequence: 1, [.make(1)])),
            FinalTopic(bot: 1, replica: .make(here, sequence: 2, [.make(1)])),
        ]
        #expect(judge(faultless(), finals) == ["views_differ": 1])
    }

    @Test func snapshotThatNeverEnds_isCaught() {
        let finals = [FinalTopic(bot: 0, replica: .incomplete(here))]
        #expect(judge([], finals) == ["snapshot_incomplete": 1])
    }

    // MARK: During the run

    @Test(arguments: Violation.Rule.allCases)
    func brokenProtocol_isCounted(rule: Violation.Rule) {
        #expect(judge([.violation(bot: 1, Violation(rule, "doctored"))], []) == [rule.rawValue: 1])
    }

    @Test func otherFaults_areCounted() {
        let log: [Observation] = [
            .poseFaults(bot: 0, PoseFaults(unknownSlot: 1, reordered: 2, repeated: 3, unsent: 4)),
            .wrongAnswer(bot: 0, "doctored"), .unanswered(bot: 0, count: 4), .cut(bot: 0, code: 1006, reason: ""),
            .stalePose(bot: 0, person: 1, "doctored"), .unseen(bot: 0, person: 1, in: here),
            .ghost(bot: 0, person: 1, in: here), .hiddenSeen(bot: 0, person: 1, in: here),
            .notFollowed(bot: 0, cell: here), .notReturned(bot: 0), .posesLost(count: 5),
            .presenceOutOfView(bot: 0, cell: here),
        ]
        let wanted = [
            "pose_unknown_slot": 1, "pose_reordered": 2, "pose_repeated": 3, "pose_unsent": 4, "wrong_answer": 1,
            "unanswered": 4,
            "connection_lost": 1, "pose_stale": 1, "person_not_seen": 1, "ghost": 1,
            "hidden_person_seen": 1, "not_followed": 1, "not_returned": 1, "pose_lost": 5,
            "presence_out_of_view": 1,
        ]
        #expect(judge(log, []) == wanted)
    }

    @Test func cellOutOfSight_isCaught() {
        func judge(_ metres: Double, radius: Double) -> [String: Int] {
            var oracle = Oracle()
            oracle.viewRadiusMetres = radius
            oracle.take(.seen(bot: 0, cell: here, metresAway: metres))
            return oracle.judge([]).rules.mapValues(\.count)
        }
        #expect(judge(110, radius: 100).isEmpty)
        #expect(judge(140, radius: 100) == ["out_of_view": 1])
        #expect(judge(140, radius: 200).isEmpty)
        // Before the server has sent the view radius.
        #expect(judge(1e6, radius: .infinity).isEmpty)
    }
}
