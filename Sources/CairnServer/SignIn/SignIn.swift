internal import CairnConfiguration
package import CairnCore
internal import CairnCrypto
internal import CairnStore
internal import CairnWire
internal import Foundation
internal import Logging

/// Authentication of users: finds the account of a token, a password, a provider's account or an open name (ACC-1 to
/// ACC-12, SES-2).
///
/// A `hello` shows a token, or with `accounts.open` a name. Everything else is an `EntranceCommand` on the open
/// connection. Each way ends in the same `SignedIn`.
package struct SignIn: Sendable {
    let store: Store
    package let suspensions: Suspensions
    package let organisations: Organisations
    package let identifiers: IdentifierIssuer
    let names: NameDirectory
    let clock: ServerClock
    let accounts: Configuration.Accounts
    let providers: Configuration.Providers
    let assets: Configuration.Assets
    /// Bytes of a chunk of an upload that begins now.
    let chunkBytes: Int
    private let listen: Configuration.Listen
    /// Whether guests look, and read the assets of what they see.
    let guestsLook: Bool
    /// How long a mail is tried.
    let mailLifetime: Duration
    let proofs: Proofs
    let help: Help
    /// Of prices, ISO 4217.
    let currency: String
    /// The stores whose receipts are taken.
    let receiptStores: [String]
    package let services: Services
    let logger: Logger

    init(
        store: Store, suspensions: Suspensions, organisations: Organisations, identifiers: IdentifierIssuer,
        names: NameDirectory, clock: ServerClock, configuration: Configuration, proofs: Proofs, help: Help,
        currency: String = "CAD", services: Services, logger: Logger
    ) {
        self.store = store
        self.suspensions = suspensions
        self.organisations = organisations
        self.identifiers = identifiers
        self.names = names
        self.clock = clock
        accounts = configuration.accounts
        providers = configuration.providers
        assets = configuration.assets
        chunkBytes = AssetDepot.chunkBytes(messageBytesMax: configuration.connections.messageBytesMax)
        listen = configuration.listen
        guestsLook = configuration.guests.look
        mailLifetime = Settings(configuration).mailLifetime
        self.currency = currency
        receiptStores = configuration.adaptors.receiptStores
        self.proofs = proofs
        self.help = help
        self.services = services
        self.logger = logger
    }

    /// Who a connection belongs to from now on.
    struct SignedIn: Sendable {
        let account: AccountID
        let name: String
        let role: Role
        /// The token that resumes the account; only its hash is stored (DAT-8).
        let token: String
        /// Whether the account was made just now.
        var isNew = false
        /// Whether the token was made by this sign-in: no other connection has it.
        var hasNewToken = false
        /// How long it holds, where the token is one of the app's backend.
        var appToken: AppTokenTerm?
        /// Names the device at later sign-ins; empty = none was made.
        var deviceKey = ""
        /// ACC-11.
        var ageAdvisory = false
        /// The person's settings, for the welcome.
        var settings: [WireSetting] = []
        /// Whether the token replaces others of the account, once the sign-in is admitted.
        var replacesTokens = false
        /// Whether the person has a notification of this sign-in.
        var isNotified = false
        /// Whether the device may have notifications to come, or the person unread ones; false = there was none.
        var mayBeNotified = true

        /// The same, with the person's settings.
        func with(_ settings: [WireSetting]) -> SignedIn {
            var signedIn = self
            signedIn.settings = settings
            return signedIn
        }
    }

    enum Outcome: Sendable {
        case signedIn(SignedIn)
        /// A guest. `expired`: the client sent a token that is no longer valid.
        case guest(expired: Bool)
        case refused(Refusal)
    }

    static let component = "sign-in"
    private static let day = Duration.seconds(86_400)

    /// What links in mails begin with.
    var linkBase: String { accounts.publicURL ?? ListenerAddress(listen, port: services.port).http }

    /// What `hello` says about who it is. Success is on disk.
    func resolve(token: String, name: String) async -> Outcome {
        if AppToken.isShaped(token) { return await resolve(appToken: token) }
        do {
            if !token.isEmpty {
                if let known = try await account(with: token) { return .signedIn(known) }
                if name.isEmpty || !accounts.open { return .guest(expired: true) }
            }
            guard accounts.open, !name.isEmpty else { return .guest(expired: false) }
            return try await open(name)
        } catch let damage as DamagedRow {
            store.report([damage])
            return .refused(Self.damaged)
        } catch {
            logger.error("an account cannot be read or written", metadata: ["cause": "\(error)"])
            return .refused(Self.unavailable)
        }
    }

    static let unavailable = Refusal(
        .storageUnavailable, "the account cannot be read or written now", component: component,
        retryAfter: .seconds(1))

    /// The log has the damage, once. A row does not mend by itself.
    static let damaged = Refusal(
        .storageUnavailable, "the account's record is damaged, and the server's operators know", component: component,
        retryAfter: .seconds(300))

    /// Ends a token at once (ACC-6). On disk when it returns (DAT-2).
    func revoke(_ token: String) async throws(Refusal) {
        do {
            if AppToken.isShaped(token) { return try await end(appToken: token) }
            guard let print = Self.print(of: token) else { return }
            try await end(print)
        } catch {
            logger.error("a token cannot be revoked", metadata: ["cause": "\(error)"])
            throw Refusal(
                .storageUnavailable, "the token is still good: come back with it and sign out again",
                component: Self.component, retryAfter: .seconds(1))
        }
    }

    /// The row goes, and the account remembers that it went: put back, it is refused.
    func end(_ print: SQLValue) async throws {
        let removal = Statement("DELETE FROM tokens WHERE hash = ?", print)
        for _ in 0..<Self.attemptsMax {
            let answers = try await store.read([
                TokenRecord.query(print), AccountRecord.query(ofToken: print),
                TokenRecord.query(besides: print, countMax: Self.devicesMax),
            ])
            guard let row = answers[0].first else { return }
            guard let token = try? TokenRecord(row), let stored = answers[1].first,
                var account = try? AccountRecord(stored)
            else {
                // Nothing of it can be used: that the row goes is all there is to do.
                return try await store.commit([removal])
            }
            var damage: [DamagedRow] = []
            let others = tokens(in: answers[2], &damage)
            store.report(damage)
            let kept = account.revoke(token, among: others, at: clock.lasting, tokenDays: accounts.tokenDays)
            if try await isCommitted([removal, account.update] + kept) { return }
        }
        throw Self.overtaken
    }

    /// Changes what is stored of an account, whatever others do to it meanwhile. On disk when it returns.
    /// - Parameter body: may run several times; what it makes of the newest record is kept.
    /// - Returns: the record as it is now; nil = there is no such account.
    @discardableResult
    func change(_ id: AccountID, _ body: (inout AccountRecord) -> Void) async throws -> AccountRecord? {
        for _ in 0..<Self.attemptsMax {
            guard let row = try await store.read([AccountRecord.query(id)])[0].first else { return nil }
            var account = try AccountRecord(row)
            body(&account)
            if try await isCommitted([account.update]) { return account }
        }
        throw Self.overtaken
    }

    /// Two devices of one person that sign out together overtake one another now and then; more often than this, never.
    static let attemptsMax = 8
    static let overtaken = StoreError(
        .overtaken, operation: "change an account", cause: "it changes all the time", remedy: "try again")

    /// - Returns: false when another change was faster.
    func isCommitted(_ statements: [Statement]) async throws -> Bool {
        do {
            try await store.commit(statements)
            return true
        } catch  where error.kind == .overtaken {
            return false
        }
    }

    private func account(with token: String) async throws -> SignedIn? {
        guard let print = Self.print(of: token) else { return nil }
        let answers = try await store.read([
            TokenRecord.query(print), AccountRecord.query(ofToken: print), SettingsRecord.query(ofToken: print),
            NotificationDevice.isConcerned(print),
        ])
        guard let row = answers[0].first else { return nil }
        let known: TokenRecord
        do throws(DamagedRow) {
            known = try TokenRecord(row)
        } catch {
            // Not its account's, or damaged: as good as none.
            store.report([error])
            return nil
        }
        let now = clock.lasting
        let limit = now - clock.doubt - Self.day * accounts.tokenDays
        guard known.used >= limit, let stored = answers[1].first else { return nil }
        let account = try AccountRecord(stored)
        guard account.admits(known) else {
            logger.warning("a token was shown that was revoked, and whose row was put back")
            return nil
        }
        // No sign-in waits for that: on a bad disk people still come in to look (DAT-4).
        if known.used < now - Self.day { store.leave([known.update(used: now)]) }
        var signedIn = SignedIn(account: account.id, name: account.name, role: account.role, token: token)
        signedIn.settings = settings(in: answers[2])
        signedIn.mayBeNotified = !answers[3].isEmpty
        return signedIn
    }

    /// By this a token is found. Only the key makes one of a token.
    static func print(of token: String) -> SQLValue? {
        guard token.utf8.count <= 128 else { return nil }
        return TokenRecord.print(ofHash: Array(SHA256.hash(data: token.utf8)))
    }
}
