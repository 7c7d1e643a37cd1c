import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// ENG-3: the oracle of groups against doctored ones (TRM-11).
@Suite("Crowd: groups, the rule")
struct GroupRuleTests {
    private static let start = MonotonicTime(microseconds: 1_000_000)
    private static let late = start + .seconds(10)
    private static let names = ["w0": 0, "w1": 1, "w2": 2]

    /// Walker 0 guides, walker 1 follows, walker 2 is outside.
    private static func together() -> GroupRule {
        var rule = GroupRule()
        rule.asksToOpen(0)
        rule.opened(0, group(code: "ABCDEFGH", members: ["w0"]), tour: 3, at: start)
        rule.asksToFollow(1, "g")
        rule.followed(1, "g", group())
        return rule
    }

    private static func group(
        _ id: String = "g", target: String = "", code: String = "", members: [String] = ["w0", "w1"],
        reached: UInt32 = 0
    ) -> WireGroup {
        var group = WireGroup()
        (group.id, group.target, group.code) = (id, target, code)
        group.members = members.map { name in
            var member = WireGroupMember()
            (member.name, member.reached) = (name, reached)
            return member
        }
        return group
    }

    private static func lead(_ rule: inout GroupRule, to stop: String, at now: MonotonicTime = start) {
        rule.asksForTarget(0, stop)
        rule.hasSetTarget(0, at: now)
    }

    private static func hear(
        _ rule: inout GroupRule, _ walker: Int, _ group: WireGroup, slack: Duration = .zero,
        at now: MonotonicTime = late
    ) {
        rule.hear(walker, group, slack: slack, at: now, walkers: names) { _ in 2 }
    }

    @Test func groupThatIsAsItsGuideWantsIt_breaksNothing() {
        var rule = Self.together()
        Self.hear(&rule, 0, Self.group(code: "ABCDEFGH"))
        Self.lead(&rule, to: "a")
        rule.asksForTarget(0, "b")
        // A target that is not acknowledged yet may be told already, and the one before it as well.
        for stop in ["a", "b"] { Self.hear(&rule, 1, Self.group(target: stop, reached: 3)) }
        rule.hasSetTarget(0, at: Self.late)
        Self.hear(&rule, 1, Self.group(target: "a"), at: Self.late + .seconds(1))
        Self.hear(&rule, 1, Self.group(target: "b"), at: Self.late + .seconds(1))
        rule.expectTarget(1, since: Self.start, at: Self.late + .seconds(20))
        rule.asksToLeave(1)
        rule.left(1, at: Self.late)
        Self.hear(&rule, 1, Self.group(target: "b"), at: Self.late + .seconds(1))
        #expect(rule.broken.rules.isEmpty, "\(rule.broken.rules)")
        #expect(rule.counts == (opened: 1, followed: 1, targets: 2))
    }

    @Test func groupToldToSomebodyOutside_isFound() {
        var rule = Self.together()
        Self.hear(&rule, 2, Self.group())
        #expect(rule.broken.rules["group_told_outside"]?.count == 1)
        rule.asksToLeave(1)
        rule.left(1, at: Self.start)
        Self.hear(&rule, 1, Self.group())
        #expect(rule.broken.rules["group_told_outside"]?.count == 2)
        // A walker who had no connection hears of it later.
        Self.hear(&rule, 1, Self.group(), slack: .seconds(10))
        rule.leaked("bystander 7", "g")
        #expect(rule.broken.rules["group_told_outside"]?.count == 3)
    }

    @Test func targetThatTheGuideHasNotSet_isFound() {
        var rule = Self.together()
        Self.lead(&rule, to: "a")
        Self.hear(&rule, 1, Self.group(target: "b"))
        #expect(rule.broken.rules["group_target_wrong"]?.count == 1)
        // A target that another one has replaced long ago.
        Self.hear(&rule, 1, Self.group(target: ""))
        #expect(rule.broken.rules["group_target_wrong"]?.count == 2)
    }

    @Test func targetThatAMemberIsNotTold_isFound() {
        var rule = Self.together()
        Self.lead(&rule, to: "a")
        rule.expectTarget(1, since: Self.start, at: Self.start + .seconds(5))
        rule.expectTarget(1, since: Self.late, at: Self.late + .seconds(5))
        #expect(rule.broken.count == 0)
        rule.expectTarget(1, since: Self.start, at: Self.late)
        #expect(rule.broken.rules["group_target_missed"]?.count == 1)
    }

    @Test func strangersAndCodes_areFound() {
        var rule = Self.together()
        Self.hear(&rule, 1, Self.group(members: ["w0", "w1", "w2"]))
        #expect(rule.broken.rules["group_stranger"]?.count == 2)
        Self.hear(&rule, 1, Self.group(code: "ABCDEFGH"))
        #expect(rule.broken.rules["group_code_told"]?.count == 1)
        Self.hear(&rule, 1, Self.group(reached: 4))
        #expect(rule.broken.rules["group_step_wrong"]?.count == 2)
    }

    @Test func anotherGroupThanTheOneOfTheCode_isFound() {
        var rule = Self.together()
        rule.asksToFollow(2, "g")
        rule.followed(2, "g", Self.group("h"))
        #expect(rule.broken.rules["group_of_another"]?.count == 1)
    }

    @Test func endThatNobodyAskedFor_isFound() {
        var rule = Self.together()
        #expect(!rule.mayRefuse("g", "not_found"))
        rule.ended(1, "g", at: Self.late)
        #expect(rule.broken.rules["group_ended_unasked"]?.count == 1)
        rule = Self.together()
        rule.asksToLeave(0)
        #expect(rule.mayRefuse("g", "not_found") && !rule.mayRefuse("g", "forbidden") && rule.joinable(on: 3) == nil)
        rule.ended(1, "g", at: Self.late)
        #expect(rule.broken.count == 0 && rule.group(of: 1) == nil)
        rule.refused(0, "forbidden")
        #expect(rule.broken.rules["group_refused"]?.count == 1)
    }
}
