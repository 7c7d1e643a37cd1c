extension Refusal.Code {
    // MARK: Posts

    /// A vote on one's own post (RCT-3).
    public static let ownPost = Self(
        "own_post", "This is your own post.",
        remedy: "Do not offer votes on the user's own posts.")

    /// The post has come to its end (PST-2, PST-6, RCT-3).
    public static let postExpired = Self(
        "post_expired", "This post has ended.",
        remedy: "Drop it from the view.")

    /// The text of a post may no longer be edited (PST-4).
    public static let editWindowClosed = Self(
        "edit_window_closed", "This post can no longer be edited.",
        remedy: "Remove it and make a new one; `Limits.post_edit_seconds` is the time that there was.")
}
