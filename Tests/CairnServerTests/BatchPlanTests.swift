import Testing
@testable import CairnServer

@Suite struct BatchPlanTests {
    private static let waitMax = 12

    /// A plan for poses that are expected in so many buckets from now.
    private func plan(_ ahead: [Int], mean: Double) -> BatchPlan {
        var expected = [Double](repeating: 0, count: BatchPlan.length(waitMax: Self.waitMax))
        for bucket in ahead where bucket < expected.count { expected[bucket] += 1 }
        return BatchPlan(waitMax: Self.waitMax, mean: mean, expected: expected)
    }

    @Test func poseForWhichNoOtherIsNear_leavesAtOnce() {
        #expect(plan([], mean: 0).lastBucket(waiting: 1, age: 0) == nil)
        #expect(plan([13, 30], mean: 0.05).lastBucket(waiting: 1, age: 0) == nil)
    }

    @Test func poseWaits_forOneThatComesSoon_andNoLonger() {
        #expect(plan([5, 30], mean: 0.05).lastBucket(waiting: 1, age: 0) == 5)
        #expect(plan([30], mean: 0.05).lastBucket(waiting: 2, age: 5) == nil, "the other one has come")
    }

    @Test func nobodyWaitsForLongerThanTheLongestWait() {
        #expect(plan([5, 30], mean: 0.05).lastBucket(waiting: 1, age: 8) == nil)
        #expect(plan([5, 30], mean: 0.05).lastBucket(waiting: 1, age: 40) == nil)
        let often = plan(Array(0..<36), mean: 1)
        for age in 0..<Self.waitMax {
            #expect(often.lastBucket(waiting: 1, age: age).map { $0 + age < Self.waitMax } ?? true)
        }
    }

    /// Where poses come close together, a batch leaves behind them, not in their midst.
    @Test func batch_leavesBeforeTheGap() {
        let bunches = (0..<3).flatMap { number in (0..<5).map { number * 14 + 2 + $0 } }
        #expect(plan(bunches, mean: 0.4).lastBucket(waiting: 1, age: 0) == 6)
    }

    /// With poses at even distances a plan is a tick of the same length each time.
    @Test(arguments: [0.5, 1, 4])
    func evenPoses_leaveAsInATick(mean: Double) throws {
        let expected = [Double](repeating: mean, count: BatchPlan.length(waitMax: 24))
        let plan = BatchPlan(waitMax: 24, mean: mean, expected: expected)
        // How long the first pose waits when each plan replaces the one before.
        var age = 0
        while let last = plan.lastBucket(waiting: 1 + Int(Double(age) * mean), age: age), last > 0 { age += 1 }
        #expect((14...22).contains(age), "\(age) of 24")
    }
}
