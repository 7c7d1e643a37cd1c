import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// An instance of a scope is in that scope's topics and in no other (invariant 7).
@Suite("HomeCore: scopes")
struct ScopeTests {
    private static func make(_ disk: HomeBench.Disk = .now) -> HomeBench { .make(disk: disk, register: .things) }

    private static func told(_ home: HomeBench, in scope: Scope) -> [String] {
        home.core.topic(scope)?.snapshot(pageSize: .max).flatMap(\.snapshot.instances).map(\.id).sorted() ?? []
    }

    private static func name(_ number: UInt64) -> String { InstanceID.make(number).description }

    @Test func everyonesTopic_holdsNothingThatIsForAGroup() {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        home.push(.thing(.setKind, 101, id: 2))
        home.commit()
        #expect(home.instances.map(\.id) == [Self.name(1)])
        #expect(home.events.map(\.topic) == [Ground.here.cell.token])
    }

    @Test func topicOfAScope_holdsWhatIsKeptWhenItIsOpened() {
        var home = Self.make()
        for (id, number) in [(1, 1), (2, 101), (3, 201)] { home.push(.thing(.setKind, UInt8(number), id: UInt32(id))) }
        home.commit()
        home.open(.group(1))
        home.open(.group(2))
        home.open(.group(3))
        #expect(Self.told(home, in: .group(1)) == [Self.name(101), Self.name(201)])
        #expect(Self.told(home, in: .group(2)) == [Self.name(201)])
        #expect(Self.told(home, in: .group(3)).isEmpty)
    }

    @Test func topicOpenedWhileAChangeWaitsForTheDisk_publishesItOnceItIsOnDisk() {
        var home = Self.make(.later)
        home.push(.thing(.setKind, 101, id: 1))
        home.commit()
        home.push(.thing(.setKind, 102, id: 2))
        home.push(.thing(.dropKind, 101, id: 3))
        home.open(.group(1))
        #expect(Self.told(home, in: .group(1)) == [Self.name(101)])
        home.commit()
        #expect(Self.told(home, in: .group(1)) == [Self.name(102)])
    }

    @Test func thingInTwoScopes_isPublishedInBothTopicsWithOneVersion() {
        var home = Self.make()
        home.open(.group(1))
        home.open(.group(2))
        home.push(.thing(.setKind, 201, id: 1))
        home.commit()
        let topics = home.events.map(\.topic).sorted()
        #expect(topics == [1, 2].map { Topic(.cell(Ground.here.cell), .group($0)).name })
        #expect(Set(home.events.map(\.changed.version)) == [1])
    }

    @Test func wakingUp_putsWhatIsForAGroupIntoNoOtherTopic() {
        var home = Self.make()
        home.restore([[[Row([.integer(1), .integer(4)]), Row([.integer(101), .integer(5)])]]])
        home.open(.group(1))
        #expect(home.instances.map(\.id) == [Self.name(1)])
        #expect(Self.told(home, in: .group(1)) == [Self.name(101)])
    }
}
