import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// ENG-3: the oracle of tours against doctored walks: it finds one fault in 10,000 stops, and none where there is none.
@Suite("Crowd: tours, the rule")
struct TourRuleTests {
    private static let plan: CrowdPlan = {
        var plan = CrowdPlan()
        plan.tours = 1
        plan.stops = 4
        return plan
    }()
    private static let start = MonotonicTime(microseconds: 1_000_000)
    private static let path = TourPath(number: 0, version: 1, plan: plan)

    /// What a server tells of a run that has reached so many stops.
    private static func run(
        _ walker: Int, reached: Int, version: UInt32 = 1, last: Int? = nil
    ) -> WireRun {
        let path = TourPath(number: 0, version: version, plan: plan)
        let stops = path.wireStops()
        var run = WireRun()
        (run.id, run.tour, run.version) = ("run \(walker)", "tour", version)
        (run.reached, run.stops) = (UInt32(reached), UInt32(stops.count))
        run.state = reached == stops.count ? .completed : .walking
        if reached < stops.count { run.target = stops[reached] }
        if reached > 0 { run.last = stops[last ?? reached - 1] }
        return run
    }

    private static func summary(reached: Int = 4, metres: Double = 1_200, seconds: UInt64 = 10) -> WireRunSummary {
        var summary = WireRunSummary()
        (summary.tour, summary.completed, summary.reached) = ("tour", reached == 4, UInt32(reached))
        (summary.metres, summary.milliseconds) = (metres, seconds * 1_000)
        return summary
    }

    private static func begin(_ rule: inout TourRule, _ walker: Int, _ run: WireRun? = nil) {
        rule.begin(
            walker, run ?? Self.run(walker, reached: 0), tour: "tour", versions: 1...2,
            path: { TourPath(number: 0, version: $0, plan: plan) }, requestedAt: start)
    }

    /// A walk from start to end, in which `tell` says what the walker hears at each stop.
    private static func walk(
        _ rule: inout TourRule, _ walker: Int, tell: (Int, inout TourRule) -> Void = { _, _ in }
    ) {
        begin(&rule, walker)
        for stop in 0..<plan.stops {
            rule.stand(walker, at: path.stops[stop])
            tell(stop, &rule)
            if rule.walk(of: walker)?.reached == stop {
                rule.hear(walker, run(walker, reached: stop + 1), .stopReached, at: start + .seconds(10))
            }
        }
        rule.end(walker, summary(), metres: 1_200, slack: .zero, at: start + .seconds(10))
    }

    /// Walks of 10,000 stops, of which one is told wrongly.
    private static func walks(_ fault: (Int, Int, inout TourRule) -> Void) -> TourRule {
        var rule = TourRule()
        for walker in 0..<2_500 {
            walk(&rule, walker) { stop, rule in if walker == 1_234, stop == 2 { fault(walker, stop, &rule) } }
        }
        return rule
    }

    @Test func walksInOrder_breakNothing() {
        let rule = Self.walks { _, _, _ in }
        #expect(rule.broken.rules.isEmpty, "\(rule.broken.rules)")
        #expect(rule.stopsReached == 10_000 && rule.completed == 2_500)
    }

    @Test func oneStopInTenThousand_skipped_isFound() {
        let rule = Self.walks { walker, stop, rule in
            rule.hear(walker, Self.run(walker, reached: stop + 2), .stopReached, at: Self.start)
        }
        #expect(rule.broken.rules["stop_skipped"]?.count == 1)
    }

    @Test func oneStopInTenThousand_repeated_isFound() {
        let rule = Self.walks { walker, stop, rule in
            rule.hear(walker, Self.run(walker, reached: stop), .stopReached, at: Self.start)
        }
        #expect(rule.broken.rules["stop_repeated"]?.count == 1)
    }

    @Test func oneStopInTenThousand_swapped_isFound() {
        let rule = Self.walks { walker, stop, rule in
            rule.hear(walker, Self.run(walker, reached: stop + 1, last: stop - 1), .stopReached, at: Self.start)
        }
        #expect(rule.broken.rules["stop_swapped"]?.count == 1)
    }

