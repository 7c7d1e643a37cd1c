import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

@Suite("Rights of a person")
struct RightsTests {
    private let one = Scope.members(of: .realm(RealmID(rawValue: 1)))
    private let two = Scope.members(of: .space(SpaceID(rawValue: 1)))
    private var rights = Rights()

    @Test mutating func whatIsStored_isReadOnce() {
        let reads = [rights.beginReading(), rights.beginReading()]
        #expect(reads == [true, false])
        rights.add(stored: [one])
        #expect(rights.scopes == [one])
        let readsAgain = rights.beginReading()
        rights.add(stored: [two])
        #expect(!readsAgain && rights.scopes == [one])
    }

    @Test mutating func rightThatEndsWhileItIsRead_doesNotComeBack() {
        _ = rights.beginReading()
        rights.end(one)
        rights.add(stored: [one, two])
        #expect(rights.scopes == [two])
    }

    @Test mutating func rightThatEndsAndComesBackWhileItIsRead_holds() {
        _ = rights.beginReading()
        rights.end(one)
        rights.grant(one)
        rights.add(stored: [])
        #expect(rights.scopes == [one])
    }

    @Test mutating func rightThatIsGrantedTwice_endsOnce() {
        rights.grant(one)
        rights.grant(one)
        rights.end(one)
        #expect(rights.scopes.isEmpty)
    }

    @Test func scopeOfMembers_namesItsHome_andNoOtherScopeDoes() {
        for home in [HomeAddress.realm(RealmID(rawValue: 7)), .space(SpaceID(rawValue: 7)), .cell(Ground.here.cell)] {
            let scope = Scope.members(of: home)
            #expect(scope.home == home)
            #expect(Scope(name: scope.name) == scope)
        }
        #expect(Scope.everyone.home == nil && Scope.owner(.make(1)).home == nil)
    }

    @Test func kindsOfHomes_haveLettersOfTheirOwn() {
        let letters = HomeKind.allCases.map(\.letter)
        #expect(Set(letters).count == letters.count)
        // `Scope.owner` has that letter.
        #expect(!letters.contains(UInt8(ascii: "o")))
    }
}
