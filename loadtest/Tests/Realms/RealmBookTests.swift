import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

/// What a crowd knows of its sub-realms follows the answers.
@Suite struct RealmBookTests {
    private let book = RealmBook()

    private func acknowledge(
        _ action: RealmMatter.Action, _ person: Int, by bot: Int, _ standing: String = "member", approval: Bool = false
    ) {
        let matter = RealmMatter(action: action, realm: action == .found ? "" : "garden", person: person)
        book.begin(matter)
        book.acknowledged(matter, .garden(standing, approval: approval), by: bot, at: .epoch + .seconds(1))
    }

    @Test func people_comeAndGo() throws {
        acknowledge(.found, 0, by: 0, "owner")
        acknowledge(.invite, 1, by: 0)
        #expect(book.entries.first?.invited == [1])
        acknowledge(.accept, 1, by: 1, "pending")
        #expect(book.entries.first?.pending == [1] && book.own(1).isEmpty)
        acknowledge(.approve, 1, by: 0)
        #expect(book.own(1).map(\.id) == ["garden"] && book.entries.first?.isStranger(2) == true)
        acknowledge(.leave, 0, by: 0)
        #expect(try #require(book.entries.first).owner == nil && book.lostAt[0] != nil)
        book.learn(1, of: "garden")
        acknowledge(.leave, 1, by: 1)
        #expect(book.count == 0)
    }

    /// The answer tells of the adder's standing, and not of the person's (SUB-4).
    @Test func personWhomAMemberAdds_waits_andWhomTheOwnerAdds_isIn() {
        acknowledge(.found, 0, by: 0, "owner")
        acknowledge(.add, 1, by: 0, "owner", approval: true)
        #expect(book.entries.first?.members == [0, 1])
        acknowledge(.add, 2, by: 1, "member", approval: true)
        #expect(book.entries.first?.pending == [2] && book.own(2).isEmpty)
        acknowledge(.approve, 2, by: 0)
        #expect(book.entries.first?.pending == [] && book.own(2).map(\.id) == ["garden"])
        acknowledge(.add, 3, by: 1, "member")
        #expect(book.entries.first?.members == [0, 1, 2, 3])
    }

    @Test func personWithAChangeUnderWay_isBusy_untilItIsAnswered() {
        acknowledge(.found, 0, by: 0, "owner")
        let matter = RealmMatter(action: .join, realm: "garden", person: 1)
        book.begin(matter)
        #expect(book.entries.first?.busy == [1] && book.entries.first?.isStranger(1) == false)
        book.refused(matter, .tooManyMembers)
        #expect(book.entries.first?.isStranger(1) == true)
    }

    @Test func lastMember_endsIt_soNobodyBeginsAnythingMore() {
        acknowledge(.found, 0, by: 0, "owner")
        book.begin(RealmMatter(action: .leave, realm: "garden", person: 0))
        #expect(book.own(0).isEmpty && book.count == 1)
    }

    @Test func ownerWhoIsRefused_isNone() {
        acknowledge(.found, 0, by: 0, "owner")
        let matter = RealmMatter(action: .expel, realm: "garden", person: 1)
        book.begin(matter)
        book.refused(matter, .forbidden)
        #expect(book.entries.first?.owner == nil)
    }
}

extension WireReply.OneOf_Result {
    /// The sub-realm "garden" as an answer shows it to the person who has asked.
    static func garden(_ standing: String, approval: Bool = false) -> Self {
        var realm = WireRealm()
        realm.id = "garden"
        realm.standing = standing
        realm.approval = approval
        return .realm(realm)
    }
}
