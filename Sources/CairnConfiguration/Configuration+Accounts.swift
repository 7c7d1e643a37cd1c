public import CairnCore
internal import CairnText

extension Configuration {
    /// Accounts and sign-in (ACC-1 to ACC-11).
    public struct Accounts: Sendable, Equatable {
        /// Whether any name signs in without proof. Only a word on the command line makes it true (`Opening`).
        public var open = false
        /// Whether people can make accounts by themselves.
        public var signUp = true
        /// How long a sign-in token is valid, in days.
        public var tokenDays = 30
        /// Fewest characters of a name.
        public var nameCharactersMin = 3
        /// Fewest characters of a name whose letters are all Han, Hiragana, Katakana, Hangul or of a Brahmic script.
        public var denseNameCharactersMin = 2
        /// Most characters of a name.
        public var nameCharactersMax = 30
        /// Front ends whose sign-up takes first name, last name and birth date, and whose username is the email.
        public var personalFrontEnds = ["furniture"]
        /// Domains that a front end's emails must have, as `front end: domain`.
        public var emailDomains = ["gmail.com", "yahoo.com", "mail.com", "aol.com", "outlook.com"].map {
            "furniture \($0)"
        }
        /// Fewest characters of a password.
        public var passwordCharactersMin = 12
        /// Kinds of characters of which a password needs one each.
        public var passwordKinds = ["upper", "lower", "digit", "symbol"]
        /// Front ends for which the two settings above do not count, but the defaults.
        public var passwordStrictFrontEnds = ["furniture"]
        /// Memory of a password's hash, in KiB.
        public var passwordKibibytes = 19_456
        /// Passes of a password's hash.
        public var passwordPasses = 2
        /// Failed sign-ins of an account or an address within `failureMinutes`.
        public var failuresMax = 10
        /// The window of `failuresMax`, in minutes.
        public var failureMinutes = 15
        /// Sign-ups of one address in an hour.
        public var signUpsPerHour = 20
        /// Recoveries of one address in an hour.
        public var recoveriesPerHour = 10
        /// The least time between two mails of one kind with a link to one mailbox, in seconds; 0 = none.
        public var mailPauseSeconds = 300
        /// Mails of one kind with a link to one mailbox in a day, before they come no oftener than their links last.
        public var mailsPerDay = 10
        /// How long a recovery link is good, in minutes.
        public var resetMinutes = 30
        /// How long a link that proves an email is good, in hours.
        public var verifyHours = 24
        /// How long a proof counts for changes of how a person gets in, in seconds.
        public var proofSeconds = 300
        /// How long such a change can be undone, in days.
        public var undoDays = 30
        /// Whether accounts of an app's backend alone add passwords and providers.
        public var appAccountsAddWays = false
        /// Recovery codes that come with one-time codes.
        public var recoveryCodes = 10
        /// Age in years below which a sign-up carries an advisory.
        public var advisoryAge = 16
        /// Longest status of a profile, in characters.
        public var statusCharactersMax = 140
        /// Longest bio of a profile, in characters.
        public var bioCharactersMax = 500
        /// How long a name that its owner has given up stays reserved, in days.
        public var reservedNameDays = 30
        /// Other names that an account may take in a day.
        public var renamesPerDay = 5
        /// Whether people have friends.
        public var friends = true
        /// Who may see what of people who have not chosen.
        public var privacy = Privacy.Audience.friends
        /// Most results of a search for people.
        public var searchResults = 20
        /// Most searches for people by one account in a minute; ten times as many by one address.
        public var searchesPerMinute = 30
        /// How long the audit log is kept, in days.
        public var auditDays = 730
        /// Version of the privacy policy that a sign-up agrees to.
        public var policyVersion = "1"
        /// Exports of what is held on a person that the person may ask for in an hour.
        public var exportsPerHour = 3
        /// Requests for an organisation account, and wishes to remove a member, of one person in an hour.
        public var organisationRequestsPerHour = 10
        /// Most members of an organisation.
        public var organisationMembersMax = 200
        /// Folder of the operators' own policy, a file for each language; nil = the shipped text.
        public var policyFolder: String?
        /// What links in mails begin with; nil = the address of the listener.
        public var publicURL: String?
        /// Name of the service in mails and authenticators.
        public var serviceName = "Cairn"
        /// The languages that the server writes; English is always one of them.
        public var languages = ["en", "es", "fr", "hi", "zh"]

        /// The shipped defaults.
        public init() {}
    }

    /// Sign-in by providers' accounts (ACC-7). Each item is `provider value`.
    public struct Providers: Sendable, Equatable {
        /// Providers whose access tokens the identity adaptor checks.
        public var accessTokens: [String] = []
        /// The claim `iss` of a provider's ID tokens.
        public var issuers: [String] = []
        /// Names of the apps at the provider, one of which an ID token's `aud` must have.
        public var audiences: [String] = []
        /// JWKS files with a provider's public keys.
        public var jwksFiles: [String] = []
        /// Largest difference between a provider's clock and this one, in seconds.
        public var leewaySeconds = 30

        /// The shipped defaults.
        public init() {}

        /// The providers that sign in, in the order of the settings.
        public var names: [String] {
            var names: [String] = []
            for item in accessTokens + issuers.compactMap({ $0.pieces(at: " ").first.map(String.init) })
            where !names.contains(item) {
                names.append(item)
            }
            return names
        }
    }
}
