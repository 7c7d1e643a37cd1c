import CairnWire
import Testing

@testable import CairnServer

/// Fillers of Hangul, alone and in a name that would look like another; an empty pattern of Braille; tags.
private let unseen = [
    "\u{3164}", "\u{115F}\u{1160}", "Art\u{3164}", "\u{2800}", "Art\u{2800}Museum", "Art\u{E0020}",
]

/// Which names an organisation may have (ORG-1).
@Suite("Organisation names")
struct OrganisationNameTests {
    @Test(arguments: ["", "   ", "\u{200D}"]) func nameWithoutALetter_isRefused(name: String) {
        #expect(throws: Refusal.self) { try OrganisationName(new: name) }
    }

    @Test(arguments: [String(repeating: "x", count: 101), "a\u{202E}b", "a\u{0}b", "\u{E000}x", "---"] + unseen)
    func nameThatIsNotShownAsItIs_isRefused(name: String) {
        let refused = #expect(throws: Refusal.self) { try OrganisationName(new: name) }
        #expect(refused?.code == .invalidField)
    }

    @Test(arguments: ["Café \u{00C9}toile & Co. (2026)", "संग्रहालय", "博物馆", String(repeating: "x", count: 100)])
    func nameInAnyScript_isTaken(name: String) throws {
        #expect(try OrganisationName(new: name).text == name)
    }

    @Test func whatIsDrawnAsNothing_makesNoOtherName() {
        #expect(OrganisationName("Art\u{3164}").skeletons == OrganisationName("Art").skeletons)
    }
}
