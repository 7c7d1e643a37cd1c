extension Refusal.Code {
    // MARK: Accounts

    /// Not 3 to 30 letters, digits, dots, underscores or hyphens (PRF-3).
    public static let invalidUsername = Self(
        "invalid_username", "This name is not allowed.",
        remedy: "Use 3 to 30 letters, digits, dots, underscores or hyphens.")

    /// Another account has the name, or one that looks like it (ACC-1).
    public static let usernameTaken = Self(
        "username_taken", "This name is taken, or looks like one that is.",
        remedy: "Choose another name.")

    /// The sign-in token is no longer good; the connection stays, as a guest (SES-2).
    public static let tokenExpired = Self(
        "token_expired", "Your sign-in has expired.",
        remedy: "Sign in again.")

    /// The token of the app's own backend is not one that this server takes (ACC-12).
    public static let tokenInvalid = Self(
        "token_invalid", "Your app's sign-in was not accepted.",
        remedy: "Get a new token from the app's backend; `details.reason` says what was wrong with this one.")

    /// An administrator has suspended the account (ROL-5).
    public static let accountSuspended = Self(
        "account_suspended", "This account is suspended.",
        remedy: "Contact support.")

    /// Accounts, as in section 40 of the requirements.
    static let accountCodes: [Self] = [
        .invalidUsername, .usernameTaken, .tokenExpired, .tokenInvalid, .accountSuspended,
    ]
}
