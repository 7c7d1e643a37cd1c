import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Routing is a table, and a double claim traps at start (design.md section 6).
@Suite("FeatureRegister")
struct FeatureRegisterTests {
    @Test func kind_isFoundByItsField() {
        #expect(FeatureRegister.things.kind(field: 900) == .setKind)
        #expect(FeatureRegister.things.kind(field: 999) == nil)
    }

    @Test func changesAndQuestions_areToldApart() {
        #expect(FeatureRegister.things.isChange(.setKind))
        #expect(!FeatureRegister.things.isChange(.lookKind))
        #expect(!FeatureRegister.things.isChange(MessageKind(field: 999, name: "unheard-of")))
    }

    @Test func unknownKind_hasNoHome() throws {
        let request = Request.thing(MessageKind(field: 999, name: "unheard-of"))
        #expect(throws: Refusal.self) { try FeatureRegister.things.home(for: request, rules: .make()) }
    }

    @Test func twoFeaturesClaimingOneKind_trap() async {
        await #expect(processExitsWith: .failure) {
            _ = FeatureRegister([Things.self, AlsoThings.self], allowances: [])
        }
    }

    @Test func oneFeatureClaimingAKindTwice_traps() async {
        await #expect(processExitsWith: .failure) {
            _ = FeatureRegister([TwiceTheSame.self], allowances: [])
        }
    }

    @Test func twoFeaturesHearingOneMessage_trap() async {
        await #expect(processExitsWith: .failure) {
            _ = FeatureRegister([Things.self, Eavesdropper.self], allowances: [])
        }
    }

    @Test func kindsWithOneFieldAreOne_whateverTheirNames() {
        #expect(MessageKind(field: 900, name: "another") == .setKind)
    }
}

/// A feature that does nothing but claim.
private protocol Idle: Feature {
    init()
}

extension Idle {
    static var name: String { "idle" }
    static var changes: [MessageKind] { [] }
    static var migrations: [Migration] { [] }
    var rules: Rules {
        get { .make() }
        set {}
    }
    init(rules: Rules) { self.init() }
    static func home(for request: Request, rules: Rules) -> HomeAddress { .account(.make()) }
    mutating func receive(_ request: Request, in turn: inout Turn) -> [Effect] { [] }
}

private struct AlsoThings: Idle {
    static var changes: [MessageKind] { [MessageKind(field: 900, name: "mine")] }
}

private struct TwiceTheSame: Idle {
    static var changes: [MessageKind] { [.setKind] }
    static var questions: [MessageKind] { [.setKind] }
}

private struct Eavesdropper: Idle {
    static var hears: [any HomeMessage.Type] { [ThingPushed.self] }
}
