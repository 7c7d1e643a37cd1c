import CairnCore
import CairnTesting
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("The audit log: which entries")
struct AuditChoiceTests {
    private let identifiers = IdentifierIssuer()

    private func choice(_ text: String) throws -> AuditChoice {
        try AuditChoice(StatsArguments(text[...]), identifiers)
    }

    @Test func choice_understandsFilters() throws {
        let some = try choice("ada what=kick,role by=console from=2026-03-01 to=1795253362116 top=7")
        #expect(some.about == "ada" && some.top == 7 && some.filter.author == ["console"])
        #expect(some.filter.actions == [.kick, .role])
        #expect(some.filter.from == 1_772_323_200_000 && some.filter.to == 1_795_253_362_116)
        #expect(try choice("what=-look_up").filter.actions?.contains(.lookUp) == false)
        #expect(try choice("").filter.actions == nil)
    }

    @Test(arguments: ["a b", "what=peek", "from=yesterday", "to=-1", "top=0", "top=1001", "before=x"])
    func choice_refusesWhatItDoesNotUnderstand(_ text: String) {
        #expect(throws: StatsRefusal.self) { try choice(text) }
    }
}
