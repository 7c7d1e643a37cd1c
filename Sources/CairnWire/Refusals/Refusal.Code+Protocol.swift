extension Refusal.Code {
    // MARK: Protocol

    /// Something came before `hello` (SES-2).
    public static let helloRequired = Self(
        "hello_required", "Say hello first.",
        remedy: "Send `hello` as the first message of the connection.")

    /// The protocol version in `hello` is not one that this server speaks (SES-2).
    public static let unsupportedVersion = Self(
        "unsupported_version", "This version of the protocol is not supported.",
        remedy: "Update the client, or connect with a version that `details` names.")

    /// The message cannot be read, or its body cannot (SES-3).
    public static let badMessage = Self(
        "bad_message", "The message cannot be read.",
        remedy: "Correct the client; the message says where reading stopped.")

    /// No part of this server knows this kind of message (SES-3).
    public static let unknownType = Self(
        "unknown_type", "This server does not know this kind of message.",
        remedy: "Leave the function out, or update the server.")

    /// A message over 64 KiB or an asset over its limit (SES-3, OBJ-12).
    public static let tooLarge = Self(
        "too_large", "This is larger than allowed.",
        remedy:
            "Send less at once; `welcome` and `details` name the limit. After a message that was too large the "
            + "connection is closed.")

    /// Too many messages or actions in too short a time (SES-12, GEN-6, RCT-5, COM-7, STA-5).
    public static let rateLimited = Self(
        "rate_limited", "Too fast: wait a moment.",
        remedy: "Send the same request again after `retryAfter`.", retryAfter: .seconds(1))

    /// The account has as many connections as it may have (SES-12).
    public static let tooManyConnections = Self(
        "too_many_connections", "This account is connected too often.",
        remedy: "Close another of the account's connections first.")

    /// The client read too slowly for too long (SES-8).
    public static let slowConsumer = Self(
        "slow_consumer", "The connection was too slow to keep up.",
        remedy: "Connect again and continue from the cursors held.", retryAfter: .seconds(1))

    /// The server is going down or restarting (SES-11).
    public static let serverShutdown = Self(
        "server_shutdown", "The server is restarting.",
        remedy: "Connect again after the delay and continue from the cursors held.", retryAfter: .seconds(5))

    /// The server sheds load (QOS-5).
    public static let overloaded = Self(
        "overloaded", "The server has too much to do right now.",
        remedy: "Try again after `retryAfter`, with a random part added.", retryAfter: .seconds(5))

    /// The idempotency key was used for a request with other content (SYN-2).
    public static let keyReused = Self(
        "key_reused", "This key belongs to another request.",
        remedy: "Use a new key for every change; only send the very same request again with the same key.")

    /// The first answer to the key is damaged on the server's disk, or was too long to be kept (SYN-2, DAT-6).
    public static let answerLost = Self(
        "answer_lost", "This was done before, and what came of it can no longer be read.",
        remedy:
            "Do not send the key again. See in the view what became of the change; where it is not there, ask for it "
            + "with a new key.")

    /// Changes cannot be stored at present (DAT-4).
    public static let storageUnavailable = Self(
        "storage_unavailable", "Changes cannot be saved right now.",
        remedy:
            "Keep the request and send it again with the same key after `retryAfter`; reading goes on.",
        retryAfter: .seconds(2))

    /// A passing clash with another change (COM-2).
    public static let tryAgain = Self(
        "try_again", "Something got in the way: try again.",
        remedy: "Send the same request again with the same key.", retryAfter: .milliseconds(200))

    /// A service outside of the server does not answer (EXT-1).
    public static let providerUnavailable = Self(
        "provider_unavailable", "A service that this needs cannot be reached right now.",
        remedy: "Try again later, or another way.", retryAfter: .seconds(10))

    /// A mistake of the server's own; the log has it under the correlation id.
    public static let `internal` = Self(
        "internal", "Something went wrong in the server.",
        remedy: "Report the correlation id to the operator.")

    /// Protocol, as in section 40 of the requirements.
    static let protocolCodes: [Self] = [
        .helloRequired, .unsupportedVersion, .badMessage, .unknownType, .tooLarge, .rateLimited,
        .tooManyConnections, .slowConsumer, .serverShutdown, .overloaded, .keyReused, .answerLost, .storageUnavailable,
        .providerUnavailable, .tryAgain, .internal,
    ]

    // MARK: Common

    /// Guests may not do this (SES-2).
    public static let notSignedIn = Self(
        "not_signed_in", "Sign in first.",
        remedy: "Sign in, then send the request again.")

    /// The role or the ownership does not allow it (ROL-1).
    public static let forbidden = Self(
        "forbidden", "You may not do this.",
        remedy: "`details` names the role needed, where a role would help.")

    /// It does not exist or is not visible to this user; the two are not distinguished (VIS-7, SUB-9).
    public static let notFound = Self(
        "not_found", "There is no such thing here.",
        remedy: "Drop it from the view; it may have been removed.")

    /// Something required is absent (ACC-1, SUB-1, TRM-2 and others).
    public static let missingField = Self(
        "missing_field", "Something required is missing.",
        remedy: "Fill in what `details` names.")

    /// A value is outside what is allowed (PRF-2, NBK-5, OBJ-10 and others).
    public static let invalidField = Self(
        "invalid_field", "A value is not allowed.",
        remedy: "Correct what `details` names.")

    /// Another edit came first (PLC-10, TRM-9).
    public static let versionConflict = Self(
        "version_conflict", "Somebody changed this first.",
        remedy: "Take the newest version, apply the edit to it, send it with the new version and a new key.")

    /// A cap on how much there may be (NBK-19, QOS-6).
    public static let limitReached = Self(
        "limit_reached", "There is no room for more.",
        remedy: "Remove something first; `details` names limit and count.")

    /// Latitude, longitude or another number of a position is not possible (SES-5).
    public static let badPosition = Self(
        "bad_position", "The position is not possible.",
        remedy: "Send finite numbers within their ranges.")

    /// The request depends on a place and none was sent yet (SES-5).
    public static let positionRequired = Self(
        "position_required", "Your position is not known yet.",
        remedy: "Send `position` first.")

    /// A text without content (PST-1, NBK-6, STA-5).
    public static let textEmpty = Self(
        "text_empty", "The text is empty.",
        remedy: "Write something.")

    /// A text over its limit (PST-1, NBK-6, NBK-7, STA-5).
    public static let textTooLong = Self(
        "text_too_long", "The text is too long.",
        remedy: "Shorten it; `details` names limit and length.")

    /// Too many things left at places in the last minute or day (PLC-6, PST-10).
    public static let quotaPeriod = Self(
        "quota_period", "You have placed as much as you may for now.",
        remedy: "Try again after `retryAfter`.", retryAfter: .seconds(60))

    /// The cell holds as much as it may (PLC-15).
    public static let cellFull = Self(
        "cell_full", "This area is full.",
        remedy: "Place it somewhere else.")

    /// The code of a link was used, is old or never was (ACC-1, NBK-12).
    public static let linkInvalid = Self(
        "link_invalid", "This link is no longer valid.",
        remedy: "Ask for another link.")

    /// Common, as in section 40 of the requirements, and what several features refuse with.
    static let commonCodes: [Self] = [
        .notSignedIn, .forbidden, .notFound, .missingField, .invalidField, .versionConflict, .limitReached,
        .badPosition, .positionRequired, .textEmpty, .textTooLong, .linkInvalid, .quotaPeriod,
        .cellFull,
    ]
}
