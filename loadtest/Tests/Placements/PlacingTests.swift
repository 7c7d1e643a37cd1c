import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// Bots keep to the quotas of placements, except greedy ones.
@Suite struct PlacingTests {
    @Test func quotaThatCannotBeUsedUp_isCertain_afterFewRequests() throws {
        let bot = Bot.make { $0.greedyShare = 1 }
        bot.welcome { limits in
            limits.placementsPerMinute = 3
            limits.placementsPerDay = 100
            limits.areaQuota = 5
            limits.presets = ["cube"]
        }
        for placed in 1...7 {
            #expect(bot.runErrand(due: .epoch, now: .epoch + .seconds(1)) != nil)
            #expect(bot.isCertainlyWithinQuota(.quotaPeriod, now: .epoch + .seconds(2)) == (placed <= 3), "\(placed)")
            #expect(bot.isCertainlyWithinQuota(.quotaArea, now: .epoch + .seconds(2)) == (placed <= 5), "\(placed)")
        }
        // Requests from so long ago no longer count, and removed instances do not count for the area.
        #expect(bot.isCertainlyWithinQuota(.quotaPeriod, now: .epoch + .seconds(200)))
        bot.placing.release()
        bot.placing.release()
        #expect(bot.isCertainlyWithinQuota(.quotaArea, now: .epoch + .seconds(2)))
        #expect(!bot.isCertainlyWithinQuota(.tooFar, now: .epoch + .seconds(200)))
    }

    @Test func greedyBot_asksForMoreThanItIsAllowed_andOthersDoNot() {
        for greedy in [true, false] {
            let bot = Bot.make { $0.greedyShare = greedy ? 1 : 0 }
            bot.welcome { limits in
                limits.placementsPerMinute = 3
                limits.placementsPerDay = 100
                limits.areaQuota = 100
                limits.presets = ["cube"]
            }
            let asked = (0..<20).count { _ in bot.runErrand(due: .epoch, now: .epoch + .seconds(1)) != nil }
            #expect(greedy ? asked == 20 : asked == 3)
        }
    }

    @Test func figures_areOfTheMeasuredTime() {
        var plan = CrowdPlan()
        plan.seconds = 4
        var report = CrowdReport(plan: plan, url: "throw-away")
        report.done["placed"] = 11
        report.doneMeasured["placed"] = 6
        #expect(Placing.figures(report) == ["placed_measured": 6, "placements_per_second": 1.5])
    }

    @Test func closedLoop_asksForOneMoreEachTime() throws {
        let bot = Bot.make { $0.placesInFlight = 2 }
        bot.welcome { limits in
            limits.placementsPerMinute = 1_000
            limits.placementsPerDay = 1_000
            limits.areaQuota = 1_000
            limits.presets = ["cube"]
        }
        let activity = try #require(Placing.activities.first)
        #expect(activity.pace(bot.plan) == .inFlight(2))
        for asked in 1...3 {
            #expect(activity.act(bot, .epoch, .epoch + .seconds(1)).isEmpty)
            #expect(bot.pending.count == asked)
        }
    }
}
