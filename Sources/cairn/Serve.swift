import ArgumentParser
import CairnConfiguration
import CairnRoot
import Foundation

/// `cairn serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a world until SIGTERM or Ctrl-C.",
        discussion: """
            Without any option the world is kept under ~/.local/state/cairn and only this machine can reach it. With
            --open any name signs in, without a password: for trials on this machine. With --lan phones and computers
            on the same network can reach it, too.
            SIGHUP reads the settings again. Exit: 0 after a shutdown, 78 for a bad setting, 1 for anything else.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Option(help: ArgumentHelp("TCP port (listen.port); 0 takes a free one.", valueName: "port"))
    var port: String?

    @Option(help: "IP address to listen on (listen.address).")
    var address: String?

    @Option(help: ArgumentHelp("Folder of the database (storage.path).", valueName: "folder"))
    var data: String?

    @Flag(
        help: ArgumentHelp(
            "For trials on this machine: any name signs in without a password, and stand-ins take the place of mail, "
                + "pushes, identity providers and payment."))
    var open = false

    @Flag(help: "Serve the local network over TLS, with sign-up; the certificate is made at the first use.")
    var lan = false

    @Flag(help: "A temporary world with 20 people who walk, place and react, and a tour. Nothing is kept.")
    var demo = false

    @Option(
        help: ArgumentHelp(
            "How many times as fast as people those of --demo live, 1 to 100: for screens that should be busy.",
            valueName: "times"))
    var demoSpeed = 1

    @Flag(help: "Begin a new world although its key file exists and no database does.")
    var newWorld = false

    func validate() throws {
        guard DemoWalkers.speeds.contains(demoSpeed) else {
            throw ValidationError("--demo-speed: got \(demoSpeed), wants 1 to 100")
        }
        guard !open || !lan else {
            throw ValidationError("--open is for this machine alone, and --lan serves others: leave one of them out")
        }
    }

    func run() async throws {
        let loaded = try load()
        do {
            try await Server.run(
                loaded, demo: demo ? DemoWalkers.scene : nil, isNewWorld: newWorld, invites: lan,
                started: { [demo, demoSpeed] port, socketPath, mark in
                    guard demo, let door = DemoDoor(loaded.configuration, port: port, mark: mark) else { return }
                    DemoWalkers.start(door, speed: demoSpeed)
                    DemoTour.start(door, socketPath: socketPath, speed: demoSpeed)
                }, leave: { _exit($0) })
        } catch let error as ConfigurationError {
            throw error
        } catch {
            Terminal.error("cairn serve: \(error)")
            throw ExitCode.failure
        }
    }

    private typealias FlagValue = (flag: String, key: String, value: String?)

    private func load() throws -> LoadedConfiguration {
        let flags: [FlagValue] = [("--port", "listen.port", port), ("--data", "storage.path", data)]
        let place: FlagValue = ("--address", "listen.address", address)
        let opening: Opening = open ? .demanded : demo ? .whereLocal : .closed
        guard lan else { return try settings.load(flags: flags + [place], isOfService: false, opening: opening) }
        // Where the certificate is kept follows from the other settings, which are good on loopback in any case.
        let local: FlagValue = ("--lan", "listen.address", "127.0.0.1")
        let other = try settings.load(flags: flags + [local], isOfService: false).configuration
        let listener = try LANListener(address: address, storage: other.storage)
        var served: [FlagValue] = [
            ("--lan", "listen.address", listener.address),
            // Also where the network is a test's loopback: a name alone is no proof of anything.
            ("--lan", "accounts.open", "false"), ("--lan", "accounts.signUp", "true"),
        ]
        // An operator's own certificate stays.
        if !other.listen.isTLS {
            served += [
                ("--lan", "listen.tlsCertificate", listener.pemPath), ("--lan", "listen.tlsKey", listener.pemPath),
            ]
        }
        return try settings.load(flags: flags + served, isOfService: false, opening: .closed)
    }
}
