import CairnFeatures
import CairnWire
import Testing

extension RefusalTests {
    /// Those of section 40 of the requirements.
    @Test func codesOfPosts_areThoseOfTheRequirements() {
        let required = [
            "own_post", "post_expired", "edit_window_closed",
        ]
        #expect(Posts.refusals.map(\.rawValue).sorted() == required.sorted())
    }
}
