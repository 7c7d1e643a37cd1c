import Testing

@testable import CairnCrowd

@Suite struct GestureTests {
    @Test func gestures_shareTheLimitOfReactions() {
        var plan = CrowdPlan()
        plan.reactEvery = 4
        #expect(Reacting.settings(plan).isEmpty)
        plan.voteEvery = 4
        #expect(Reacting.settings(plan) == ["reactions.perMinute=40"])
    }
}
