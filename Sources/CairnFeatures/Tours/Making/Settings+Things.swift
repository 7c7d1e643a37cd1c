internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Rules that tours share with placed instances.
extension Settings {
    /// Whether stops may show this object. Objects are presets until there are inventories.
    func hasObject(_ name: String) -> Bool { placements.presets.contains(name) }

    /// The first place of a line that is in a restricted area, or at which the way to it touches one; nil = none
    /// (TRM-3, NAV-4).
    /// - Throws: when `tests` is used up.
    func firstRestricted(of path: [Coordinate], _ tests: inout EdgeTests) throws(EdgeTests.UsedUp) -> Int? {
        try placements.restrictedAreas.firstCrossing(of: path, &tests)
    }

    /// Checks a pose as that of a placement is (PLC-4).
    /// - Throws: `bad_pose`, `invalid_field`.
    func place(of pose: WirePose) throws(Refusal) -> Coordinate {
        do throws(Refusal) {
            let placed = try PlacedPose(pose)
            try placed.check(placements)
            return placed.coordinate
        } catch {
            var refusal = error
            refusal.component = Tours.name
            throw refusal
        }
    }
}
