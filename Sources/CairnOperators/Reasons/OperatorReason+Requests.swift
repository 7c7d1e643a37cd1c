/// Why requests of people are refused, as far as the codes belong to no feature (section 40 of the requirements).
extension OperatorReason {
    static let requests: [OperatorReason] = rows(.refusals, ofMessages + ofThings + ofSigningIn + ofPeople)

    private static let ofMessages: [Row] = [
        ("hello_required", "An app sent something else before its hello.", apps),
        (
            "unsupported_version", "An app speaks a version of the protocol that this server does not.",
            "Have the app updated, or the server, whichever is older."
        ),
        ("bad_message", "A message could not be read.", apps),
        (
            "unknown_type", "A message is of a kind that this server does not know, as of a newer app.",
            "Update the server if the app is newer than it."
        ),
        ("too_large", "A message is longer than connections.messageBytesMax.", apps),
        ("rate_limited", "Somebody did more than a limit allows in its time. The app waits and sends it again.", limit),
        (
            "too_many_connections", "An account has as many connections as it may have.",
            "Nothing, unless people have that many devices: then raise connections.perAccountMax."
        ),
        (
            "slow_consumer", "A connection read more slowly than the server sent.",
            "Nothing, if it is rare: it is a bad network. If it is common, look at the server's own network."
        ),
        (
            "server_shutdown", "The server was stopping.",
            "Nothing: apps come back by themselves after the restart."
        ),
        (
            "overloaded", "The server did not keep up, or was short of memory, and took nothing new.",
            "See the state of health for which of the two. Give it more processor or memory, or lower "
                + "listen.connectionsMax."
        ),
        ("key_reused", "An app used the key of one change for another change.", apps),
        (
            "answer_lost", "An app sent a change again that was done, and whose long answer was not stored.", theirs
        ),
        (
            "storage_unavailable", "Changes could not be stored: writing fails, or too many wait for the disk.",
            "See Disk. Make room, or replace the disk; the log names the error."
        ),
        (
            "try_again",
            "Something was in the way at that moment: a full queue, as of passwords, or the budget of guests.",
            "Nothing, if it is rare. If it is common, see the queues, and raise guests.* where guests look."
        ),
        (
            "provider_unavailable", "A service beside the server did not answer: mail, payment, identity.",
            "See Services for the adaptor that is down; the log says why."
        ),
        (
            "internal", "A fault of the server.",
            "Report it with the line of the log that has the correlation id."
        ),
    ]

    private static let ofThings: [Row] = [
        ("not_signed_in", "A guest asked for what needs an account.", theirs),
        ("forbidden", "Somebody asked for what their role, or their part in it, does not allow.", theirs),
        ("not_found", "Somebody asked for what is not there any more, or what they may not see.", theirs),
        ("missing_field", "A request lacks something that it needs.", apps),
        ("invalid_field", "A request has a value that is not allowed.", apps),
        ("version_conflict", "Two people changed the same thing at once; the second was asked to look again.", theirs),
        ("limit_reached", "There are as many of something as there may be.", limit),
        ("bad_position", "An app sent coordinates that are none.", apps),
        (
            "position_required", "A request depends on a place, and the app had sent none.",
            "Nothing: the person has not allowed the app to know where they are."
        ),
        ("text_empty", "A text had nothing in it.", theirs),
        ("text_too_long", "A text was longer than it may be.", theirs),
        ("quota_period", "Somebody left as many things in a minute or a day as one may.", limit),
        (
            "cell_full", "A cell holds as many things as it may.",
            "Remove what nobody wants there, or raise cells.instancesMax."
        ),
        ("link_invalid", "The code of a link was used, is too old, or never was.", theirs),
        ("payment_invalid", "A card or receipt is not valid, or a receipt was used before.", theirs),
        (
            "payment_declined", "The payment service declined a charge.",
            "Nothing, if it is rare. If all are declined, look into your account there."
        ),
    ]

    private static let ofSigningIn: [Row] = [
        ("invalid_username", "A name has other letters, or another length, than a name may have.", theirs),
        ("username_taken", "A name belongs to another account, or looks like one that does.", theirs),
        ("invalid_email", "A text is no email address.", theirs),
        (
            "email_domain_not_allowed", "An address is of a domain that this front end does not accept.",
            "Nothing, unless the domain should be accepted: add it to accounts.emailDomains."
        ),
        ("email_taken", "An account with this email address exists.", theirs),
        ("account_exists", "The person has an account.", theirs),
        ("weak_password", "A new password is too weak.", theirs),
        ("invalid_date", "A date is none, or no birthday.", theirs),
        ("consent_required", "A sign-up agreed to no privacy policy, or to an older one.", theirs),
        (
            "invalid_credentials", "A name and a password do not belong together.",
            "Nothing, if it is rare. Hundreds in a minute are somebody who tries passwords: the limits hold, see "
                + "too_many_attempts."
        ),
        (
            "too_many_attempts", "Somebody, or an address, tried too often: passwords, codes, mails, names.",
            "Nothing: they wait. If it is many people behind one address, raise the limit in accounts.*."
        ),
        (
            "social_token_invalid", "A sign-in by a provider was not valid.",
            "Nothing, if it is rare. If all fail, look at providers.*: audience, issuer, age of the key set."
        ),
        ("mfa_required", "The account asks for a one-time code as well; the app asks the person for it.", theirs),
        ("mfa_invalid", "A one-time code was wrong, or used before.", theirs),
        ("proof_required", "A change of how one gets in needs a proof of the last minutes.", theirs),
        ("reset_token_invalid", "The link of a recovery was used, is too old, or never was.", theirs),
        ("token_expired", "A sign-in is over; the person signs in again.", theirs),
        (
            "token_invalid", "A sign-in was ended, or a token of your own backend was not valid.",
            "Nothing, if it is rare. If all of the backend's fail, look at appTokens.*: issuer, audience, key, clock."
        ),
        ("account_suspended", "A suspended account was used.", "Nothing; Moderation lists them, and can reinstate."),
    ]

    private static let ofPeople: [Row] = [
        ("invalid_setting", "A setting of a person cannot have this value.", apps),
        ("profile_hidden", "Somebody asked for a profile that is not shown to them.", theirs),
        ("user_not_found", "There is nobody of that name.", theirs),
        ("request_not_found", "A request was decided or withdrawn meanwhile.", theirs),
        ("not_friends", "Something needs a friendship that there is not, or no longer.", theirs),
        ("not_member", "Something needs a membership that there is not, or no longer.", theirs),
        ("request_pending", "The same was asked for before, and waits for an answer.", theirs),
        ("already_resolved", "Another admin had decided it.", theirs),
        ("asset_corrupt", "An uploaded file is damaged, or no picture.", theirs),
    ]
}
