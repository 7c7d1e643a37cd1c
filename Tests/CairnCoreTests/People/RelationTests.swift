import CairnCore
import CairnTesting
import CairnWire
import Testing

/// What two people are to each other is one value, the same from both sides (FRD-2 to FRD-7).
@Suite("Relations of two people")
struct RelationTests {
    private let ada = AccountID(rawValue: 7)
    private let bob = AccountID(rawValue: 3)
    private let now = WallTime(milliseconds: 1_795_000_000_000)

    @Test func aPair_hasOneHome_whoeverAsks() {
        #expect(Relation(ada, bob) == Relation(bob, ada))
        #expect(Relation.home(of: ada, bob) == .account(bob))
        #expect(Relation.query(ada, bob) == Relation.query(bob, ada))
        #expect(Relation(ada, bob).other(than: bob) == ada)
    }

    /// A person may have thousands of rows.
    @Test func whatIsKnownToBeAboutFewPeople_readsNoOtherRows() {
        let few = Relation.query(of: ada, among: [bob, ada])
        #expect(few == Relation.query(pairs: [(one: ada, other: bob)]))
        let many = (1...257).map { AccountID(rawValue: $0) }
        #expect(Relation.query(of: ada, among: many) == Relation.query(of: ada))
    }

    @Test func aBlock_endsFriendship_requestAndInvitations_untilLongAfter() {
        var relation = Relation(ada, bob)
        relation.befriend(at: now)
        relation.request = Relation.Request(by: bob, at: now)
        relation.block(by: bob, at: now + .seconds(1))
        #expect(!relation.areFriends && relation.request == nil && relation.isBlocked)
        #expect(relation.blocked(by: ada) == nil)
        relation.block(by: ada, at: now + .seconds(2))
        relation.unblock(by: bob)
        #expect(relation.isBlocked)
        relation.unblock(by: ada)
        #expect(!relation.isBlocked && !relation.isNothing)
        #expect(!relation.admitsInvitation(of: now) && !relation.admitsInvitation(of: now + .seconds(2)))
        #expect(relation.admitsInvitation(of: now + .seconds(3)))
    }

    @Test func nameOfTheBlocked_isTheOneOfThen_untilTheBlockEnds() {
        var relation = Relation(ada, bob)
        relation.block(by: ada, at: now, seeing: "Bob")
        #expect(relation.nameSeen(by: ada) == "Bob" && relation.nameSeen(by: bob) == nil)
        #expect(relation.mayBeBlocked(by: ada) && !relation.mayBeBlocked(by: bob))
        relation.unblock(by: ada)
        #expect(relation.nameSeen(by: ada) == nil && relation.mayBeBlocked(by: bob))
    }

    @Test func aPairThatIsNothing_hasNoRow() {
        var relation = Relation(ada, bob)
        #expect(relation.isNothing && relation.saving.sql.text.hasPrefix("DELETE"))
        relation.befriend(at: now)
        #expect(!relation.isNothing && relation.saving.sql.text.hasPrefix("INSERT"))
    }
}
