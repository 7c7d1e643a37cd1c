import CairnWire
import Foundation
import Testing

@testable import cairn_crowd

/// What a crowd does of features is registered: a plan, a run and a report know it by name.
@Suite struct CrowdFeatureTests {
    @Test func activities_haveNamesAndCountsOfTheirOwn() {
        let activities = CrowdFeatures.activities
        #expect(!activities.isEmpty)
        #expect(Set(activities.map(\.name)).count == activities.count)
        #expect(Set(activities.map(\.count)).count == activities.count)
        for kind in [Bot.Errand.Kind.place, .edit, .remove(.make(1))] {
            #expect(CrowdFeatures.activity(of: kind) == nil)
        }
    }

    @Test func report_hasEachCountBesideItsFigures() throws {
        var report = CrowdReport(plan: CrowdPlan(), url: "throw-away")
        report.placed = 3
        let activity = try #require(CrowdFeatures.activities.first)
        report.done[activity.count] = 7
        let data = Data(Printing.json(report).utf8)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["placed"] as? Int == 3)
        #expect(object["rules_broken"] as? Int == 0)
        for other in CrowdFeatures.activities {
            #expect(object[other.count] as? Int == (other.count == activity.count ? 7 : 0), "\(other.count)")
        }
        #expect(report.doneText == "7 \(activity.count)")
    }

    @Test func answerOfAnotherKind_isNoDeed() {
        for activity in CrowdFeatures.activities {
            let errand = Bot.Errand(kind: Bot.Errand.Kind(activity.name, .make(1)), due: 0, at: 0)
            #expect(activity.deed(errand, .done(WireDone())) == nil, "\(activity.name)")
        }
    }

    @Test func planOfAFeature_isAsUsualUntilItIsSet_inThatPlanAlone() {
        let usual = CrowdPlan()
        var plan = usual
        plan.reactEvery = 3
        #expect(plan.reactEvery == 3 && usual.reactEvery == 10)
        #expect(plan.voteEvery == usual.voteEvery)
    }
}
