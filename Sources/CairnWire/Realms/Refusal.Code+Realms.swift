extension Refusal.Code {
    // MARK: Sub-realms

    /// The sub-realm has as many members as it may (SUB-1, SUB-4, SUB-12).
    public static let tooManyMembers = Self(
        "too_many_members", "The group is full.",
        remedy: "`details.limit` is the most members.")

    /// There is no such invitation, or it has lapsed (SUB-2).
    public static let inviteNotFound = Self(
        "invite_not_found", "This invitation is no longer open.",
        remedy: "Drop it from the list.")

    /// The person is a member (SUB-2, SUB-4, SUB-12).
    public static let alreadyMember = Self(
        "already_member", "This person is in the group already.",
        remedy: "Read the list of members again.")

    /// The person waits for the owner's approval (SUB-3, SUB-12).
    public static let joinPending = Self(
        "join_pending", "The owner has not approved it yet.",
        remedy: "Wait for the notification.")
}
