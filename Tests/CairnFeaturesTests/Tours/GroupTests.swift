import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// What groups tell by messages and hold on disk (TRM-11). The rest is in test_groups.py.
@Suite("Tours: groups")
struct GroupTests {
    private static let register = Features.register
    private static let (ada, bob) = (AccountID(rawValue: 7), AccountID(rawValue: 9))

    @Test func step_isTheSame_onAnotherNode() throws {
        let place = try #require(Coordinate(latitude: 45.5, longitude: -73.5))
        let step = GroupStep(Self.ada, GroupMotion.Seen(reached: 3, place: place, absent: [Self.bob]))
        let read = try GroupStep(payload: step.payload, register: Self.register)
        #expect(read.account == Self.ada && read.seen.reached == 3)
        #expect(read.seen.place == place && read.seen.absent == [Self.bob])
    }

    @Test func stepWithoutConsent_hasNoPlace() throws {
        let step = GroupStep(Self.ada, GroupMotion.Seen(reached: 1))
        #expect(try GroupStep(payload: step.payload, register: Self.register).seen.place == nil)
    }

    @Test func damagedMessages_areFaults() {
        #expect(throws: ColumnFault.self) { try GroupStep(payload: [0xFF], register: Self.register) }
        #expect(throws: ColumnFault.self) { try GroupNews(payload: [0xFF], register: Self.register) }
        #expect(throws: ColumnFault.self) { try GroupLeft(payload: [0xFF], register: Self.register) }
        #expect(throws: ColumnFault.self) { try GroupOver(payload: [0xFF], register: Self.register) }
    }

    @Test func absenceOfEither_isAbsenceForBoth() {
        var motion = GroupMotion(at: .epoch)
        #expect(!motion.areAbsent(Self.ada, Self.bob))
        motion.seen[Self.ada] = GroupMotion.Seen(absent: [Self.bob])
        #expect(motion.areAbsent(Self.ada, Self.bob) && motion.areAbsent(Self.bob, Self.ada))
        motion.seen[Self.ada] = GroupMotion.Seen()
        var relation = Relation(Self.ada, Self.bob)
        relation.block(by: Self.bob, at: 1)
        motion.relations = [relation]
        #expect(motion.areAbsent(Self.ada, Self.bob) && motion.areAbsent(Self.bob, Self.ada))
    }

    @Test func rows_areReadAsTheyWereWritten() throws {
        var group = GroupFacts(
            id: SpaceID(rawValue: 5), tour: TourID(rawValue: 6), guide: Self.ada, opened: .epoch + .seconds(1),
            active: .epoch + .seconds(2))
        group.target = "9a2b3c4d5e6f7"
        #expect(try GroupFacts(stored: Row(group.insertion.arguments)) == group)
        for run in [SpaceID(rawValue: 8), nil] {
            let member = GroupMember(
                account: Self.bob, group: group.id, run: run, since: .epoch + .seconds(3), sharesPlace: true)
            #expect(try GroupMember(stored: Row(member.insertion.arguments)) == member)
        }
    }
}
