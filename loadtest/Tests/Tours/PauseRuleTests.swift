import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// ENG-3: the oracle of pauses against doctored ones: the clock stands still, and nothing is reached (TRT-5).
@Suite("Crowd: pauses, the rule")
struct PauseRuleTests {
    private static let plan: CrowdPlan = {
        var plan = CrowdPlan()
        (plan.tours, plan.stops) = (1, 4)
        return plan
    }()
    private static let start = MonotonicTime(microseconds: 1_000_000)
    private static let path = TourPath(number: 0, version: 1, plan: plan)

    private static func run(_ state: WireRunState, reached: Int = 0, seconds: UInt64) -> WireRun {
        let stops = path.wireStops()
        var run = WireRun()
        (run.id, run.tour, run.version, run.state) = ("run", "tour", 1, state)
        (run.reached, run.stops, run.milliseconds) = (UInt32(reached), UInt32(stops.count), seconds * 1_000)
        if reached < stops.count { run.target = stops[reached] }
        if reached > 0 { run.last = stops[reached - 1] }
        return run
    }

    /// A run that is paused from second 10 to second 20, and left at second 30.
    private static func walk(
        pausedAt: UInt64 = 10, goesOnAt: UInt64 = 10, total: UInt64 = 20, during: (inout TourRule) -> Void = { _ in }
    ) -> TourRule {
        var rule = TourRule()
        rule.begin(
            0, run(.walking, seconds: 0), tour: "tour", versions: 1...1, path: { _ in path }, requestedAt: start)
        rule.asksToPause(0, at: start + .seconds(10))
        let isPaused = rule.paused(0, run(.paused, seconds: pausedAt), at: start + .seconds(10))
        #expect(isPaused)
        during(&rule)
        rule.asksToGoOn(0, at: start + .seconds(20))
        rule.goesOn(0, run(.walking, seconds: goesOnAt), at: start + .seconds(20))
        var summary = WireRunSummary()
        (summary.tour, summary.reached) = ("tour", UInt32(rule.walk(of: 0)?.reached ?? 0))
        summary.milliseconds = total * 1_000
        rule.end(0, summary, metres: 0, slack: .zero, at: start + .seconds(30))
        return rule
    }

    @Test func clockThatStandsStill_breaksNothing() {
        let rule = Self.walk { rule in
            rule.hear(0, Self.run(.paused, seconds: 10), .state, at: Self.start + .seconds(15))
        }
        #expect(rule.broken.rules.isEmpty, "\(rule.broken.rules)")
    }

    @Test(arguments: [30, 18, 22] as [UInt64])
    func totalWithThePauseInIt_isFound(total: UInt64) {
        #expect(Self.walk(total: total).broken.rules["total_wrong"]?.count == 1)
    }

    @Test func clockThatRunsInAPause_isFound() {
        #expect(Self.walk(goesOnAt: 20).broken.rules["clock_ran_in_pause"]?.count == 1)
        let told = Self.walk { rule in
            rule.hear(0, Self.run(.paused, seconds: 15), .state, at: Self.start + .seconds(15))
        }
        #expect(told.broken.rules["clock_ran_in_pause"]?.count == 1)
    }

    @Test func stopThatIsReachedInAPause_isFound() {
        let rule = Self.walk { rule in
            rule.stand(0, at: Self.path.stops[0])
            rule.hear(0, Self.run(.paused, reached: 1, seconds: 10), .stopReached, at: Self.start + .seconds(15))
        }
        #expect(rule.broken.rules["reached_in_pause"]?.count == 1)
    }

    @Test func pauseThatIsNone_isFound_unlessTheRunIsCompleted() {
        for (state, isBroken) in [(WireRunState.walking, true), (.completed, false)] {
            var rule = TourRule()
            rule.begin(
                0, Self.run(.walking, seconds: 0), tour: "tour", versions: 1...1, path: { _ in Self.path },
                requestedAt: Self.start)
            rule.asksToPause(0, at: Self.start)
            let isPaused = rule.paused(0, Self.run(state, seconds: 0), at: Self.start)
            #expect(!isPaused)
            #expect((rule.broken.rules["pause_ignored"] != nil) == isBroken)
        }
    }
}
