internal import CairnFeatures
internal import Foundation
internal import Logging
internal import Synchronization
internal import UnixSignals

/// A Cairn server in this process.
public enum Server {
    /// Serves until SIGTERM or SIGINT; a second one ends the process at once.
    ///
    /// - Parameters:
    ///   - loaded: the configuration, with where its values came from.
    ///   - demo: a throw-away world with walkers in it: nothing is read from or written to `storage.path`.
    ///   - isNewWorld: a key file without a database is meant, and no sign that a disk is missing.
    ///   - started: called once the server serves, with its port.
    /// - Throws: what keeps it from serving: a port in use, storage that cannot be opened.
    public static func run(
        _ loaded: LoadedConfiguration, demo: Bool, isNewWorld: Bool = false,
        started: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        var loaded = loaded
        var configuration = loaded.configuration
        let logger = Logger.cairn(configuration.logging)
        defer { LogSink.standardError.flush() }
        let throwAway = FileManager.default.temporaryDirectory.appending(path: "cairn-demo-\(UUID().uuidString)").path
        if demo { configuration.becomeDemo(in: throwAway) }
        defer { if demo { try? FileManager.default.removeItem(atPath: throwAway) } }

        configuration.listen.connectionsMax = DescriptorLimit.raise(
            for: configuration.listen.connectionsMax, logger: logger)
        let systemd = SystemdNotifier()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let begun = ContinuousClock.now
        let order = StopOrder()
        let server = try await RunningServer.start(
            configuration, isNewWorld: isNewWorld, logger: logger, actions: operatorActions(order))
        // Not before: a start that fails says in one line why.
        if geteuid() == 0 {
            logger.warning("runs as root: a fault could then cost the whole machine; give it a user of its own")
        }
        SecretFiles.warn(about: loaded, logger)
        let expiry = Task {
            while !Task.isCancelled {
                await server.expire()
                try await Task.sleep(for: .seconds(600))
            }
        }
        let backups = Task { await server.backUpRegularly() }
        let memory = Task { await server.watchMemory() }
        defer {
            expiry.cancel()
            backups.cancel()
            memory.cancel()
        }
        // Who waits for the greeting finds in the log what was said before it.
        LogSink.standardError.flush()
        greet(
            configuration, of: server, usualSocket: usualSocket(loaded.sources.environment), demo: demo,
            took: begun.duration(to: .now))
        systemd.ready("serving on port \(server.port)")
        started(server.port)

        var isStopping = false
        for await signal in signals {
            if signal == .sighup {
                guard !isStopping else { continue }
                systemd.reloading()
                loaded = await reload(loaded, of: server, demoFolder: demo ? throwAway : nil, logger: logger)
                systemd.ready("serving on port \(server.port)")
                continue
            }
            if isStopping {
                // An operator's order and the first signal from outside are not the same person asking twice.
                guard order.isSignalImpatient() else { continue }
                LogSink.standardError.flush()
                exit(2)
            }
            isStopping = true
            systemd.stopping()
            logger.info("stopping")
            Task {
                await server.stop()
                if demo { try? FileManager.default.removeItem(atPath: throwAway) }
                LogSink.standardError.flush()
                exit(0)
            }
        }
    }

    /// Reads the settings again. Bad ones change nothing.
    private static func reload(
        _ loaded: LoadedConfiguration, of server: RunningServer, demoFolder: String?, logger: Logger
    ) async -> LoadedConfiguration {
        do {
            let reload = try loaded.reload()
            var configuration = reload.loaded.configuration
            if let demoFolder { configuration.becomeDemo(in: demoFolder) }
            let isTLSGood = await server.adopt(configuration, logger: Logger.cairn(configuration.logging))
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

    /// What operators may have this process do; the signals' own ways are taken.
    private static func operatorActions(_ order: StopOrder) -> OperatorActions {
        var actions = OperatorActions()
        actions.drain = {
            guard order.give() else { return "stopping already" }
            kill(getpid(), SIGTERM)
            return "stopping"
        }
        actions.reload = {
            kill(getpid(), SIGHUP)
            return "reading the settings again; the log says what changed"
        }
        actions.setLogLevel = { LogSink.standardError.level = $0 }
        return actions
    }

    /// What a person wants to know first, on standard output.
    private static func greet(
        _ configuration: Configuration, of server: RunningServer, usualSocket: String?, demo: Bool, took: Duration
    ) {
        let (players, operators) = (server.addresses.players, server.addresses.operators)
        let entrance = server.entrance
        let option = entrance.socketPath == usualSocket ? "" : " --socket \(entrance.socketPath)"
        var lines = [
            "Cairn \(version)   world: \(demo ? "demo (nothing is kept; `cairn serve` keeps one)" : "kept")",
            "  Socket    \(players.webSocket)/v1      subprotocols cairn.v1.json and cairn.v1.proto",
            "  Health    \(players.http)/readyz",
            "  Metrics   \(operators.http)/metrics",
        ]
        if let link = entrance.link {
            lines.append("  Console   \(operators.http)/console?link=\(link)   (opens once, within 15 minutes)")
        } else {
            lines.append("  Console   \(operators.http)/console   (`cairn stats\(option) link` gives a way in)")
        }
        lines.append("  Stats     cairn top\(option)")
        if let path = entrance.credentialPath { lines.append("  Operators \(path)   (the credential)") }
        if !demo {
            lines.append("  Data      \(configuration.storage.path ?? ".")/cairn.sqlite")
            lines.append("  Key       \(configuration.storage.keyFile ?? "none")   who loses it loses the world")
        }
        if configuration.accounts.open { lines.append("  Sign-in   open: any name, no password (loopback only)") }
        lines.append("ready in \(took.milliseconds) ms; stop with Ctrl-C")
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// The stats socket that commands ask without being told: that of a server without settings.
    private static func usualSocket(_ environment: [String: String]) -> String? {
        let usual = try? Configuration.load(file: nil, environment: environment, overrides: [:])
        return usual?.configuration.stats.socketPath
    }
}

extension Configuration {
    /// A world that lasts as long as the process. Walkers who leave things and take them away again for days must not
    /// run into what a day allows people, or the world would stand still.
    fileprivate mutating func becomeDemo(in folder: String) {
        storage.path = folder
        storage.keyFile = nil
        backup.directory = nil
        stats.socketPath = folder + "/stats.sock"
        travel.speedMetresPerSecond = 0
        features.placements.perDay = max(features.placements.perDay, 10_000)
        features.placements.changesPerDay = max(features.placements.changesPerDay, 100_000)
    }
}

/// Who has asked the process to stop: whoever signals twice does not want to wait, an operator who asks again does.
private final class StopOrder: Sendable {
    /// An operator has asked, and no signal from outside has come since the one that this sent.
    private let isOperators = Atomic(false)
    private let isGiven = Atomic(false)

    /// - Returns: whether it is an operator's first.
    func give() -> Bool {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return false }
        isOperators.store(true, ordering: .relaxed)
        return true
    }

    /// While the process stops, a signal has come.
    /// - Returns: whether to end at once.
    func isSignalImpatient() -> Bool { !isOperators.exchange(false, ordering: .relaxed) }
}
