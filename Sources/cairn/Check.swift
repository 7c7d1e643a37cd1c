import ArgumentParser
import CairnConfiguration
import CairnOperators
import CairnRoot
import Foundation

/// `cairn check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the health of a running server.",
        discussion: """
            Asks the server that these settings belong to, over its stats socket. As `cairn serve` does, it reads \
            --config, the environment and --set.
            Exit: 0 ready, 1 up but not ready (starting, draining, storage failing), 2 no answer, 78 bad settings.
            """
    )

    @OptionGroup var options: StatsOptions

    @Option(help: ArgumentHelp("How long to wait for an answer, in seconds.", valueName: "seconds"))
    var timeout = 5.0

    @Option(help: "text for people, json, nagios (one line of a plug-in), prometheus (for a textfile collector).")
    var format = CheckReport.Format.text

    func validate() throws {
        guard timeout > 0, timeout <= 300 else {
            throw ValidationError("--timeout: got \(timeout), wants more than 0 and at most 300 seconds")
        }
    }

    func run() throws {
        let whom = try whom()
        let report = look(at: whom.path, expectedPort: whom.port, world: whom.world)
        Terminal.write(report.text(format))
        if report.state != .ready { throw ExitCode(report.state.rawValue) }
    }

    /// The socket to ask; the port that its server must have to be the one of the settings (nil = any port); and the
    /// settings of its world, if they are known.
    private func whom() throws -> (path: String, port: Int?, world: Configuration?) {
        if let socket = options.socket { return (socket, nil, nil) }
        let loaded = try options.load()
        let port = loaded.configuration.listen.port
        // A default port identifies no server: the server may have its port from a flag.
        let isMeant = loaded["listen.port"]?.isSet == true && port != 0
        return (options.path(in: loaded), isMeant ? port : nil, loaded.configuration)
    }

    private func look(at path: String, expectedPort: Int?, world: Configuration?) -> CheckReport {
        var report = CheckReport(socket: path)
        let began = ContinuousClock.now
        do {
            let connection = try StatsConnection(path: path, seconds: timeout)
            try connection.send("check")
            report.add(Data(try connection.line()), expectedPort: expectedPort)
        } catch {
            report.reason = "\(error)"
            if let world, let process = StorageTools.holder(world) {
                report.addHolder(process, isListening: !OperatorSocket.isAbsent(error))
            }
        }
        report.seconds = began.duration(to: .now) / .seconds(1)
        return report
    }
}
