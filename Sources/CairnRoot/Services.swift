internal import CairnConfiguration
internal import CairnLogging
internal import CairnOperators
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

/// One of the server's services. The group names them in the log: by a description of their own, because the usual one
/// is all that is in them, settings and secrets included.
protocol NamedService: Service, CustomStringConvertible {}

/// Obeys the system's signals: SIGTERM and SIGINT stop the server, SIGHUP has it read its settings again.
struct SignalService: NamedService {
    let description = "signals"
    let signals: UnixSignalsSequence
    let stop: StopOrder
    let reload: ReloadOrder
    let leave: @Sendable (Int32) -> Never

    func run() async throws {
        var stops = 0
        for await signal in signals.cancelOnGracefulShutdown() {
            guard signal != .sighup else {
                reload.give()
                continue
            }
            stops += 1
            guard stops == 1 else {
                LogSink.standardError.flush()
                leave(2)
            }
            // The order may have come from an operator; the first signal after that is not a second signal.
            _ = stop.give()
        }
    }
}

/// Lets the server serve until the group ends, and then has it say goodbye.
struct ServingService: NamedService {
    let description = "serving"
    let server: RunningServer

    func run() async throws {
        try await gracefulShutdown()
        await server.stop()
    }
}

/// Work beside the serving. The group does not wait for it at its end: an interrupted backup leaves a draft that the
/// next one replaces.
struct BackgroundService: NamedService {
    let description: String
    let work: @Sendable () async -> Void

    init(_ name: String, _ work: @escaping @Sendable () async -> Void) {
        description = name
        self.work = work
    }

    func run() async throws {
        let task = Task { await work() }
        defer { task.cancel() }
        try await gracefulShutdown()
    }
}

/// Reads the settings again, one order after the other.
struct ReloadService: NamedService {
    let description = "reloads"
    let order: ReloadOrder
    let loaded: LoadedConfiguration
    let server: RunningServer
    /// Where a demo has its world; nil = it is none.
    let demoFolder: String?
    let systemd: SystemdNotifier
    let logger: Logger

    func run() async throws {
        var loaded = loaded
        for await _ in order.orders.cancelOnGracefulShutdown() {
            systemd.reloading()
            loaded = await reload(loaded)
            order.inForce(loaded)
            systemd.ready("serving on port \(server.port)")
        }
    }

    /// Bad settings change nothing.
    private func reload(_ loaded: LoadedConfiguration) async -> LoadedConfiguration {
        do {
            let reload = try loaded.reload()
            let settings = reload.loaded
            let configuration = demoFolder.map { settings.demo(in: $0) } ?? settings.configuration
            let isTLSGood = await server.apply(configuration, logger: Logger.cairn(configuration.logging))
            if !isTLSGood { logger.error("TLS certificate or key cannot be used; the old ones stay in force") }
            for change in reload.applied { logger.notice("reloaded \(change)") }
            SecretFiles.warn(about: reload.loaded, logger)
            for change in reload.waiting { logger.notice("waits for a restart: \(change)") }
            return reload.loaded
        } catch {
            logger.error("reload failed, the old settings stay in force: \(error)")
            return loaded
        }
    }
}

/// The order to stop, from a signal or an operator. Only the first one counts.
final class StopOrder: Sendable {
    private let isGiven = Atomic(false)
    private let stop = Mutex<(@Sendable () async -> Void)?>(nil)
    private let systemd: SystemdNotifier
    private let logger: Logger

    init(systemd: SystemdNotifier, logger: Logger) {
        self.systemd = systemd
        self.logger = logger
    }

    /// Sets how the server is stopped. An order that came before is carried out now.
    func carriedOut(by stop: @escaping @Sendable () async -> Void) {
        self.stop.withLock { $0 = stop }
        if isGiven.load(ordering: .sequentiallyConsistent) { Task { await stop() } }
    }

    /// - Returns: whether it is the first.
    func give() -> Bool {
        guard !isGiven.exchange(true, ordering: .sequentiallyConsistent) else { return false }
        systemd.stopping()
        logger.info("stopping")
        if let stop = stop.withLock({ $0 }) { Task { await stop() } }
        return true
    }
}

/// Orders to read the settings again. Waiting orders are merged: the settings are read once for all of them.
final class ReloadOrder: Sendable {
    let orders: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    /// The settings in force.
    private let loaded: Mutex<LoadedConfiguration>

    /// - Parameter loaded: the settings with which the server starts.
    init(inForce loaded: LoadedConfiguration) {
        (orders, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.loaded = Mutex(loaded)
    }

    func give() {
        continuation.yield()
    }

    /// Notes the settings in force, with which others are compared.
    func inForce(_ loaded: LoadedConfiguration) {
        self.loaded.withLock { $0 = loaded }
    }

    /// What an order would change; it changes nothing.
    func preview() throws -> SettingChanges {
        let reload = try loaded.withLock { $0 }.reload()
        return SettingChanges(applied: reload.applied.map { "\($0)" }, waiting: reload.waiting.map { "\($0)" })
    }
}
