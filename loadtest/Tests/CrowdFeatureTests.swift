import CairnTime
import CairnWire
import Foundation
import Testing

@testable import CairnCrowd

/// Features of a crowd are registered: a plan, a run and a report find them by name.
@Suite struct CrowdFeatureTests {
    @Test func activitiesAndExchanges_haveNamesAndCountsOfTheirOwn() {
        let (activities, exchanges) = (CrowdFeatures.activities, CrowdFeatures.exchanges)
        #expect(!activities.isEmpty && !exchanges.isEmpty)
        #expect(Set(activities.map(\.name)).count == activities.count)
        #expect(Set(exchanges.map(\.name)).count == exchanges.count)
        #expect(Set(exchanges.map(\.count)).count == exchanges.count)
        #expect(CrowdFeatures.exchange(of: Bot.Errand.Kind("nothing")) == nil)
    }

    @Test func report_hasEachCountBesideItsFigures() throws {
        var report = CrowdReport(plan: CrowdPlan(), url: "throw-away")
        let exchange = try #require(CrowdFeatures.exchanges.first)
        report.done[exchange.count] = 7
        report.doneMeasured[exchange.count] = 6
        let data = Data(Printing.json(report).utf8)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["rules_broken"] as? Int == 0)
        for other in CrowdFeatures.exchanges {
            #expect(object[other.count] as? Int == (other.count == exchange.count ? 7 : 0), "\(other.count)")
        }
        for feature in CrowdFeatures.all {
            for (name, figure) in feature.figures(report) { #expect(object[name] as? Double == figure, "\(name)") }
        }
        #expect(CrowdFeatures.all.contains { $0.figures(report).values.contains(6) })
        #expect(report.doneText == "7 \(exchange.count)")
    }

    @Test func answerOfAnotherKind_isNoDeed() {
        let bot = Bot.make()
        for exchange in CrowdFeatures.exchanges {
            let errand = Bot.Errand(kind: Bot.Errand.Kind(exchange.name, .make(1)), due: .epoch, at: .epoch)
            #expect(exchange.acknowledged(bot, errand, .done(WireDone()), .epoch) == nil, "\(exchange.name)")
        }
    }

    @Test func planOfAFeature_isAsUsualUntilItIsSet_inThatPlanAlone() {
        let usual = CrowdPlan()
        var plan = usual
        plan.reactEvery = 3
        #expect(plan.reactEvery == 3 && usual.reactEvery == 10)
        #expect(plan.placeEvery == usual.placeEvery)
    }
}
