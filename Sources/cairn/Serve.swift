import ArgumentParser
import CairnConfiguration
import CairnRoot
import Foundation

/// `cairn serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a world until SIGTERM or Ctrl-C.",
        discussion: """
            Without any option the world is kept under ~/.local/state/cairn and only this machine can reach it.
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

    @Flag(help: "A throw-away world with 20 people who walk, place and react, and a tour. Nothing is kept.")
    var demo = false

    @Option(
        help: ArgumentHelp(
            "How many times as fast as people those of --demo live, 1 to 100: for screens that should be busy.",
            valueName: "times"))
    var demoSpeed = 1

    @Flag(help: "Begin a world although its key file is there already and no database is: nothing was lost.")
    var newWorld = false

    func validate() throws {
        guard DemoWalkers.speeds.contains(demoSpeed) else {
            throw ValidationError("--demo-speed: got \(demoSpeed), wants 1 to 100")
        }
    }

    func run() async throws {
        let loaded = try settings.load(
            flags: [
                (flag: "--port", key: "listen.port", value: port),
                (flag: "--address", key: "listen.address", value: address),
                (flag: "--data", key: "storage.path", value: data),
            ], isOfService: false)
        do {
            try await Server.run(
                loaded, demo: demo ? DemoWalkers.scene : nil, isNewWorld: newWorld,
                started: { [demo, demoSpeed] port, socketPath in
                    guard demo else { return }
                    DemoWalkers.start(port: port, speed: demoSpeed)
                    DemoTour.start(port: port, socketPath: socketPath, speed: demoSpeed)
                }, leave: { Foundation.exit($0) })
        } catch let error as ConfigurationError {
            throw error
        } catch {
            Terminal.error("cairn serve: \(error)")
            throw ExitCode.failure
        }
    }
}
