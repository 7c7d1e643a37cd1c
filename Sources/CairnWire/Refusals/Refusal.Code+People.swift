extension Refusal.Code {
    // MARK: Accounts

    /// Not an email address (ACC-1).
    public static let invalidEmail = Self(
        "invalid_email", "This is not an email address.",
        remedy: "Correct the address.")

    /// The furniture front end takes addresses of some providers only (ACC-2).
    public static let emailDomainNotAllowed = Self(
        "email_domain_not_allowed", "Addresses of this provider are not accepted.",
        remedy: "Use an address of a provider that `details` names.")

    /// The address belongs to an account (ACC-1, ACC-7).
    public static let emailTaken = Self(
        "email_taken", "This address belongs to an account already.",
        remedy: "Sign in with that account; a social sign-in can be linked there.")

    /// The name belongs to an account (ACC-1, PRF-2).
    public static let usernameTaken = Self(
        "username_taken", "This name is taken.",
        remedy: "Choose another name.")

    /// Not 3 to 30 letters, digits, dots, underscores or hyphens (PRF-3).
    public static let invalidUsername = Self(
        "invalid_username", "This name is not allowed.",
        remedy: "Use 3 to 30 letters, digits, dots, underscores or hyphens.")

    /// There is such an account (ACC-2).
    public static let accountExists = Self(
        "account_exists", "This account exists already.",
        remedy: "Sign in instead.")

    /// The password lacks something (ACC-3).
    public static let weakPassword = Self(
        "weak_password", "The password is too weak.",
        remedy: "Add what `details` names.")

    /// Not a date, or not one that can be (ACC-2).
    public static let invalidDate = Self(
        "invalid_date", "This is not a date.",
        remedy: "Write it as MM/DD/YYYY.")

    /// Consent to the privacy policy is missing (CMP-1).
    public static let consentRequired = Self(
        "consent_required", "Please agree to the privacy policy first.",
        remedy: "Show the policy and send the version agreed to.")

    /// Name or password are wrong; not said which (ACC-4, ACC-9).
    public static let invalidCredentials = Self(
        "invalid_credentials", "The sign-in details are wrong.",
        remedy: "Try again, or recover the password.")

    /// Too many failed sign-ins (ACC-4).
    public static let tooManyAttempts = Self(
        "too_many_attempts", "Too many attempts: wait before the next.",
        remedy: "Wait for `retryAfter`, or recover the password.", retryAfter: .seconds(900))

    /// The sign-in token is no longer good; the connection stays, as a guest (SES-2).
    public static let tokenExpired = Self(
        "token_expired", "Your sign-in has expired.",
        remedy: "Sign in again.")

    /// The provider does not confirm its token (ACC-7).
    public static let socialTokenInvalid = Self(
        "social_token_invalid", "The provider did not confirm the sign-in.",
        remedy: "Sign in with the provider again.")

    /// The account wants a one-time code as well (ACC-8).
    public static let mfaRequired = Self(
        "mfa_required", "Enter your one-time code.",
        remedy: "Send the sign-in with a code.")

    /// The one-time code is wrong; counted like a wrong password (ACC-8).
    public static let mfaInvalid = Self(
        "mfa_invalid", "The code is wrong.",
        remedy: "Enter a new code, or a recovery code.")

    /// The recovery link was used, is old or was never given (ACC-10).
    public static let resetTokenInvalid = Self(
        "reset_token_invalid", "This link is no longer valid.",
        remedy: "Ask for a new recovery mail.")

    /// An administrator has suspended the account (ROL-5).
    public static let accountSuspended = Self(
        "account_suspended", "This account is suspended.",
        remedy: "Contact support.")

    /// Accounts, as in section 40 of the requirements.
    static let accountCodes: [Self] = [
        .invalidEmail, .emailDomainNotAllowed, .emailTaken, .usernameTaken, .invalidUsername, .accountExists,
        .weakPassword, .invalidDate, .consentRequired, .invalidCredentials, .tooManyAttempts, .tokenExpired,
        .socialTokenInvalid, .mfaRequired, .mfaInvalid, .resetTokenInvalid, .accountSuspended,
    ]

    // MARK: Profile, friends, sub-realms

    /// A setting that does not exist or a value it cannot have (PRF-9).
    public static let invalidSetting = Self(
        "invalid_setting", "There is no such setting or value.",
        remedy: "Correct what `details` names; nothing was saved.")

    /// Privacy settings keep the profile from this user (PRF-4).
    public static let profileHidden = Self(
        "profile_hidden", "This profile is private.",
        remedy: "Nothing to do.")

    /// No such user, or one who does not want to be found (FRD-2).
    public static let userNotFound = Self(
        "user_not_found", "There is no such user.",
        remedy: "Check the name.")

    /// A friend request to oneself (FRD-2).
    public static let selfRequest = Self(
        "self_request", "You cannot befriend yourself.",
        remedy: "Choose another user.")

    /// They are friends (FRD-2).
    public static let alreadyFriends = Self(
        "already_friends", "You are friends already.",
        remedy: "Nothing to do.")

    /// A request of this kind is open (FRD-2, ORG-1).
    public static let requestPending = Self(
        "request_pending", "A request is waiting for an answer already.",
        remedy: "Wait for the answer.")

    /// The request is no longer open (FRD-3).
    public static let requestNotFound = Self(
        "request_not_found", "This request is no longer open.",
        remedy: "Drop it from the list.")

    /// They are not friends (FRD-6, SUB-1, SUB-4).
    public static let notFriends = Self(
        "not_friends", "You are not friends.",
        remedy: "Become friends first.")

    /// The sub-realm would have too many members (SUB-1).
    public static let tooManyMembers = Self(
        "too_many_members", "There are too many members.",
        remedy: "Add fewer; `details` names the limit.")

    /// The invitation does not exist or has lapsed (SUB-2).
    public static let inviteNotFound = Self(
        "invite_not_found", "This invitation is no longer open.",
        remedy: "Ask for a new one.")

    /// They are in the sub-realm (SUB-2, SUB-4).
    public static let alreadyMember = Self(
        "already_member", "Already a member.",
        remedy: "Nothing to do.")

    /// The user is not in the sub-realm (SUB-4, SUB-5, PLC-3, VIS-5).
    public static let notMember = Self(
        "not_member", "Not a member.",
        remedy: "Choose a sub-realm that the user is in.")

    /// The owner has not yet approved the request to join (SUB-3).
    public static let joinPending = Self(
        "join_pending", "The owner has not answered yet.",
        remedy: "Wait for the owner's answer.")

    /// Profile, friends, sub-realms, as in section 40 of the requirements.
    static let profileCodes: [Self] = [
        .invalidSetting, .profileHidden, .userNotFound, .selfRequest, .alreadyFriends, .requestPending,
        .requestNotFound, .notFriends, .tooManyMembers, .inviteNotFound, .alreadyMember, .notMember, .joinPending,
    ]
}
