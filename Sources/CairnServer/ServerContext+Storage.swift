internal import CairnAdaptors
package import CairnConfiguration
package import CairnCore
internal import CairnNames
package import CairnStore
internal import CairnWire
package import Logging

/// What a server reads of its world before it serves, and what it removes and writes down while it does.
extension ServerContext {
    /// The context of a server that starts on a store.
    /// - Throws: `StoreError`, `ConfigurationError` for settings with which nothing of the world would be found.
    package static func starting(
        _ configuration: Configuration, register: FeatureRegister, store: Store, shardCount: Int, logger: Logger
    ) async throws -> ServerContext {
        try await WorldRecord.establishLevel(configuration.cells.level, of: register, in: store)
        Username.readTables()
        try await SkeletonRecord.refresh(in: store, logger: logger)
        let mark = try await WorldRecord.mark(in: store, of: register, latest: ServerClock().lasting + tenYears)
        let clock = ServerClock(mark: mark)
        clock.reportStart(logger)
        // An identifier holds a time of day; those of the world may be as new as its lasting time.
        let now = max(clock.now, WallTime(milliseconds: clock.lasting.milliseconds))
        let newest = try await newestIdentifier(in: store, register: register, now: now)
        let node = NodeID.only
        let names = NameDirectory(Settings(configuration), privacy: configuration.accounts.privacy)
        let suspensions = try await Suspensions(store: store, clock: clock)
        try await names.fill(
            from: store, suspensions: suspensions, listed: register.listedNames, offered: register.offeredTours,
            logger: logger)
        let adaptors = Adaptors(settings: AdaptorSettings(configuration), logger: logger)
        let identifiers = IdentifierIssuer(
            node: node, after: newest, veil: Veil(key: try store.secret(for: Seal("names on the wire"))))
        let postman = Postman(
            store: store, adaptors: adaptors, clock: clock, identifiers: identifiers, configuration: configuration,
            logger: logger)
        let depot = AssetDepot(
            path: configuration.assetFolder, store: store, identifiers: identifiers, clock: clock, logger: logger)
        let proofs = try SignIn.Proofs(configuration)
        proofs.reportUnusableKeys(logger: logger)
        return ServerContext(
            configuration: configuration, register: register, clock: clock, store: store,
            suspensions: suspensions,
            organisations: try await Organisations(store: store, names: names),
            explorers: Explorers(configuration.travel),
            coarsePlaces: CoarsePlaces(EdgeMargins(key: try store.secret(for: Seal("edge margins")))),
            guestViews: GuestViews(configuration.guests), walkers: Walkers(),
            identifiers: identifiers, directory: HomeDirectory(node: node, shardCount: shardCount), names: names,
            rightHolders: try await RightHolders(of: register, in: store), doors: Doors(configuration),
            reports: ShardReports(shardCount: shardCount), memory: MemoryBoard(), adaptors: adaptors,
            postman: postman, proofs: proofs, help: try Help(configuration),
            services: SignIn.Services(
                configuration.accounts, adaptors: adaptors, postman: postman, depot: depot,
                policy: try PrivacyPolicy(configuration),
                tables: WorldSchema.tables(of: register, configuration), walkedAssets: register.walkedAssets),
            logger: logger)
    }

    /// Deletes what has expired (DAT-10), rows and databases that were set aside, and writes down how far the world's
    /// time has come.
    package func expire() async {
        keepTime()
        let now = clock.lasting - clock.doubt
        store.expire(
            register.expiries(now: now, settings: settings) + Engagement.expiries(now: now)
                + signIn.expiries(now: now) + StoredReply.expiries(before: now - settings.keyLifetime)
                + OutboxEntry.expiries(now: now)
                + StoredNotification.expiries(before: now - .seconds(configuration.notifications.days * 86_400)))
        await store.pruneSetAside()
        await signIn.services.depot.collect(configuration.assets)
    }

    /// Writes down how far the world's time has come.
    package func keepTime() {
        store.leave([WorldRecord.keeping(clock.mark)])
    }

    /// Stored times so far ahead of the clock are damage.
    private static let tenYears = Duration.seconds(3_650 * 86_400)

    /// Ids beyond this are nobody's: a row with one, which only damage or another's hand makes, does not use them up.
    private static let identifiersAhead = tenYears

    private static func newestIdentifier(
        in store: Store, register: FeatureRegister, now: WallTime
    ) async throws -> UInt64 {
        var source = IdentifierSource()
        var zero = NoNoise()
        let limit = source.next(AccountTag.self, at: (now + identifiersAhead).milliseconds, using: &zero).rawValue
        let bound = SQLValue.integer(Int64(clamping: limit))
        let accounts = Query("SELECT coalesce(max(id), 0) FROM accounts WHERE id < ?", bound)
        let answers = try await store.read(
            [
                accounts, StoredReply.newestIdentifier(below: bound), HeardMessage.newestIdentifier(below: bound),
                OutboxEntry.newestIdentifier(below: bound), AuditRecord.newestIdentifier(below: bound),
                StoredNotification.newestIdentifier(below: bound), AssetRecord.newestIdentifier(below: bound),
                UploadRecord.newestIdentifier(below: bound), Organisation.newestIdentifier(below: bound),
                OrganisationRequestRecord.newestIdentifier(below: bound), Purchase.newestIdentifier(below: bound),
                Payment.newestIdentifier(below: bound),
            ]
                + register.newestIdentifiers(below: bound))
        return answers.compactMap(\.first).map { UInt64(clamping: (try? $0.integer(0)) ?? 0) }.max() ?? 0
    }

    /// The lowest id of a millisecond.
    private struct NoNoise: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }
}
