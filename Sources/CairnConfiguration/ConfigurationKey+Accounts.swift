internal import CairnCore
internal import CairnText
internal import Foundation

/// Accounts of the server's own, and accounts of providers (ACC-1 to ACC-11).
extension ConfigurationKey {
    static let accounts = entry + passwords + links

    private static let entry: [SettingKey<Configuration>] = [
        .flag(
            "accounts.open", \.accounts.open, .restart,
            "Whether any name signs in without proof and gets a token for later sign-ins. True counts only where "
                + "`cairn serve --open` or --demo asks for it, on a loopback address and not behind a proxy. Accounts "
                + "with a password or a provider are not open."),
        .flag(
            "accounts.signUp", \.accounts.signUp, .live,
            "Whether people can make accounts by themselves. Without it a sign-up is refused with forbidden."),
        .integer(
            "accounts.tokenDays", \.accounts.tokenDays, 1...3_650, unit: "days", .live,
            "How long a sign-in token is valid."),
        .integer(
            "accounts.nameCharactersMin", \.accounts.nameCharactersMin, 1...64, unit: "characters", .live,
            "Fewest characters of a name."),
        .integer(
            "accounts.denseNameCharactersMin", \.accounts.denseNameCharactersMin, 1...64, unit: "characters", .live,
            "Fewest characters of a name whose letters are all Han, Hiragana, Katakana, Hangul or of a Brahmic script. "
                + "Beyond nameCharactersMin it counts as that."),
        .integer(
            "accounts.nameCharactersMax", \.accounts.nameCharactersMax, 1...64, unit: "characters", .live,
            "Most characters of a name. At least nameCharactersMin."),
        .list(
            "accounts.personalFrontEnds", \.accounts.personalFrontEnds, 0...16, of: .frontEnd, .live,
            "Front ends whose sign-up takes first name, last name and birth date, and whose username is the email."),
        .list(
            "accounts.emailDomains", \.accounts.emailDomains, 0...256, of: .frontEndDomain, .live,
            "Domains that the emails of a front end must have. A front end without one accepts any. Others are refused "
                + "with email_domain_not_allowed."),
    ]

    private static let passwords: [SettingKey<Configuration>] = [
        .integer(
            "accounts.passwordCharactersMin", \.accounts.passwordCharactersMin, 8...64, unit: "characters", .live,
            "Fewest characters of a password. A weaker one is refused with weak_password."),
        .list(
            "accounts.passwordKinds", \.accounts.passwordKinds, 0...4, of: .passwordKind, .live,
            "Kinds of characters that a password must contain."),
        .list(
            "accounts.passwordStrictFrontEnds", \.accounts.passwordStrictFrontEnds, 0...16, of: .frontEnd, .live,
            "Front ends for which passwordCharactersMin and passwordKinds always have their defaults."),
        .integer(
            "accounts.passwordKibibytes", \.accounts.passwordKibibytes, 8_192...131_072, unit: "KiB", .restart,
            "Memory that hashing a password takes (argon2id). Older hashes are replaced at the next sign-in."),
        .integer(
            "accounts.passwordPasses", \.accounts.passwordPasses, 1...10, unit: "passes", .restart,
            "Passes over that memory. 2 passes over 19,456 KiB take about 50 ms of one core."),
        .integer(
            "accounts.failuresMax", \.accounts.failuresMax, 1...1_000, unit: "failures", .restart,
            "Failed sign-ins of one account, and of one address, within failureMinutes. The next is refused with "
                + "too_many_attempts. A device or an address that has signed in before has a limit of its own."),
        .integer(
            "accounts.failureMinutes", \.accounts.failureMinutes, 1...1_440, unit: "minutes", .restart,
            "The window of failuresMax."),
        .integer(
            "accounts.signUpsPerHour", \.accounts.signUpsPerHour, 1...1_000, unit: "sign-ups", .restart,
            "Accounts that one address may make in an hour. The next is refused with too_many_attempts."),
        .integer(
            "accounts.recoveriesPerHour", \.accounts.recoveriesPerHour, 1...1_000, unit: "recoveries", .restart,
            "Mails with links that one network address may request in an hour, and one account for itself. The next "
                + "request is refused with too_many_attempts."),
        .integer(
            "accounts.mailPauseSeconds", \.accounts.mailPauseSeconds, 0...3_600, unit: "seconds", .restart,
            "Least time between two mails to one mailbox with a link that sets a password; of those that prove an "
                + "email, three may come at once. A request in between is answered alike, and the link of the mail "
                + "before it stays valid. 0 = no pause."),
        .integer(
            "accounts.mailsPerDay", \.accounts.mailsPerDay, 1...1_000, unit: "mails", .restart,
            "Mails to one mailbox in a day with a link that sets a password, and with one that proves it. Further ones "
                + "are sent when the last link has expired, or after an hour, so that a full mailbox locks nobody out."
        ),
    ]

