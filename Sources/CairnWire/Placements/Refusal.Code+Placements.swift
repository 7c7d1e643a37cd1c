extension Refusal.Code {
    // MARK: Placement

    /// The object is not in the user's inventory (PLC-2).
    public static let objectNotOwned = Self(
        "object_not_owned", "This object is not in your inventory.",
        remedy: "Add it to the inventory first.")

    /// A number of the pose is not possible: not finite, no orientation, scale out of range (PLC-4).
    public static let badPose = Self(
        "bad_pose", "The pose is not possible.",
        remedy: "Correct the pose; `details` names the part.")

    /// Further from the user's last position than reach allows (PLC-4, NBK-17).
    public static let tooFar = Self(
        "too_far", "This is too far away.",
        remedy: "Go closer, or send a newer position.")

    /// The user has 20 live instances in this cell (PLC-5).
    public static let quotaArea = Self(
        "quota_area", "You have placed as much as you may in this area.",
        remedy: "Remove one of your own here first; `details` names limit and count.")

    /// The place or the way lies in a restricted area (PLC-15, NAV-4, TRM-3).
    public static let restrictedArea = Self(
        "restricted_area", "This area is restricted.",
        remedy: "Choose another place.")

    /// More of the app's own data than an instance holds (PLC-16).
    public static let dataTooLarge = Self(
        "data_too_large", "There is too much data on this.",
        remedy: "Send less; `details` names limit and count.")
}
