public import CairnConfiguration
internal import CairnCore
internal import CairnFeatures
internal import CairnLogging
internal import CairnOperators
internal import CairnServer
internal import Foundation
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// A Cairn server in this process.
public enum Server {
    /// Serves until SIGTERM or SIGINT, as services of one group.
    ///
    /// - Parameters:
    ///   - loaded: the configuration, with where its values came from.
    ///   - scene: of a throw-away world: nothing is read from or written to `storage.path`. Nil = a world that is kept.
    ///   - isNewWorld: a key file without a database is meant, and no sign that a disk is missing.
    ///   - invites: whether the greeting asks the network in (`LANListener`).
    ///   - started: called once the server serves, with its port, the path of its stats socket, and what marks the
    ///     demo's own walkers, by the accounts in their welcomes (`RunningServer.markWalker`).
    ///   - leave: ends the process at once, with this exit code: a second signal does not wait for the first one's
    ///     work. All threads are still at work, so no exit handler may run (`_exit`).
    /// - Throws: what keeps it from serving: a port in use, storage that cannot be opened.
    public static func run(
        _ loaded: LoadedConfiguration, demo scene: DemoScene? = nil, isNewWorld: Bool = false,
        invites: Bool = false,
        started: @escaping @Sendable (Int, String, @escaping WalkerMark) -> Void = { _, _, _ in },
        leave: @escaping @Sendable (Int32) -> Never
    ) async throws {
        CoreDumps.forbid()
        var configuration = loaded.configuration
        let logger = Logger.cairn(configuration.logging)
        defer { LogSink.standardError.flush() }
        let throwAway = FileManager.default.temporaryDirectory.appending(path: "cairn-demo-\(UUID().uuidString)").path
        let demo = scene != nil
        if let scene {
            configuration = loaded.demo(in: throwAway)
            try scene.write(to: throwAway)
        }
        defer { if demo { try? FileManager.default.removeItem(atPath: throwAway) } }

        configuration.listen.connectionsMax = DescriptorLimit.raise(
            for: configuration.listen.connectionsMax, logger: logger)
        let systemd = SystemdNotifier()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let begun = ContinuousClock.now
        let stop = StopOrder(systemd: systemd, logger: logger)
        let reload = ReloadOrder(inForce: loaded)
        let server = try await RunningServer.start(
            configuration, isNewWorld: isNewWorld, logger: logger, actions: operatorActions(stop, reload))
        // Not before: a start that fails says in one line why.
        if geteuid() == 0 {
            logger.warning("runs as root: a fault could then cost the whole machine; give it a user of its own")
        }
        SecretFiles.warn(about: loaded, logger)
        // Log lines from before the greeting are written before it.
        LogSink.standardError.flush()
        greet(
            configuration, of: server, usualSocket: usualSocket(loaded.sources.environment), demo: demo,
            place: scene?.place, invites: invites, took: begun.duration(to: .now))
        systemd.ready("serving on port \(server.port)")
        started(server.port, server.entrance.socketPath) { await server.markWalker($0) }

        // The last one ends first: nothing is reloaded any more, then the server says goodbye, then the rest goes.
        let group = ServiceGroup(
            services: [
                SignalService(signals: signals, stop: stop, reload: reload, leave: leave),
                BackgroundService("expiry") { await server.expireRegularly() },
                BackgroundService("backups") { await server.backUpRegularly() },
                BackgroundService("mails") { await server.deliverMails() },
                BackgroundService("deletions") { await server.eraseAccounts() },
                BackgroundService("charges") { await server.settleCharges() },
                BackgroundService("memory") { await server.watchMemory() },
                ServingService(server: server),
                ReloadService(
                    order: reload, loaded: loaded, server: server, demoFolder: demo ? throwAway : nil,
                    systemd: systemd, logger: logger),
            ], logger: logger)
        stop.carriedOut { await group.triggerGracefulShutdown() }
        try await group.run()
    }

    /// What operators may have this process do.
    private static func operatorActions(_ stop: StopOrder, _ reload: ReloadOrder) -> OperatorActions {
        var actions = OperatorActions()
        actions.drain = { stop.give() ? "stopping" : "stopping already" }
        actions.reload = {
            reload.give()
            return "reading the settings again; the log says what changed"
        }
        actions.previewReload = { try reload.preview() }
        actions.setLogLevel = { LogSink.standardError.level = $0 }
        return actions
    }

