import CairnFeatures
import CairnWire
import Testing

extension RefusalTests {
    /// Those of section 40 of the requirements.
    @Test func codesOfReactions_areThoseOfTheRequirements() {
        let required = [
            "unknown_reaction"
        ]
        #expect(Reactions.refusals.map(\.rawValue).sorted() == required.sorted())
    }
}