    @Test func stopWithoutPresence_isFound() {
        var rule = TourRule()
        Self.begin(&rule, 0)
        rule.stand(0, at: Self.path.stops[0] - Metres(0, 100))
        rule.hear(0, Self.run(0, reached: 1), .stopReached, at: Self.start)
        #expect(rule.broken.rules["arrived_without_presence"]?.count == 1)
    }

    /// Whether a jump may have been a walk is known when it is over.
    @Test(arguments: [true, false])
    func stopReachedByAJump_isFound_ifItWasTooFast(mayCount: Bool) {
        var rule = TourRule()
        Self.begin(&rule, 0)
        rule.jump(0)
        rule.hear(0, Self.run(0, reached: 1), .stopReached, at: Self.start)
        #expect(rule.broken.count == 0)
        rule.jumped(0, metres: 300, mayCount: mayCount)
        #expect((rule.broken.rules["jump_counted"]?.count ?? 0) == (mayCount ? 0 : 1))
    }

    /// An arrival is told when it is on disk, which may be after the jump.
    @Test(arguments: [true, false])
    func stopToldAfterAJump_isFound_ifTheJumpWasTooFast(mayCount: Bool) {
        var rule = TourRule()
        Self.begin(&rule, 0)
        rule.jump(0)
        rule.jumped(0, metres: 300, mayCount: mayCount)
        rule.hear(0, Self.run(0, reached: 1), .stopReached, at: Self.start)
        #expect((rule.broken.rules["arrived_without_presence"]?.count ?? 0) == (mayCount ? 0 : 1))
    }

    /// The link was cut before the stop was told, and the run is left before it is back.
    @Test(arguments: [true, false])
    func stopThatOnlyTheSummaryTells_countsForWhoWasThere(wasNear: Bool) {
        var rule = TourRule()
        Self.begin(&rule, 0)
        if wasNear { rule.stand(0, at: Self.path.stops[0]) }
        rule.end(0, Self.summary(reached: 1, metres: 300), metres: 300, slack: .zero, at: Self.start + .seconds(10))
        #expect((rule.broken.rules["total_wrong"] == nil) == wasNear)
    }

    @Test func runOnAnotherVersion_isFound() {
        var rule = TourRule()
        Self.begin(&rule, 0)
        rule.hear(0, Self.run(0, reached: 0, version: 2), .state, at: Self.start)
        #expect(rule.broken.rules["version_changed"]?.count == 1)
        #expect(rule.broken.rules["stop_swapped"]?.count == 1)
        Self.begin(&rule, 1, Self.run(1, reached: 0, version: 3))
        #expect(rule.broken.rules["version_not_published"]?.count == 1)
    }

    @Test func stateThatGoesBack_isFound() {
        var rule = TourRule()
        Self.begin(&rule, 0)
        rule.stand(0, at: Self.path.stops[0])
        rule.hear(0, Self.run(0, reached: 1), .stopReached, at: Self.start)
        rule.hear(0, Self.run(0, reached: 0), .state, at: Self.start)
        #expect(rule.broken.rules["stop_lost"]?.count == 1)
    }

    @Test func runOfAnother_isFound() {
        var rule = TourRule()
        Self.begin(&rule, 0)
        rule.hear(0, Self.run(1, reached: 0), .state, at: Self.start)
        #expect(rule.broken.rules["run_of_another"]?.count == 1)
    }

    @Test(arguments: [
        summary(reached: 3), summary(metres: 600), summary(metres: 1_900), summary(seconds: 7), summary(seconds: 13),
    ])
    func wrongTotals_areFound(summary: WireRunSummary) {
        var rule = TourRule()
        Self.begin(&rule, 0)
        for stop in 0..<4 {
            rule.stand(0, at: Self.path.stops[stop])
            rule.hear(0, Self.run(0, reached: stop + 1), .stopReached, at: Self.start + .seconds(10))
        }
        rule.end(0, summary, metres: 1_200, slack: .zero, at: Self.start + .seconds(11))
        #expect(rule.broken.rules["total_wrong"] != nil)
    }
}
