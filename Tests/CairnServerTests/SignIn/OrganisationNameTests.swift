import CairnWire
import Testing

@testable import CairnServer

/// Which names an organisation may have (ORG-1).
@Suite("Organisation names")
struct OrganisationNameTests {
    @Test(arguments: ["", "   ", "\u{200D}"]) func nameWithoutALetter_isRefused(name: String) {
        #expect(throws: Refusal.self) { try OrganisationName(new: name) }
    }

    @Test(arguments: [String(repeating: "x", count: 101), "a\u{202E}b", "a\u{0}b", "\u{E000}x", "---"])
    func nameThatIsNotShownAsItIs_isRefused(name: String) {
        let refused = #expect(throws: Refusal.self) { try OrganisationName(new: name) }
        #expect(refused?.code == .invalidField)
    }

    @Test(arguments: ["Café \u{00C9}toile & Co. (2026)", "संग्रहालय", "博物馆", String(repeating: "x", count: 100)])
    func nameInAnyScript_isTaken(name: String) throws {
        #expect(try OrganisationName(new: name).text == name)
    }
}
