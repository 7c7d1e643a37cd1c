public import CairnConfiguration
public import CairnCore
public import CairnFeatures
internal import CairnNames
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire
internal import Foundation
public import Logging

/// A server that serves: store, loops and shards, started in order and stopped in the opposite one.
public actor RunningServer {
    /// The bound port.
    public nonisolated let port: Int
    /// Where operators come in.
    public nonisolated let entrance: OperatorEntrance
    nonisolated let addresses: ServerAddresses
    let store: Store
    private let loops: [WebSocketLoop]
    let shards: [Shard]
    private let health: Health
    private let access: OperatorAccess
    private(set) var context: ServerContext

    /// Longest time that clients are given to answer the goodbye.
    private static let goodbyeMax = Duration.seconds(3)
    /// Clients are sent away in this many batches, so that they do not come back all at once.
    private static let goodbyeBatches = 20
    private static let goodbyePause = Duration.milliseconds(50)

    private init(
        port: Int, room: OperatorRoom, store: Store, loops: [WebSocketLoop], shards: [Shard], health: Health,
        context: ServerContext
    ) {
        self.port = port
        entrance = room.entrance
        access = room.access
        addresses = room.addresses(port: port)
        self.store = store
        self.loops = loops
        self.shards = shards
        self.health = health
        self.context = context
    }

    // MARK: Start

    /// Opens the store under `storage.path`, starts the loops and listens.
    /// - Parameters:
    ///   - isNewWorld: a key file without a database is meant, and no sign that a disk is missing.
    ///   - register: what the server can do, and the tables that its world has for it.
    ///   - actions: what operators may have the server do.
    /// - Throws: `StoreError`, `LoopError`, `StatsError`: component, operation and cause.
    public static func start(
        _ configuration: Configuration, isNewWorld: Bool = false, register: FeatureRegister = Features.register,
        logger: Logger, actions: OperatorActions = OperatorActions()
    ) async throws -> RunningServer {
        var options = Store.Options(configuration)
        options.isNewWorld = isNewWorld
        let store = try await Store.open(
            options, migrations: StorageTools.migrations(of: register),
            tables: StorageTools.tables(configuration, of: register), logger: logger)
        do {
            return try await start(configuration, store: store, register: register, logger: logger, actions: actions)
        } catch {
            await store.close()
            throw error
        }
    }

    private static func start(
        _ configuration: Configuration, store: Store, register: FeatureRegister, logger: Logger,
        actions: OperatorActions
    ) async throws -> RunningServer {
        let cores = ProcessInfo.processInfo.processorCount
        let count = configuration.listen.loops > 0 ? configuration.listen.loops : cores
        try await WorldRecord.establishLevel(configuration.cells.level, of: register, in: store)
        Username.readTables()
        try await SkeletonRecord.refresh(in: store, logger: logger)
        let mark = try await WorldRecord.mark(in: store, of: register, latest: ServerClock().now + tenYears)
        let clock = ServerClock(mark: mark)
        clock.reportStart(logger)
        let newest = try await newestIdentifier(in: store, register: register, now: max(clock.now, clock.lasting))
        let veil = Veil(key: try store.secret(for: Seal("names on the wire")))
        let node = NodeID.only
        let identifiers = IdentifierIssuer(node: node, after: newest, veil: veil)
        let room = try OperatorRoom(configuration, shardCount: count, version: Server.version)
        let context = ServerContext(
            configuration: configuration, register: register, clock: clock, store: store,
            suspensions: try await Suspensions(store: store), explorers: Explorers(configuration.travel),
            identifiers: identifiers,
            directory: HomeDirectory(node: node, shardCount: count), doors: Doors(configuration),
            reports: ShardReports(shardCount: count), memory: MemoryBoard(),
            appTokens: try AppTokens(configuration.appTokens), logger: logger)
        let health = Health()
        let access = room.access
        let pages = HTTPPages(
            context: context, access: access, health: health, rules: room.rulesForPlayersListener,
            door: context.doors.requests)

        let loops = try makeLoops(count, configuration, outboxBudget: context.memory.outboxBudget)
        var port = configuration.listen.port
        try WebSocketLoop.checkPort(port, address: configuration.listen.address)
        for loop in loops {
            port = try loop.listen(
                address: configuration.listen.address, port: port, backlog: configuration.listen.backlog)
        }
        let shards = loops.map { Shard(index: $0.index, loop: $0, context: context) }
        store.onCommit { outcome in
            for shard in shards where outcome.concerns(shard.index) {
                shard.post { $0.commitDecided(outcome) }
            }
        }
        // The first connections find all shards ready to hear of one another.
        for shard in shards { shard.post { $0.begin(peers: shards) } }
        for (loop, shard) in zip(loops, shards) {
            loop.start {
                LoopAdapter(
                    shard: shard, context: context, routes: OperatorRoutes(loop: loop, pages: pages, access: access))
            }
        }
        room.open(context: context, shards: shards, health: health, port: port, actions: actions.backingUp(store))
        health.set(serving: true)
        return RunningServer(
            port: port, room: room, store: store, loops: loops + room.loops, shards: shards, health: health,
            context: context)
    }

    /// Stored times so far ahead of the clock are damage.
    private static let tenYears: Int64 = 3_650 * 86_400_000

    /// - Throws: `ConfigurationError` for TLS files that cannot be used.
    static func makeLoops(
        _ count: Int, _ configuration: Configuration, outboxBudget: OutboxBudget? = nil
    ) throws -> [WebSocketLoop] {
        do {
            var options = LoopOptions(configuration)
            options.outboxBudget = outboxBudget
            options.admitOperators()
            return try (0..<count).map { try WebSocketLoop(index: $0, options: options) }
        } catch let error as LoopError where configuration.listen.isTLS {
            throw ConfigurationError(["listen.tlsCertificate, listen.tlsKey: cannot be used: \(error.cause)"])
        }
    }

    /// Ids beyond this are nobody's: a row with one, which only damage or another's hand makes, does not use them up.
    private static let identifiersAhead: Int64 = 10 * 365 * 86_400_000

    private static func newestIdentifier(
        in store: Store, register: FeatureRegister, now: Int64
    ) async throws -> UInt64 {
        var source = IdentifierSource()
        var zero = NoNoise()
        let limit = source.next(AccountTag.self, at: now + identifiersAhead, using: &zero).rawValue
        let bound = SQLValue.integer(Int64(clamping: limit))
        let accounts = Query("SELECT coalesce(max(id), 0) FROM accounts WHERE id < ?", bound)
        let answers = try await store.read(
            [accounts, StoredReply.newestIdentifier(below: bound), HeardMessage.newestIdentifier(below: bound)]
                + register.newestIdentifiers(below: bound))
        return answers.compactMap(\.first).map { UInt64(clamping: (try? $0.integer(0)) ?? 0) }.max() ?? 0
    }

    /// The lowest id of a millisecond.
    private struct NoNoise: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }

    // MARK: While it serves

    var configuration: Configuration { context.configuration }

    /// Goes by other settings from now on: what is marked `live` holds for everybody who is connected, too (ENG-4).
    /// - Returns: false when the TLS files are unusable; the old ones stay in force then.
    public func apply(_ configuration: Configuration, logger: Logger) async -> Bool {
        context = context.applying(configuration, logger: logger)
        context.doors.apply(configuration)
        var isTLSGood = true
        for shard in shards {
            await shard.apply(context)
            if configuration.listen.isTLS { isTLSGood = await shard.reloadTLS() && isTLSGood }
        }
        // The operators' own listener has no shard.
        for loop in loops.dropFirst(shards.count) { loop.post { _ = loop.reloadTLS() } }
        return isTLSGood
    }

    /// Deletes what has expired (DAT-10), rows and databases that were set aside, and writes down how far the world's
    /// time has come.
    public func expire() async {
        store.leave([WorldRecord.keeping(context.clock.mark)])
        let now = context.clock.lasting - context.clock.doubt
        store.expire(
            context.register.expiries(now: now, settings: context.settings) + Engagement.expiries(now: now)
                + context.signIn.expiries(now: now) + StoredReply.expiries(before: now - context.settings.keyLifetime))
        await store.pruneSetAside()
    }

    /// Does so every ten minutes, until the task is cancelled.
    func expireRegularly() async {
        while !Task.isCancelled {
            await expire()
            try? await Task.sleep(for: .seconds(600))
        }
    }

    // MARK: Stop

    /// Stops accepting, answers what is under way once it is on disk, sends everybody away in batches, closes (SES-11).
    public func stop() async {
        let settings = context.configuration.shutdown
        let deadline = ContinuousClock.now + .seconds(settings.drainSeconds)
        health.set(serving: false)
        for shard in shards { await shard.drain() }
        // A disk that refuses must not take the time to say goodbye.
        let goodbye = Self.goodbyePause * Self.goodbyeBatches + Self.goodbyeMax
        await wait(until: max(deadline - goodbye, .now + .seconds(settings.drainSeconds) / 2)) {
            await $0.requestsUnderWay == 0
        }
        for batch in 0..<Self.goodbyeBatches {
            var isAnybodyLeft = false
            for shard in shards {
                let left = await shard.sayGoodbye(
                    batch: batch, of: Self.goodbyeBatches, reconnectSecondsMax: settings.reconnectSecondsMax)
                isAnybodyLeft = isAnybodyLeft || left
            }
            guard isAnybodyLeft else { break }
            try? await Task.sleep(for: Self.goodbyePause)
        }
        await access.service.stop()
        await wait(until: min(deadline, .now + Self.goodbyeMax)) { await $0.connectionCount == 0 }
        for shard in shards {
            // What the disk refuses until the store is closed is lost with the process.
            store.leave(await shard.takeEngagement())
        }
        store.leave([WorldRecord.keeping(context.clock.mark)])
        await store.close()
        for loop in loops { loop.stop() }
        context.logger.info("stopped")
    }

    private func wait(until deadline: ContinuousClock.Instant, _ isDone: (Shard) async -> Bool) async {
        for shard in shards {
            while await !isDone(shard), ContinuousClock.now < deadline {
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}

extension Store.Options {
    init(_ configuration: Configuration) {
        let storage = configuration.storage
        self.init(
            path: (storage.path ?? ".") + "/cairn.sqlite",
            keys: storage.keyFile.map { .file($0) } ?? .memory(.throwAway()))
        backups = configuration.backup.directory.map { BackupFolder(path: $0, keep: configuration.backup.keep) }
        synchronous = storage.synchronous == .full ? .full : .normal
        commitChangesMax = storage.commitChangesMax
        commitMilliseconds = storage.commitMilliseconds
        backlogMax = storage.backlogMax
        retryFirst = .milliseconds(storage.retryFirstMilliseconds)
        retryMax = .milliseconds(storage.retryMaxMilliseconds)
        readers = storage.readers
        setAsideAge = .seconds(storage.setAsideDays * 86_400)
        setAsideMax = storage.setAsideMax
        cacheBytes = storage.cacheMegabytes << 20
    }
}

extension CommitOutcome {
    /// Whether a home of this loop waits for it.
    fileprivate func concerns(_ loop: Int) -> Bool {
        [committed, failed, voided].contains { tickets in tickets.contains { $0.loop == loop } }
    }
}
