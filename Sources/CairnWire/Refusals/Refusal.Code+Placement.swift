extension Refusal.Code {
    // MARK: Objects

    /// Not 1 to 64 printable ASCII characters (OBJ-2).
    public static let invalidName = Self(
        "invalid_name", "This name is not allowed.",
        remedy: "Use 1 to 64 printable ASCII characters.")

    /// Presets cannot be deleted (OBJ-3).
    public static let presetObject = Self(
        "preset_object", "Presets cannot be deleted.",
        remedy: "Nothing to do.")

    /// There are 100 personal objects in the inventory (OBJ-4).
    public static let inventoryFull = Self(
        "inventory_full", "Your inventory is full.",
        remedy: "Delete an object first; `details` names the limit.")

    /// The object is in the inventory (OBJ-6).
    public static let alreadyInInventory = Self(
        "already_in_inventory", "You have this object already.",
        remedy: "Nothing to do.")

    /// Length or digest of an asset are not what was announced (OBJ-12).
    public static let assetCorrupt = Self(
        "asset_corrupt", "The file was damaged on its way.",
        remedy: "Send it again from the start.")

    /// Neither 2D nor 3D was chosen (SCN-1, GEN-1).
    public static let kindRequired = Self(
        "kind_required", "Choose 2D or 3D.",
        remedy: "Send the choice.")

    /// The scan was not finished within 120 s; its draft is gone (SCN-1).
    public static let scanTooLong = Self(
        "scan_too_long", "The scan took too long.",
        remedy: "Start a new scan.")

    /// A prompt without content (GEN-1).
    public static let promptEmpty = Self(
        "prompt_empty", "Write what you want.",
        remedy: "Write 1 to 200 characters.")

    /// A prompt of more than 200 characters (GEN-1).
    public static let promptTooLong = Self(
        "prompt_too_long", "The description is too long.",
        remedy: "Shorten it; `details` names limit and length.")

    /// The prompt has words that are not allowed (GEN-2).
    public static let promptProfane = Self(
        "prompt_profane", "Please put it differently.",
        remedy: "Write another prompt.")

    /// The options were not ready in 30 s; nothing is kept (GEN-3).
    public static let generationTimeout = Self(
        "generation_timeout", "Making it took too long.",
        remedy: "Try again.", retryAfter: .seconds(1))

    /// The generated options are gone after 10 minutes (GEN-4).
    public static let optionExpired = Self(
        "option_expired", "These options have expired.",
        remedy: "Generate again.")

    /// Objects, as in section 40 of the requirements.
    static let objectCodes: [Self] = [
        .invalidName, .presetObject, .inventoryFull, .alreadyInInventory, .assetCorrupt, .kindRequired,
        .scanTooLong, .promptEmpty, .promptTooLong, .promptProfane, .generationTimeout, .optionExpired,
    ]

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

    /// Too many placements or posts in the last minute or day (PLC-6, PST-10).
    public static let quotaPeriod = Self(
        "quota_period", "You have placed as much as you may for now.",
        remedy: "Try again after `retryAfter`.", retryAfter: .seconds(60))

    /// The space holds 200 things (PLC-7).
    public static let spaceFull = Self(
        "space_full", "This space is full.",
        remedy: "Remove something from it first.")

    /// The cell holds 2,000 instances (PLC-15).
    public static let cellFull = Self(
        "cell_full", "This area is full.",
        remedy: "Place it somewhere else.")

    /// Furniture keeps its size (PLC-13).
    public static let resizeNotAllowed = Self(
        "resize_not_allowed", "This cannot be resized.",
        remedy: "Send a scale of 1.")

    /// Furniture would stand in something else (PLC-14).
    public static let collision = Self(
        "collision", "There is something in the way.",
        remedy: "Choose another place; `details` names what it hits.")

    /// The place or the way lies in a restricted area (PLC-15, NAV-4, TRM-3).
    public static let restrictedArea = Self(
        "restricted_area", "This area is restricted.",
        remedy: "Choose another place.")

    /// Placement, as in section 40 of the requirements.
    static let placementCodes: [Self] = [
        .objectNotOwned, .badPose, .tooFar, .quotaArea, .quotaPeriod, .spaceFull, .cellFull, .resizeNotAllowed,
        .collision, .restrictedArea,
    ]

    // MARK: Reactions, posts

    /// Not one of the reactions on offer (RCT-1).
    public static let unknownReaction = Self(
        "unknown_reaction", "There is no such reaction.",
        remedy: "Use one of `Limits.reactions`.")

    /// Authors do not vote on their own posts (RCT-3).
    public static let ownPost = Self(
        "own_post", "You cannot vote on your own post.",
        remedy: "Nothing to do.")

    /// The post's time is over (RCT-3, PST-2, PST-6).
    public static let postExpired = Self(
        "post_expired", "This post has expired.",
        remedy: "Drop it from the view.")

    /// Posts can be edited for 5 minutes (PST-4).
    public static let editWindowClosed = Self(
        "edit_window_closed", "It is too late to edit this.",
        remedy: "Remove it and write a new one.")

    /// Reactions, posts, as in section 40 of the requirements.
    static let postCodes: [Self] = [
        .unknownReaction, .ownPost, .postExpired, .editWindowClosed,
    ]
}