    /// The greeting on standard output.
    private static func greet(
        _ configuration: Configuration, of server: RunningServer, usualSocket: String?, demo: Bool, place: String?,
        invites: Bool, took: Duration
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
        let page = (configuration.play.path ?? "") + "/play/two.html"
        let hasPage = configuration.play.enabled && FileManager.default.fileExists(atPath: page)
        if hasPage {
            let query = place.map { "?at=\($0)" } ?? ""
            lines.append("  Play      \(players.http)/play\(query)")
            lines.append("  Two       \(players.http)/play/two\(query)      two phones side by side, and every frame")
        }
        lines.append("  Stats     cairn top\(option)")
        if let path = entrance.credentialPath { lines.append("  Operators \(path)   (the credential)") }
        if !demo {
            let storage = configuration.storage
            lines.append("  Data      \(storage.path ?? ".")/cairn.sqlite   in region \(storage.region)")
            lines.append("  Key       \(configuration.storage.keyFile ?? "none")   keep a copy; the data needs it")
        }
        lines.append(entry(configuration))
        if invites {
            let path = hasPage ? place.map { "/play?at=\($0)" } ?? "/play" : "/account"
            lines += invitation(to: players, path: path, signsUp: configuration.accounts.signUp)
        }
        lines.append("ready in \(took.milliseconds) ms; stop with Ctrl-C")
        // A server whose output nobody can read serves all the same.
        try? FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// How people get in, and what a word on the command line has opened.
    private static func entry(_ configuration: Configuration) -> String {
        let standIns = configuration.standsIn ? ", stand-ins for mail, identity and payment" : ""
        if configuration.accounts.open {
            return "  Sign-in   open: any name, no password\(standIns) (for trials on this machine alone)"
        }
        let hint = standIns.isEmpty ? " (`cairn serve --open` lets any name in, for trials)" : standIns
        return "  Sign-in   with an account\(hint)"
    }

    /// What `--lan` says to whoever stands before the screen with a phone.
    private static func invitation(to players: ListenerAddress, path: String, signsUp: Bool) -> [String] {
        let entry = signsUp ? "anybody on it can make an account" : "accounts are made by nobody (accounts.signUp)"
        return ["", "  Open to this network: \(entry). Point a phone's camera here, or type the address:", ""]
            + players.halfBlocks(path: path).map { "    " + $0 }
            + [
                "", "    \(players.http)\(path)", "",
                "  The browser will warn, because this server vouches for itself: no authority knows it.",
                "  The connection is encrypted all the same; choose \"Advanced\" or \"Details\", then go on.", "",
            ]
    }

    /// The stats socket that commands use by default: that of a server without settings.
    private static func usualSocket(_ environment: [String: String]) -> String? {
        let usual = try? Configuration.load(file: nil, environment: environment, overrides: [:])
        return usual?.configuration.stats.socketPath
    }
}

/// Marks a person as a walker of the demo's own, by the name of the account on the wire. Before their first position.
public typealias WalkerMark = @Sendable (String) async -> Void

extension LoadedConfiguration {
    /// The settings of a demo in this folder. Guests look at it, unless a source of settings says otherwise.
    func demo(in folder: String) -> Configuration {
        var configuration = configuration
        configuration.becomeDemo(in: folder)
        if self["guests.look"]?.isSet == false { configuration.guests.look = true }
        return configuration
    }
}

extension Configuration {
    /// A world that lasts as long as the process. Its walkers place and remove things for days, so the daily quotas of
    /// people must not apply to them.
    mutating func becomeDemo(in folder: String) {
        // Walkers share an address with whoever runs the demo; where names alone do not sign in, they sign up.
        accounts.signUpsPerHour = 1_000
        // An operator's own ground stays.
        if play.groundFile == nil, play.tileURL == nil { play.groundFile = folder + DemoScene.groundFile }
        storage.path = folder
        storage.keyFile = nil
        backup.directory = nil
        stats.socketPath = folder + "/stats.sock"
        adaptors.mailFolder = folder + "/mail"
        adaptors.paymentFolder = folder + "/payments"
        travel.speedMetresPerSecond = 0
        features.becomeDemo(Features.register.settings)
    }
}
