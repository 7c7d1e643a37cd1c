package import CairnAdaptors
package import CairnConfiguration
package import CairnCore
internal import CairnCredentials
internal import CairnTime
internal import CairnWebSocket
internal import Logging
internal import Synchronization

extension SignIn {
    /// The keys by which secrets of others are checked; read again with the settings.
    package struct Proofs: Sendable {
        /// How tokens of an app's own backend are judged (ACC-12).
        let appTokens: AppTokens
        /// How tokens of providers are judged (ACC-7).
        let idTokens: IDTokens

        /// None are taken.
        init() { (appTokens, idTokens) = (AppTokens(), IDTokens()) }

        private init(appTokens: AppTokens, idTokens: IDTokens) {
            self.appTokens = appTokens
            self.idTokens = idTokens
        }

        /// Reads the key files.
        package init(_ configuration: Configuration) throws(ConfigurationError) {
            appTokens = try AppTokens(configuration.appTokens)
            idTokens = try IDTokens(configuration.providers)
        }

        /// Reads them again; those that cannot be used stay as they were.
        func applying(_ configuration: Configuration, logger: Logger) -> Proofs {
            let changed = Proofs(
                appTokens: appTokens.applying(configuration.appTokens, logger: logger),
                idTokens: idTokens.applying(configuration.providers, logger: logger))
            changed.reportUnusableKeys(after: self, logger: logger)
            return changed
        }

        private var unusableKeys: [String] { appTokens.keys.unusable + idTokens.unusableKeys }

        /// Says which keys of key sets are left out.
        /// - Parameter earlier: what was said of these is not said again.
        func reportUnusableKeys(after earlier: Proofs? = nil, logger: Logger) {
            let said = earlier?.unusableKeys ?? []
            for key in unusableKeys where !said.contains(key) {
                logger.warning("a key of a key set cannot be used and is left out: \(key)")
            }
        }
    }
}

