import ArgumentParser
import CairnClient
import CairnTesting
import CairnTime
import CairnWire
import Foundation
import Histogram
import Testing

@testable import CairnCrowd

/// The verdict on QOS-3.
@Suite struct QualityTests {
    /// Times of which so many are late.
    private func times(_ count: Int, late: Int = 0) -> KindTimes {
        var times = KindTimes(limit: .milliseconds(200))
        for number in 0..<count { times.record(number < late ? 200_001 : 200_000) }
        return times
    }

    private func figures(_ requests: KindTimes, resyncs: Int = 0) -> QualityFigures {
        QualityFigures(
            requests: [QualityFigures.Row("place", requests)], broadcasts: [], unmatched: [:], resyncs: resyncs)
    }

    @Test func kind_isKeptWithOneInTwentyLate_andBrokenWithMore() {
        #expect(figures(times(100, late: 5)).isKept && !figures(times(100, late: 6)).isKept)
        #expect(QualityFigures.Row("place", times(100, late: 6)).verdict == .broken)
        #expect(figures(times(20, late: 1)).isKept && !figures(times(20, late: 2)).isKept)
    }

    @Test func fewOfAKind_areNotJudged() {
        let row = QualityFigures.Row("place", times(19, late: 19))
        #expect(row.verdict == .tooFew && row.lateShare == 1)
        #expect(figures(times(19, late: 19)).isKept && figures(times(0)).isKept)
    }

    @Test func eventsThatWereDropped_breakIt() {
        #expect(figures(times(20)).isKept && !figures(times(20), resyncs: 1).isKept)
    }

    @Test func row_hasItsPercentilesInMilliseconds() {
        var measured = KindTimes(limit: .milliseconds(200))
        for milliseconds in 1...100 { measured.record(UInt64(milliseconds) * 1_000, receivers: 4) }
        let row = QualityFigures.Row("place", measured)
        #expect(row.count == 100 && row.receivers == 4)
        #expect(abs(row.p50 - 50) < 0.5 && abs(row.p95 - 95) < 0.5 && abs(row.max - 100) < 0.5)
    }

    @Test func meter_hasARowForEveryKindThatACrowdWithoutGuestsKnows() throws {
        var meter = QualityMeter()
        var reply = WireReply()
        reply.positioned.cell = "cell"
        let errand = Bot.Errand(kind: Bot.Errand.Kind("position"), due: 1_000, at: 1_000)
        let result = try #require(reply.result)
        meter.answered(errand, .success(result), of: 0, isMeasured: true, now: 3_000)
        let refusal = RequestAnswer.refusal(Refusal(.notFound, "gone", component: "test"))
        meter.answered(errand, refusal, of: 0, isMeasured: true, now: 5_000)
        meter.answered(errand, refusal, of: 0, isMeasured: false, now: 9_000)
        let figures = meter.figures(poses: times(30))
        #expect(figures.requests.map(\.kind) == CrowdFeatures.exchanges.map(\.name).filter { $0 != "look" })
        let row = try #require(figures.requests.first { $0.kind == "position" })
        #expect(row.count == 2 && row.refused == 1 && abs(row.max - 4) < 0.1)
        #expect(figures.broadcasts.map(\.kind) == ["pose"] && figures.broadcasts.first?.count == 30)
        #expect(figures.lines.contains { $0.hasPrefix("position ") && $0.hasSuffix("too few") })
    }

    @Test func pose_countsOnce_atItsLastReceiver() {
        var arrivals = PoseArrivals(people: 2)
        for age in [300, 900, 700] { arrivals.note(0, 5, age: UInt64(age)) }
        arrivals.note(1, 5, age: 50)
        // As many poses later the first one has no further receivers.
        arrivals.note(0, 5 + 16, age: 400)
        #expect(arrivals.last.times.totalCount == 1 && arrivals.last.times.maxRecorded == 900)
        arrivals.end()
        arrivals.end()
        #expect(arrivals.last.times.totalCount == 3)
    }

    // MARK: The command and its scenario

    private func qos(_ arguments: String...) throws -> Qos {
        let command = try CrowdCommand.parseAsRoot(["qos"] + arguments)
        return try #require(command as? Qos)
    }

    /// Its people have accounts: those who only look have a scenario of their own.
    @Test func everyday_hasEveryActivityOfPeople() throws {
        let (everyday, onlookers) = (try Scenario.find("everyday").plan, try Scenario.find("onlookers").plan)
        for activity in CrowdFeatures.activities {
            #expect(activity.pace(activity.isOfGuests ? onlookers : everyday) != .never, "\(activity.name)")
        }
    }

    @Test func qos_movesAndActsWithTheSamePeople() throws {
        let plan = try qos("--people", "300", "--moving", "60", "--cells", "5", "--for", "9s").plan()
        #expect(plan.measuresQuality && plan.people == 300 && plan.cellCount == 5 && plan.seconds == 9)
        #expect((0..<300).count(where: plan.moves) == 60 && (0..<300).allSatisfy { plan.moves($0) == plan.acts($0) })
        // Of those who act three in ten share in sub-realms.
        #expect(plan.rate == 2 && plan.judgedShare == 1 && abs(plan.scopedShare - 0.06) < 1e-9)
        let one = try qos("--people", "1000", "--cells", "1", "--with", "askEvery=5").plan()
        #expect((0..<1_000).allSatisfy(one.acts) && one.judgedShare == 0.2 && one.askEvery == 5)
        #expect(throws: (any Error).self) { try self.qos("--people", "10", "--moving", "11") }
        #expect(throws: (any Error).self) { try self.qos("--for", "11m") }
    }

    @Test func largeCrowdIsLookedAtInTurns_andEverybodyIsLookedAt() {
        var plan = CrowdPlan()
        #expect((0..<50).allSatisfy { plan.isLookedAt($0, second: 3) })
        plan.measuresQuality = true
        for person in 0..<50 { #expect((0..<16).count { plan.isLookedAt(person, second: $0) } == 1) }
    }

    // MARK: Questions

    @Test func personWhoMoves_asksForTheCellWithTheNextPose() throws {
        let bot = Bot.make()
        bot.welcome { _ in }
        var random = SeededGenerator(seed: 1)
        let question = try #require(CrowdFeatures.questions.first { $0.name == "position" })
        guard case .later = question.ask(bot, &random, 1_000) else {
            Issue.record("the question did not wait for the pose")
            return
        }
        bot.tell(height: 41, due: 2_000, now: 2_100)
        #expect(bot.pending.values.map(\.kind.name) == ["position"] && bot.pending.values.first?.due == 2_000)
        // Only once.
        bot.tell(height: 42, due: 3_000, now: 3_100)
        #expect(bot.pending.count == 1)
    }

    @Test func personWhoStands_asksForTheCellAtOnce() throws {
        let bot = Bot.make { $0.movingShare = 0 }
        bot.welcome { _ in }
        var random = SeededGenerator(seed: 1)
        let question = try #require(CrowdFeatures.questions.first { $0.name == "position" })
        guard case .sent = question.ask(bot, &random, 1_000) else {
            Issue.record("the question was not sent")
            return
        }
        #expect(bot.told != nil)
    }

    @Test func personWithNothingInView_stillFindsAQuestion() {
        let bot = Bot.make { $0.movingShare = 0 }
        bot.welcome { _ in }
        for _ in 0..<4 { bot.askSomething(due: 1_000, now: 1_000) }
        #expect(bot.pending.count == 4 && Set(bot.pending.values.map(\.kind.name)).count == 4)
    }
}
