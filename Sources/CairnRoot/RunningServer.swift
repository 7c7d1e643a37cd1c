public import CairnConfiguration
public import CairnCore
public import CairnFeatures
public import CairnOperators
internal import CairnServer
internal import CairnStore
internal import CairnWebSocket
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
    /// Connections are closed in this many batches, so that clients do not come back all at once.
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
        // The store's start waits for the disk most of the time.
        async let files = ConsoleFiles(configuration.console, playPath: configuration.play.path)
        var options = Store.Options(configuration)
        options.isNewWorld = isNewWorld
        let store = try await Store.open(
            options, migrations: StorageTools.migrations(of: register),
            tables: StorageTools.tables(configuration, of: register), logger: logger)
        do {
            return try await start(
                configuration, store: store, files: files, register: register, logger: logger, actions: actions)
        } catch {
            await store.close()
            throw error
        }
    }

    private static func start(
        _ configuration: Configuration, store: Store, files: ConsoleFiles, register: FeatureRegister, logger: Logger,
        actions: OperatorActions
    ) async throws -> RunningServer {
        let cores = ProcessInfo.processInfo.processorCount
        let count = configuration.listen.loops > 0 ? configuration.listen.loops : cores
        let context = try await ServerContext.starting(
            configuration, register: register, store: store, shardCount: count, logger: logger)
        let room = try OperatorRoom(
            configuration, shardCount: count, version: Server.version, files: files, logger: logger)
        let health = Health()

        let loops = try makeLoops(
            count, configuration, outboxBudget: context.memory.outboxBudget, bulkLane: room.access.bulkLane)
        var port = configuration.listen.port
        try WebSocketLoop.checkPort(port, address: configuration.listen.address)
        for loop in loops {
            port = try loop.listen(
                address: configuration.listen.address, port: port, backlog: configuration.listen.backlog)
        }
        context.signIn.services.listens(on: port)
        let shards = Shard.start(
            on: loops, context: context, routes: room.routes(context: context, health: health))
        room.open(context: context, shards: shards, health: health, port: port, actions: actions.backingUp(store))
        await context.applyAdaptors()
        // What only the start took.
        ProcessMemory.giveBack()
        health.set(serving: true)
        return RunningServer(
            port: port, room: room, store: store, loops: loops + room.loops, shards: shards, health: health,
            context: context)
    }

    /// - Throws: `ConfigurationError` for TLS files that cannot be used.
    static func makeLoops(
        _ count: Int, _ configuration: Configuration, outboxBudget: OutboxBudget? = nil, bulkLane: BulkLane? = nil
    ) throws -> [WebSocketLoop] {
        do {
            var options = LoopOptions(configuration)
            options.outboxBudget = outboxBudget
            options.bulkLane = bulkLane
            options.admitOperators()
            return try (0..<count).map { try WebSocketLoop(index: $0, options: options) }
        } catch let error as LoopError where configuration.listen.isTLS {
            throw ConfigurationError(["listen.tlsCertificate, listen.tlsKey: cannot be used: \(error.cause)"])
        }
    }

    // MARK: While it serves

    var configuration: Configuration { context.configuration }

    /// Applies other settings. Those marked `live` also hold for open connections (ENG-4).
    /// - Returns: false when the TLS files are unusable; the old ones stay in force then.
    public func apply(_ configuration: Configuration, logger: Logger) async -> Bool {
        context = context.applying(configuration, logger: logger)
        context.doors.apply(configuration)
        await context.applyAdaptors()
        var isTLSGood = true
        for shard in shards {
            await shard.apply(context)
            if configuration.listen.isTLS { isTLSGood = await shard.reloadTLS() && isTLSGood }
        }
        // The operators' own listener has no shard.
        for loop in loops.dropFirst(shards.count) { loop.post { _ = loop.reloadTLS() } }
        return isTLSGood
    }

    /// Marks a person as a walker of the demo's own, whom guests who look may see (SES-14); before their first
    /// position.
    /// - Parameter account: its name on the wire; another text marks nobody.
    func markWalker(_ account: String) {
        context.markWalker(account)
    }

    /// Deletes what has expired (DAT-10).
    public func expire() async {
        await context.expire()
        await context.signIn.endSuspensions(on: shards)
    }

    /// Deletes expired rows every ten minutes until the task is cancelled.
    func expireRegularly() async {
        while !Task.isCancelled {
            await expire()
            try? await Task.sleep(for: .seconds(600))
        }
    }

    /// Sends the mails of the outbox until the task is cancelled.
    func deliverMails() async { await context.deliverMails() }

    /// Carries out deletions of accounts until the task is cancelled.
    func eraseAccounts() async {
        await context.signIn.services.erasures.run { await Erasures.World(context: self.context, shards: self.shards) }
    }

    /// Settles charges and refunds that were interrupted, until the task is cancelled.
    func settleCharges() async {
        await context.signIn.services.purchases.run(refunded: { purchase in
            await self.context.tell(ofRefund: purchase, on: self.shards)
        }) { await self.context.signIn }
    }

    // MARK: Stop

    /// Stops accepting, answers the pending requests once they are on disk, closes the connections in batches (SES-11).
    public func stop() async {
        let settings = context.configuration.shutdown
        let deadline = ContinuousClock.now + .seconds(settings.drainSeconds)
        health.set(serving: false)
        for shard in shards { await shard.drain() }
        // A disk that refuses writes must not use up the time for the goodbye.
        let goodbye = Self.goodbyePause * Self.goodbyeBatches + Self.goodbyeMax
        await wait(until: max(deadline - goodbye, .now + .seconds(settings.drainSeconds) / 2)) {
            await $0.requestsUnderWay == 0
        }
        async let adaptorsEnd: Void = context.stopAdaptors()
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
        await access.close()
        await wait(until: min(deadline, .now + Self.goodbyeMax)) { await $0.connectionCount == 0 }
        for shard in shards {
            // Counts that the disk refuses until the store is closed are lost with the process.
            store.leave(await shard.takeEngagement())
        }
        context.keepTime()
        await adaptorsEnd
        await context.signIn.services.stop()
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
        files = configuration.assetFolder
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