    private static let links: [SettingKey<Configuration>] = [
        .integer(
            "accounts.resetMinutes", \.accounts.resetMinutes, 1...1_440, unit: "minutes", .live,
            "How long the link of a recovery mail is valid."),
        .integer(
            "accounts.verifyHours", \.accounts.verifyHours, 1...720, unit: "hours", .live,
            "How long a link that proves an email is valid. After that time another account may take the email if it "
                + "was not proved."),
        .integer(
            "accounts.proofSeconds", \.accounts.proofSeconds, 30...3_600, unit: "seconds", .live,
            "How long a proof that it is the person counts for changes of how they get in. After that such a change is "
                + "refused with proof_required."),
        .integer(
            "accounts.undoDays", \.accounts.undoDays, 1...365, unit: "days", .live,
            "How long a change of how a person gets in can be undone from its mail. What was added within that time "
                + "ends with a reset of the password and with a sign-out by operators."),
        .flag(
            "accounts.appAccountsAddWays", \.accounts.appAccountsAddWays, .live,
            "Whether an account that an app's backend alone vouches for may add a password or a provider by a token of "
                + "that backend. Otherwise it is refused with proof_required."),
        .integer(
            "accounts.recoveryCodes", \.accounts.recoveryCodes, 1...50, unit: "codes", .live,
            "Recovery codes that come with one-time codes."),
        .integer(
            "accounts.advisoryAge", \.accounts.advisoryAge, 0...120, unit: "years", .live,
            "Age below which a sign-up carries an advisory. 0 = never."),
        .integer(
            "accounts.statusCharactersMax", \.accounts.statusCharactersMax, 1...1_000, unit: "characters", .live,
            "Longest status of a profile. A longer one is refused with invalid_field."),
        .integer(
            "accounts.bioCharactersMax", \.accounts.bioCharactersMax, 1...4_000, unit: "characters", .live,
            "Longest bio of a profile. A longer one is refused with invalid_field."),
        .integer(
            "accounts.reservedNameDays", \.accounts.reservedNameDays, 1...3_650, unit: "days", .live,
            "How long a name that its owner has given up stays reserved."),
        .integer(
            "accounts.renamesPerDay", \.accounts.renamesPerDay, 1...1_000, unit: "names", .restart,
            "Other names that an account may take in a day, each of which reserves the one before it. The next is "
                + "refused with too_many_attempts."),
        .flag(
            "accounts.friends", \.accounts.friends, .restart,
            "Whether people can have friends. If not, content for friends only is shown to no one."),
        .choice(
            "accounts.privacy", \.accounts.privacy, .restart,
            "Privacy of people who have not chosen: the audience of their profile, their list of friends, and their "
                + "name on placed instances."),
        .integer(
            "accounts.searchResults", \.accounts.searchResults, 1...100, unit: "people", .restart,
            "Most results of a search for people or sub-realms."),
        .integer(
            "accounts.searchesPerMinute", \.accounts.searchesPerMinute, 1...100, unit: "searches", .restart,
            "Most searches for people by one account in a minute; ten times as many by one address. A further one is "
                + "refused with rate_limited."),
        .integer(
            "accounts.auditDays", \.accounts.auditDays, 1...3_650, unit: "days", .live,
            "How long the entries of the audit log are kept: changes of roles, suspensions, reinstatements and "
                + "sign-outs by others. Decided requests for organisation accounts are kept as long."),
        .integer(
            "accounts.exportsPerHour", \.accounts.exportsPerHour, 1...1_000, unit: "exports", .restart,
            "Exports of all data on a person that the person may request in an hour. The next is refused with "
                + "rate_limited."),
        .integer(
            "accounts.organisationRequestsPerHour", \.accounts.organisationRequestsPerHour, 1...1_000,
            unit: "requests", .restart,
            "Requests for an organisation account, and requests to remove another member, of one person in any hour. "
                + "The next is refused with rate_limited."),
        .integer(
            "accounts.organisationMembersMax", \.accounts.organisationMembersMax, 1...1_000, unit: "people", .live,
            "Most members of an organisation. The next is refused with limit_reached."),
        .text(
            "accounts.policyVersion", \.accounts.policyVersion, .line, .live,
            "Version of the privacy policy that a sign-up agrees to. Another is refused with consent_required."),
        .optionalText(
            "accounts.policyFolder", \.accounts.policyFolder, .folder, .live,
            "Folder of your own privacy policy: en.txt, and where you have them es.txt, fr.txt, hi.txt and zh.txt. "
                + "The first line is the title. SIGHUP reads it again. Without it the shipped text is shown."),
        .optionalText(
            "accounts.publicURL", \.accounts.publicURL, .webAddress, .live,
            "Beginning of the links in mails, for instance https://world.example.org. Without it links begin with the "
                + "address of the listener."),
        .text(
            "accounts.serviceName", \.accounts.serviceName, .line, .live,
            "Name of the service in mails and authenticators."),
        .list(
            "accounts.languages", \.accounts.languages, 1...5, of: .language, .restart,
            "Languages of mails, refusals, pushes, pages and help. The person's setting chooses, or else hello; "
                + "English replaces any other language."),
    ]

