import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

@Suite struct GatheringTests {
    @Test func circles_hasPeopleWhoComeAndGoAndShare_overLinksThatBreak() throws {
        let circles = try Scenario.find("circles").plan
        #expect(circles.realms > 0 && circles.realmEvery > 0 && circles.selectEvery > 0 && circles.friendEvery > 0)
        #expect(circles.scopedShare > 0 && circles.scopedShare < 1 && circles.cutEvery > 0)
    }

    @Test func planWithoutSubRealms_hasNoneOfTheirActions() {
        var plan = CrowdPlan()
        plan.realmEvery = 1
        plan.selectEvery = 1
        #expect(Gathering.activities.allSatisfy { $0.pace(plan) == .never } && Gathering.settings(plan).isEmpty)
        plan.realms = 1
        #expect(Gathering.activities.allSatisfy { $0.pace(plan) == .every(1) })
    }

    /// Otherwise all that follows in a run of the same seed would differ.
    @Test func botThatSharesWithNobody_drawsNothingForIt() {
        let bot = Bot.make()
        var random = SeededGenerator(seed: 5)
        var same = random
        #expect(bot.realmsToShareIn(using: &random).isEmpty && random.next() == same.next())
    }

    @Test func founding_isARightUnderWay_untilItIsAnswered() throws {
        let bot = Bot.make { $0.realms = 1 }
        bot.company.meet(0, account: "account-0")
        var deeds: [any Deed] = []
        for _ in 0..<20 where deeds.isEmpty { deeds = bot.gather(due: .epoch, now: .epoch + .seconds(1)) }
        let change = try #require(deeds.first?.rightChanges.first)
        #expect(change.realm.isEmpty && change.people == [0] && change.isGain)
        #expect(bot.realmBook.count == 1)
    }

    /// What the answer to a request of a bot means for rights; nil = nothing has changed.
    private func gain(_ action: RealmMatter.Action, _ result: WireReply.OneOf_Result) throws -> RightChange? {
        let matter = RealmMatter(action: action, realm: "garden", person: 1)
        let errand = Bot.Errand(kind: Bot.Errand.Kind(action.rawValue), due: .epoch, at: .epoch, matter: matter)
        let exchange = try #require(Gathering.exchanges.first { $0.name == action.rawValue })
        let deed = try #require(exchange.acknowledged(Bot.make(), errand, result, .epoch + .seconds(1)))
        let change = try #require(deed.rightChanges.first)
        let isTold = Gathering.broadcast(of: result, to: errand) != nil
        guard case .acknowledged = change.progress else {
            #expect(!isTold, "members are told of somebody who waits")
            return nil
        }
        #expect(isTold)
        return change
    }

    /// Whom a member adds has no right before the owner's approval (SUB-4).
    @Test func rightOfTheAdded_beginsWithTheApproval() throws {
        #expect(try gain(.add, .garden("member", approval: true)) == nil)
        #expect(try gain(.join, .garden("pending")) == nil)
        let approved = try #require(try gain(.approve, .done(WireDone())))
        #expect(approved.people == [1] && approved.isGain)
        #expect(try gain(.add, .garden("owner", approval: true))?.people == [1])
        #expect(try gain(.add, .garden("member"))?.people == [1])
    }
}
