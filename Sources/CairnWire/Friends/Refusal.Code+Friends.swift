extension Refusal.Code {
    // MARK: Friends

    /// A friend request to oneself, or a block of oneself (FRD-2, FRD-7).
    public static let selfRequest = Self(
        "self_request", "This is you.",
        remedy: "Do not offer this for the user's own account.")

    /// The two are friends (FRD-2).
    public static let alreadyFriends = Self(
        "already_friends", "You are friends already.",
        remedy: "Read the list of friends again.")
}