    static let providers: [SettingKey<Configuration>] = [
        .list(
            "providers.accessTokens", \.providers.accessTokens, 0...16, of: .frontEnd, .live,
            "Providers whose access tokens sign in. adaptors.identity checks them."),
        .list(
            "providers.issuers", \.providers.issuers, 0...16, of: .providerValue, .live,
            "Providers whose OpenID Connect ID tokens sign in, each with its issuer: google "
                + "https://accounts.google.com."),
        .list(
            "providers.audiences", \.providers.audiences, 0...64, of: .providerValue, .live,
            "Names of the apps at a provider: the claim aud of an ID token must hold one of them."),
        .list(
            "providers.jwksFiles", \.providers.jwksFiles, 0...64, of: .providerFile, .live,
            "JWKS files with a provider's public keys (RS256 and ES256). SIGHUP reads the files again."),
        .integer(
            "providers.leewaySeconds", \.providers.leewaySeconds, 0...300, unit: "seconds", .live,
            "How far a provider's clock and this server's may be apart."),
    ]
}

extension SettingForm {
    static let language = Self(wants: "one of en, es, fr, hi, zh") { text in
        Configuration.Accounts().languages.contains(text)
    }

    static let frontEndDomain = Self(wants: "a front end, a blank and a domain, such as furniture gmail.com") { text in
        let parts = text.pieces(at: " ", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && FrontEnd(parts[0]) != nil && hostName.accepts(parts[1])
    }

    static let passwordKind = Self(wants: "one of upper, lower, digit, symbol") { text in
        ["upper", "lower", "digit", "symbol"].contains(text)
    }

    static let webAddress = Self(wants: "an address such as https://world.example.org, without a / at its end") {
        text in
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty else { return false }
        return ["https", "http"].contains(url.scheme) && url.path.isEmpty && url.query == nil && url.fragment == nil
            && url.user == nil && text.utf8.count <= 200
    }

    static let providerValue = Self(wants: "a provider's name, a blank and a value") { text in
        let parts = text.pieces(at: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && FrontEnd(parts[0]) != nil && line.accepts(parts[1])
    }

    static let providerFile = Self(wants: "a provider's name, a blank and the path of a file that the server can read")
    {
        text in
        let parts = text.pieces(at: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && FrontEnd(parts[0]) != nil && readableFile.accepts(parts[1])
    }
}
