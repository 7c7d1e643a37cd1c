import CairnFeatures
import CairnWire
import Testing

extension RefusalTests {
    /// Those of section 40 of the requirements, and those that PLC-16 names.
    @Test func codesOfPlacements_areThoseOfTheRequirements() {
        let required = [
            "object_not_owned", "bad_pose", "too_far", "quota_area", "restricted_area", "data_too_large",
        ]
        #expect(Placements.refusals.map(\.rawValue).sorted() == required.sorted())
    }
}