extension SignIn {
    /// What signing in works with and what outlives a change of the settings: the thread that hashes, and what is
    /// remembered of failures.
    package final class Services: Sendable {
        let desk: PasswordDesk
        /// By what was entered, so that a known and an unknown name look alike, and by address.
        let failures: SignInLimiter
        /// By account: an account has two names, its username and its email, and one allowance.
        let accountFailures: SignInLimiter
        /// Who guesses.
        let guesses = Mutex(PasswordGuesses())
        /// Payments that were declined, by account and by address: cards are not tried out here.
        let payments: SignInLimiter
        let signUps: AttemptLimiter
        /// Changes of how one gets in, by account.
        let accessChanges = AttemptLimiter(attemptsMax: SignIn.accessChangesPerHour)
        /// Mails with links that an address, or an account, may ask for.
        let recoveries: AttemptLimiter
        let recoveryDesk = RecoveryDesk()
        /// Mails to a mailbox with links that set a password.
        let resetMails: MailboxLimiter
        /// Mails to a mailbox with links that prove it.
        let proofMails: MailboxLimiter
        /// Names that an account takes after its first.
        let renames: AttemptLimiter
        /// Showing guests again what was hidden.
        let guestSights: AttemptLimiter
        /// Searches for people, by account and by address.
        let searches: AttemptLimiter
        let addressSearches: AttemptLimiter
        /// Changes of a person that belong to no home, by account.
        let changes: AttemptLimiter
        /// Exports of what is held on a person, by account.
        let exports: AttemptLimiter
        /// Requests for an organisation account, and wishes to remove a member, by account.
        let organisationRequests: AttemptLimiter
        let adaptors: Adaptors
        let postman: Postman
        package let depot: AssetDepot
        let accountTurns = AccountTurns()
        let personTurns = PersonTurns()
        /// Sign-ins with one account of a provider: the first makes the account here, and the others find it.
        let identityTurns = KeyedTurns<LimitKey>()
        package let erasures = Erasures()
        package let purchases = Purchases()
        private let boundPort = Atomic(0)
        private let notified = Atomic<UInt64>(0)
        /// Every table of the world, for exports.
        let exportTables: [StoredTable]
        /// The assets of what people walk.
        let walkedAssets: WalkedAssets?
        private let shownPolicy: Mutex<PrivacyPolicy>

        package init(
            _ accounts: Configuration.Accounts, adaptors: Adaptors, postman: Postman, depot: AssetDepot,
            policy: PrivacyPolicy, tables: [StoredTable] = [], walkedAssets: WalkedAssets? = nil
        ) {
            (exportTables, self.walkedAssets) = (tables, walkedAssets)
            shownPolicy = Mutex(policy)
            self.depot = depot
            self.adaptors = adaptors
            self.postman = postman
            let cost = PasswordHash.Cost(
                memoryKiB: accounts.passwordKibibytes, passes: accounts.passwordPasses, lanes: 1)
            desk = PasswordDesk(cost: cost ?? .standard, now: { .now })
            let limits = SignInLimiter.Limits(
                failuresMax: accounts.failuresMax, familiarFailuresMax: accounts.failuresMax,
                window: .seconds(accounts.failureMinutes * 60))
            failures = SignInLimiter(limits)
            accountFailures = SignInLimiter(limits)
            payments = SignInLimiter(
                .init(
                    failuresMax: SignIn.declinesPerHour, addressFailuresMax: 10 * SignIn.declinesPerHour,
                    window: .seconds(3_600)))
            signUps = AttemptLimiter(attemptsMax: accounts.signUpsPerHour)
            recoveries = AttemptLimiter(attemptsMax: accounts.recoveriesPerHour)
            let pause = Duration.seconds(accounts.mailPauseSeconds)
            resetMails = MailboxLimiter(pause: pause, perDayMax: accounts.mailsPerDay)
            // Who has mistyped an address, and writes the right one and then this one again, waits for nothing.
            proofMails = MailboxLimiter(burstMax: 3, pause: pause, perDayMax: accounts.mailsPerDay)
            renames = AttemptLimiter(attemptsMax: accounts.renamesPerDay, window: .seconds(86_400))
            guestSights = AttemptLimiter(attemptsMax: SignIn.guestSightsPerHour)
            exports = AttemptLimiter(attemptsMax: accounts.exportsPerHour)
            organisationRequests = AttemptLimiter(attemptsMax: accounts.organisationRequestsPerHour)
            changes = AttemptLimiter(attemptsMax: SignIn.changesPerHour)
            searches = AttemptLimiter(attemptsMax: accounts.searchesPerMinute, window: .seconds(60))
            addressSearches = AttemptLimiter(attemptsMax: 10 * accounts.searchesPerMinute, window: .seconds(60))
        }

        /// The addresses that guess passwords now, the most attempts first.
        package var guessers: [PasswordGuesses.Guesser] { guesses.withLock { $0.guessers(.now) } }

        /// What the players' listener is bound to; 0 before it is.
        var port: Int { boundPort.load(ordering: .relaxed) }

        /// The players' listener is bound to a port.
        package func listens(on port: Int) { boundPort.store(port, ordering: .relaxed) }

        /// Notifications that this process has stored so far. A connection that found none while it signed in, and
        /// finds the same number when its account knows it, has missed none.
        var notifiedCount: UInt64 { notified.load(ordering: .acquiring) }

        /// The privacy policy, as people are shown it.
        package var policy: PrivacyPolicy { shownPolicy.withLock { $0 } }

        /// Shows another policy from now on.
        func show(_ policy: PrivacyPolicy) { shownPolicy.withLock { $0 = policy } }

        /// A notification is on disk. Called before its recipient's devices are told.
        func noteNotified() { notified.add(1, ordering: .releasing) }

        /// Ends the thread.
        package func stop() async { await desk.stop() }
    }
}
