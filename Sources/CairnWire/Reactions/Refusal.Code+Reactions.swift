extension Refusal.Code {
    // MARK: Reactions

    /// Not one of the reactions on offer (RCT-1).
    public static let unknownReaction = Self(
        "unknown_reaction", "There is no such reaction.",
        remedy: "Use one of `Limits.reactions`.")
}
