extension Refusal.Code {
    // MARK: Accounts

    /// Not 3 to 30 letters, digits, dots, underscores or hyphens, from 2 on in some scripts (PRF-3).
    public static let invalidUsername = Self(
        "invalid_username", "This name is not allowed.",
        remedy: "Use 3 to 30 letters, digits, dots, underscores or hyphens. In Chinese, Japanese, Korean and Indic "
            + "scripts 2 are enough.")

    /// Another account has the name, or one that looks like it (ACC-1).
    public static let usernameTaken = Self(
        "username_taken", "This name is taken, or looks like one that is.",
        remedy: "Choose another name.")

    // MARK: Signing up and in

    /// Not an address for mails (ACC-1).
    public static let invalidEmail = Self(
        "invalid_email", "This is not an email address.",
        remedy: "Correct the address.")

    /// The front end takes addresses of some domains only (ACC-2).
    public static let emailDomainNotAllowed = Self(
        "email_domain_not_allowed", "Addresses of this domain are not accepted here.",
        remedy: "Use an address of one of `details.domains`.")

    /// Another account has the address (ACC-1, ACC-7).
    public static let emailTaken = Self(
        "email_taken", "An account with this email exists. Sign in to it; other ways in can be linked there.",
        remedy: "Have the person sign in to that account, and link the provider from there.")

    /// As `email_taken`, in front ends where the email is the username (ACC-2).
    public static let accountExists = Self(
        "account_exists", "You have an account already.",
        remedy: "Sign in to it.")

    /// The password breaks the rule (ACC-3).
    public static let weakPassword = Self(
        "weak_password", "This password is too weak.",
        remedy: "`details.missing` lists what it needs, `charactersMin` how long it is at least.")

    /// A date that is none, or none that a birth can have (ACC-2).
    public static let invalidDate = Self(
        "invalid_date", "This date is not valid.",
        remedy: "Write it as MM/DD/YYYY.")

    /// The sign-up agrees to no privacy policy, or not to the present one (CMP-1).
    public static let consentRequired = Self(
        "consent_required", "Please agree to the privacy policy first.",
        remedy: "Show the policy, then send `details.version` as `consent`.")

    /// Login and password do not belong together; which is wrong is not said (ACC-4).
    public static let invalidCredentials = Self(
        "invalid_credentials", "Name or password is wrong.",
        remedy: "Correct them, or recover the password.")

    /// Too many failures of the account or the address (ACC-4), too many codes of groups (TRM-11), or too many other
    /// names of an account (PRF-2).
    public static let tooManyAttempts = Self(
        "too_many_attempts", "Too many attempts. Please wait.",
        remedy: "Try again after `retryAfter`.", retryAfter: .seconds(60))

    /// The provider does not vouch for the token (ACC-7).
    public static let socialTokenInvalid = Self(
        "social_token_invalid", "Your sign-in with this provider was not accepted.",
        remedy: "Sign in at the provider again.")

    /// The account asks for a one-time code (ACC-8).
    public static let mfaRequired = Self(
        "mfa_required", "Please enter the code of your authenticator.",
        remedy: "Repeat the request with `code`.")

    /// The one-time or recovery code is wrong, or was used (ACC-8).
    public static let mfaInvalid = Self(
        "mfa_invalid", "This code is not valid.",
        remedy: "Enter the next code, or a recovery code.")

    /// A change of how one gets in needs a proof of the last minutes (ACC-13).
    public static let proofRequired = Self(
        "proof_required", "Please prove once more that it is you.",
        remedy: "Send `prove` with one of `details.proofs`, then repeat the request.")

    /// The code of a recovery link was used, is old or never was (ACC-10).
    public static let resetTokenInvalid = Self(
        "reset_token_invalid", "This link is no longer valid.",
        remedy: "Ask for another link.")

    // MARK: Tokens

    /// The sign-in token is no longer good; the connection stays, as a guest (SES-2).
    public static let tokenExpired = Self(
        "token_expired", "Your sign-in has expired.",
        remedy: "Sign in again.")

    /// The token of the app's own backend is not one that this server takes (ACC-12), or the connection's token was
    /// ended (ACC-5, ACC-9).
    public static let tokenInvalid = Self(
        "token_invalid", "Your app's sign-in was not accepted.",
        remedy: "Sign in again. `details.reason` says what was wrong with a token of the app's backend.")

    /// An administrator has suspended the account (ROL-5).
    public static let accountSuspended = Self(
        "account_suspended", "This account is suspended.",
        remedy: "Contact support. `details.until` is when it ends by itself, in milliseconds since 1970, if it does.")

    // MARK: Profiles and settings

    /// An unknown setting, or a value that it cannot have (PRF-9).
    public static let invalidSetting = Self(
        "invalid_setting", "This setting cannot be saved.",
        remedy: "Correct what `details` names; nothing was saved.")

    /// The profile's owner does not show it (PRF-4).
    public static let profileHidden = Self(
        "profile_hidden", "This profile is not shown.",
        remedy: "Show the name alone.")

    /// There is no such person, or none that this user may know of (FRD-2).
    public static let userNotFound = Self(
        "user_not_found", "There is no such person.",
        remedy: "Check the name.")

    /// There is no such open request (FRD-3, FRD-4, SUB-3).
    public static let requestNotFound = Self(
        "request_not_found", "This request is no longer open.",
        remedy: "Drop it from the list.")

    /// The two are not friends (FRD-6, SUB-1, SUB-4).
    public static let notFriends = Self(
        "not_friends", "You are not friends.",
        remedy: "Read the list of friends again; `details.account` names the person.")

    /// The person is not in the sub-realm, or there is no such sub-realm (PLC-3, VIS-5, SUB-5).
    public static let notMember = Self(
        "not_member", "Not a member of this group.",
        remedy: "Read the list of sub-realms or members again.")

    /// The sender has asked for the same before: the same person (FRD-2), or an organisation account (ORG-1).
    public static let requestPending = Self(
        "request_pending", "You have asked already.",
        remedy: "Wait for the answer, or withdraw the request.")

    // MARK: Organisations

    /// The request was decided before (ORG-2).
    public static let alreadyResolved = Self(
        "already_resolved", "This was decided already.",
        remedy: "Read the list of open requests again.")

    // MARK: Assets

    /// The bytes are not those of the digest, or are no sound picture (OBJ-12).
    public static let assetCorrupt = Self(
        "asset_corrupt", "The file is damaged, or is not what it seems to be.",
        remedy: "Read the file again and upload it once more; if that fails too, it is no sound picture.")

    /// Accounts and what people upload, as in section 40 of the requirements.
    static let accountCodes: [Self] = [
        .invalidEmail, .emailDomainNotAllowed, .emailTaken, .usernameTaken, .invalidUsername, .accountExists,
        .weakPassword, .invalidDate, .consentRequired, .invalidCredentials, .tooManyAttempts, .tokenExpired,
        .tokenInvalid, .socialTokenInvalid, .mfaRequired, .mfaInvalid, .proofRequired, .resetTokenInvalid,
        .accountSuspended,
        .invalidSetting, .profileHidden, .userNotFound, .requestPending, .requestNotFound, .notFriends, .notMember,
        .alreadyResolved, .assetCorrupt,
    ]
}
