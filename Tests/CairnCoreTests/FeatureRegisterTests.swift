import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Routing is a table, and a double claim traps at start (design.md section 6).
@Suite("FeatureRegister")
struct FeatureRegisterTests {
    @Test func command_isFoundByItsField() {
        #expect(FeatureRegister.things.command(field: 900) == SetThing.self)
        #expect(FeatureRegister.things.command(field: 999) == nil)
    }

    @Test func changesAndQuestions_areDistinguished() {
        #expect(Request.thing(.setKind).isChange)
        #expect(!Request.thing(.lookKind).isChange)
    }

    @Test func unknownKind_isRefused() {
        let refusal = #expect(throws: Refusal.self) { try FeatureRegister.things.command(field: 999, payload: []) }
        #expect(refusal?.code == .unknownType)
    }

    @Test func bodyOfAnotherMessage_isRefused() {
        let refusal = #expect(throws: Refusal.self) {
            try FeatureRegister.things.command(field: 900, payload: [0xFF, 0xFF, 0xFF])
        }
        #expect(refusal?.code == .badMessage)
    }

    @Test func body_isDecodedIntoItsCommand() throws {
        let request = Request.thing(.dropKind, 7)
        #expect((request.command as? DropThing)?.number == 7)
    }

    @Test func twoFeaturesClaimingOneKind_trap() async {
        await #expect(processExitsWith: .failure) {
            _ = FeatureRegister([Things.self, AlsoThings.self])
        }
    }

    @Test func oneFeatureClaimingAKindTwice_traps() async {
        await #expect(processExitsWith: .failure) {
            _ = FeatureRegister([TwiceTheSame.self])
        }
    }

    @Test func kindsWithOneFieldAreOne_whateverTheirNames() {
        #expect(MessageKind(field: 900, name: "another") == .setKind)
    }
}

private enum AlsoThings: Feature {
    static let name = "also-things"
    static let commands: [any Command.Type] = [SetThingToo.self]
    static let migrations: [Migration] = []
}

private struct SetThingToo: ThingCommand, Change {
    static let kind = MessageKind(field: 900, name: "mine")
    let body: WireCursor

    init(_ body: WireCursor) { self.body = body }

    func decide(_ request: Request, in turn: inout Turn) -> [Effect] { [] }
}

private enum TwiceTheSame: Feature {
    static let name = "twice"
    static let commands: [any Command.Type] = [SetThing.self, SetThing.self]
    static let migrations: [Migration] = []
}
