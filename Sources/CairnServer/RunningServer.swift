internal import CairnCore
internal import CairnFeatures
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire
internal import Foundation
public import Logging

/// A server that serves: store, loops and shards, started in order and stopped in the opposite one.
public struct RunningServer: Sendable {
    /// The bound port.
    public let port: Int
    private let store: Store
    private let loops: [WebSocketLoop]
    private let shards: [Shard]
    private let health: Health
    private let world: World

    /// Longest time that clients are given to answer the goodbye.
    private static let goodbyeMax = Duration.seconds(3)

    /// Opens the store under `storage.path`, starts the loops and listens.
    /// - Throws: `StoreError`, `LoopError`: component, operation and cause.
    public static func start(_ configuration: Configuration, logger: Logger) async throws -> RunningServer {
        let directory = configuration.storage.path ?? "."
        var options = Store.Options(path: directory + "/cairn.sqlite")
        options.synchronous = configuration.storage.synchronous == .full ? .full : .normal
        options.commitChangesMax = configuration.storage.commitChangesMax
        options.commitMilliseconds = configuration.storage.commitMilliseconds
        options.backlogMax = configuration.storage.backlogMax
        options.retryFirst = .milliseconds(configuration.storage.retryFirstMilliseconds)
        options.retryMax = .milliseconds(configuration.storage.retryMaxMilliseconds)
        options.readers = configuration.storage.readers
        let register = Features.register
        let store = try await Store.open(
            options, migrations: SignIn.migrations + KeptAnswer.migrations + register.migrations, logger: logger)
        do {
            return try await start(configuration, store: store, register: register, logger: logger)
        } catch {
            await store.close()
            throw error
        }
    }

    private static func start(
        _ configuration: Configuration, store: Store, register: FeatureRegister, logger: Logger
    ) async throws -> RunningServer {
        let count = configuration.listen.loops > 0 ? configuration.listen.loops : ProcessInfo.processInfo.processorCount
        let clock = ServerClock()
        let newest = Query("SELECT max((SELECT max(id) FROM instances), (SELECT max(id) FROM accounts))")
        let last = try await store.read([newest]).first?.first.map { row in
            if case .integer(let id) = row.values[0] { UInt64(bitPattern: id) } else { UInt64(0) }
        }
        let identifiers = IdentifierIssuer(after: last ?? 0)
        let board = FigureBoard(shardCount: count)
        let health = Health()
        let cells = configuration.cells
        let world = World(
            configuration: configuration, rules: Rules(configuration), register: register,
            reach: ViewTracker.Reach(
                level: cells.level, radius: cells.viewRadiusMetres, hysteresis: cells.viewHysteresis,
                border: cells.borderHysteresisMetres),
            clock: clock, store: store, identifiers: identifiers, directory: HomeDirectory(shardCount: count),
            admission: Admission(configuration.listen),
            signIn: SignIn(store: store, identifiers: identifiers, clock: clock, accounts: configuration.accounts),
            board: board, logger: logger)
        let pages = HTTPPages(store: store, board: board, health: health)

        let loops = try (0..<count).map { try WebSocketLoop(index: $0, options: LoopOptions(configuration)) }
        var port = configuration.listen.port
        for loop in loops {
            port = try loop.listen(
                address: configuration.listen.address, port: port, backlog: configuration.listen.backlog)
        }
        let shards = loops.map { Shard(index: $0.index, loop: $0, world: world) }
        store.onCommit { outcome in
            for shard in shards where outcome.concerns(shard.index) {
                shard.post { $0.settled(outcome) }
            }
        }
        for (loop, shard) in zip(loops, shards) {
            loop.start { LoopAdapter(shard: shard, world: world, pages: pages) }
            shard.post { $0.begin(peers: shards) }
        }
        health.set(serving: true)
        return RunningServer(port: port, store: store, loops: loops, shards: shards, health: health, world: world)
    }

    /// Stops accepting, tells everybody, commits what is under way, closes (SES-11).
    public func stop() async {
        health.set(serving: false)
        let spread = world.configuration.shutdown.reconnectSecondsMax
        await withTaskGroup { group in
            for shard in shards {
                group.addTask { await shard.drain(reconnectSecondsMax: spread) }
            }
        }
        await store.close()
        // What the last commit released is on its way out: one turn of each loop sends it before the goodbye.
        await withTaskGroup { group in
            for shard in shards {
                group.addTask { await shard.sayGoodbye() }
            }
        }
        let deadline = ContinuousClock.now + Self.goodbyeMax
        for shard in shards {
            while await shard.connectionCount > 0, ContinuousClock.now < deadline {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        for loop in loops { loop.stop() }
        world.logger.info("stopped")
    }

    /// Deletes what has expired (DAT-10).
    public func expire() {
        let now = world.clock.now
        let keyLifetime = Int64(world.configuration.storage.keyHours) * 3_600_000
        store.expire(
            world.register.expiries(now: now) + world.signIn.expiries(now: now)
                + KeptAnswer.expiries(before: now - keyLifetime))
    }
}

extension LoopOptions {
    init(_ configuration: Configuration) {
        self.init()
        let connections = configuration.connections
        subprotocols = WireFormat.allCases.map(\.subprotocol)
        echoPath = configuration.debug.echoPath
        tlsCertificatePath = configuration.listen.tlsCertificate
        tlsKeyPath = configuration.listen.tlsKey
        messageBytesMax = connections.messageBytesMax
        messageFragmentsMax = connections.messageFragmentsMax
        messageSecondsMax = connections.messageSecondsMax
        handshakeSecondsMax = connections.handshakeSeconds
        receiveBufferBytes = connections.receiveBufferBytes
        connectionsMax = configuration.listen.connectionsMax
        pingSeconds = connections.pingSeconds
        silenceSeconds = connections.silenceSeconds
        outboxBytesMax = connections.outboxBytesMax
        behindSecondsMax = connections.behindSecondsMax
        silentCloseCode = Closure.silent.code
        slowCloseCode = Closure.slowConsumer.code
        textFraming = TextFraming(
            prefix: String(decoding: ServerItemEncoder.jsonPrefix, as: UTF8.self),
            separator: String(decoding: ServerItemEncoder.jsonJoiner, as: UTF8.self),
            suffix: String(decoding: ServerItemEncoder.jsonSuffix, as: UTF8.self))
    }
}

extension CommitOutcome {
    /// Whether a home of this loop waits for it.
    fileprivate func concerns(_ loop: Int) -> Bool {
        committed.contains { $0.loop == loop } || failed.contains { $0.loop == loop }
    }
}
