internal import Foundation
internal import Logging
internal import UnixSignals

/// A Cairn server in this process.
public enum Server {
    /// Serves until SIGTERM or SIGINT; a second one ends the process at once.
    ///
    /// - Parameters:
    ///   - loaded: the configuration, with where its values came from.
    ///   - demo: a throw-away world with walkers in it: nothing is read from or written to `storage.path`.
    ///   - started: called once the server serves, with its port.
    /// - Throws: what keeps it from serving: a port in use, storage that cannot be opened.
    public static func run(
        _ loaded: LoadedConfiguration, demo: Bool, started: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        var configuration = loaded.configuration
        let logger = Logger.cairn(configuration.logging)
        let throwAway = FileManager.default.temporaryDirectory.appending(path: "cairn-demo-\(UUID().uuidString)").path
        if demo { configuration.storage.path = throwAway }
        defer { if demo { try? FileManager.default.removeItem(atPath: throwAway) } }

        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let begun = ContinuousClock.now
        let server = try await RunningServer.start(configuration, logger: logger)
        let expiry = Task {
            while !Task.isCancelled {
                server.expire()
                try await Task.sleep(for: .seconds(600))
            }
        }
        greet(configuration, port: server.port, demo: demo, took: begun.duration(to: .now))
        started(server.port)

        var isStopping = false
        for await _ in signals {
            if isStopping { exit(2) }
            isStopping = true
            logger.info("stopping")
            expiry.cancel()
            Task {
                await server.stop()
                exit(0)
            }
        }
    }

    /// What a person wants to know first, on standard output.
    private static func greet(_ configuration: Configuration, port: Int, demo: Bool, took: Duration) {
        let listen = configuration.listen
        let host = listen.address.contains(":") ? "[\(listen.address)]" : listen.address
        let (http, ws) = listen.isTLS ? ("https", "wss") : ("http", "ws")
        var lines = [
            "Cairn \(version)   world: \(demo ? "demo (nothing is kept; `cairn serve` keeps one)" : "kept")",
            "  Socket    \(ws)://\(host):\(port)/v1      subprotocols cairn.v1.json and cairn.v1.proto",
            "  Health    \(http)://\(host):\(port)/readyz",
            "  Metrics   \(http)://\(host):\(port)/metrics",
        ]
        if !demo { lines.append("  Data      \(configuration.storage.path ?? ".")/cairn.sqlite") }
        if configuration.accounts.open { lines.append("  Sign-in   open: any name, no password (loopback only)") }
        lines.append("ready in \(took.milliseconds) ms; stop with Ctrl-C")
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}

extension Logger {
    /// The server's log, on standard error.
    static func cairn(_ settings: Configuration.Logging) -> Logger {
        var logger = Logger(label: "cairn") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Level(rawValue: settings.level.rawValue) ?? .info
        return logger
    }
}
