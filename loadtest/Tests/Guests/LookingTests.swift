import CairnClient
import CairnGeo
import CairnWire
import Testing

@testable import CairnCrowd

/// Guests in a crowd, and the rule that judges what they are told (SES-14).
@Suite("Looking") struct LookingTests {
    private let here = "487604c43"
    private var guests: String { "\(here)/\(TopicName.guests)" }

    private func verdict(_ held: [WireInstance], _ everyones: [WireInstance], isOfGuest: Bool = true) -> Broken {
        Oracle().judge([
            FinalTopic(bot: 0, replica: .make(here, sequence: 3, everyones)),
            FinalTopic(bot: 1, replica: .make(guests, sequence: 9, held), isOfGuest: isOfGuest),
        ])
    }

    @Test func onlookers_hasGuestsAndPeopleWhoAct() throws {
        let plan = try Scenario.find("onlookers").plan
        let count = (0..<plan.people).count(where: plan.isGuest)
        #expect(count > 50 && count < plan.people / 2 && plan.lookEvery > 0 && plan.cutEvery > 0)
        #expect((0..<plan.people).allSatisfy { !plan.isGuest($0) || !plan.acts($0) && !plan.shares($0) })
        #expect((0..<plan.people).allSatisfy { !plan.isGuest($0) || !plan.judgesPoses($0) })
    }

    @Test func guestWhoHoldsWhatIsEveryones_breaksNoRule() {
        #expect(verdict([.make(1), .make(2)], [.make(1), .make(2)]).rules["guest_misses"] == nil)
        let broken = verdict([.make(1)], [.make(1)]).rules.keys
        #expect(broken.allSatisfy { !$0.hasPrefix("guest") && $0 != "scope_leaked" })
    }

    @Test func guestWhoHoldsLessOrMore_isNoticed() {
        #expect(verdict([.make(1)], [.make(1), .make(2)]).rules["guest_misses"]?.count == 1)
        #expect(verdict([.make(1), .make(2)], [.make(1)]).rules["guest_holds"]?.count == 1)
        #expect(verdict([.make(1, version: 2)], [.make(1)]).rules["guest_differs"]?.count == 1)
    }

    @Test func topicOfGuests_isForGuestsAlone() {
        #expect(verdict([.make(1)], [.make(1)], isOfGuest: false).rules["scope_leaked"] != nil)
    }

    @Test func nameInAnAnswer_isNoticed() {
        var (rule, broken, selected) = (GuestRule(), Broken(), WireSelected())
        rule.take(GuestDeed.looked(selected), of: 1, &broken)
        #expect(broken.count == 0)
        selected.placerName = "ada"
        rule.take(GuestDeed.looked(selected), of: 1, &broken)
        #expect(broken.rules["guest_told_too_much"]?.count == 1)
    }
}
