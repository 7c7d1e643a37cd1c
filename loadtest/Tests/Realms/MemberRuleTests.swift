import CairnTime
import Testing

@testable import CairnCrowd

/// The rule on lists of members detects a list that does not follow from the acknowledgements (SUB-11).
@Suite struct MemberRuleTests: DoctoredLogs {
    private func change(_ bot: Int, gains: Bool, _ asked: Int, _ answered: Int?) -> Observation {
        let progress = answered.map { RightChange.Progress.acknowledged(at: second($0)) } ?? .underWay
        return .did(
            bot: bot,
            RealmDeed(rightChanges: [
                RightChange(
                    realm: "garden", people: [bot], isGain: gains, requestedAt: second(asked), progress: progress)
            ]))
    }

    private func listed(by bot: Int, _ subject: RealmListing.Subject, at: Int) -> Observation {
        let listing = RealmListing(subject: subject, requestedAt: second(at), acknowledgedAt: second(at + 1))
        return .did(bot: bot, RealmDeed(listing: listing))
    }

    private func members(_ bots: Int..., at: Int) -> Observation {
        listed(by: 0, .members(of: "garden", Set(bots)), at: at)
    }

    private func own(_ realms: String..., at: Int) -> Observation { listed(by: 1, .own(Set(realms)), at: at) }

    @Test func listOfTheAcknowledgedMembers_breaksNoRule() {
        let log = [change(0, gains: true, 1, 2), change(1, gains: true, 3, 4)]
        #expect(judge(log + [members(0, 1, at: 5), own("garden", at: 5)], []).isEmpty)
    }

    @Test func memberWhoIsNotListed_orListedAndNone_isCaught() {
        let log = [change(0, gains: true, 1, 2), change(1, gains: true, 3, 4)]
        #expect(judge(log + [members(0, at: 5)], []) == ["members_differ": 1])
        #expect(judge(log + [own(at: 5)], []) == ["members_differ": 1])
        #expect(judge(log + [members(0, 1, 2, at: 5)], []) == ["members_differ": 1])
        let left = log + [change(1, gains: false, 5, 6)]
        #expect(judge(left + [members(0, 1, at: 7)], []) == ["members_differ": 1])
        #expect(judge(left + [own("garden", at: 7)], []) == ["members_differ": 1])
    }

    @Test func changeUnderWay_mayBeInTheListOrNot() {
        let log = [change(0, gains: true, 1, 2), change(1, gains: true, 3, nil)]
        #expect(judge(log + [members(0, 1, at: 5), members(0, at: 5), own(at: 5), own("garden", at: 5)], []).isEmpty)
    }
}
