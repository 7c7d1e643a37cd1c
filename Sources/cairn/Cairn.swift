import ArgumentParser
import CairnConfiguration
import CairnRoot
import Foundation

/// The `cairn` command.
@main
struct Cairn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cairn",
        abstract: "A session server for shared, location-based AR.",
        discussion: """
            cairn serve             a world on http://127.0.0.1:8080 that is kept
            cairn serve --demo      a temporary world with people in it
            cairn top               a running server's busiest cells, live
            cairn check             whether a running server can do its work
            cairn config show       every setting and where it comes from
            cairn examples connect python     a client in one file
            """,
        version: Server.version,
        subcommands: [
            Serve.self, Config.self, Check.self, Top.self, Stats.self, EngagementCommand.self, Backup.self,
            Restore.self, Verify.self, RotateKey.self, Admin.self, Examples.self,
        ]
    )

    // No closures in this function: closures of a static main are isolated to the main actor and trap on any other
    // thread.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Until the server listens to it: a reload that comes too early must not end it.
        if arguments.first == "serve" { signal(SIGHUP, SIG_IGN) }
        if let complaint = Misspelling.complaint(about: arguments, in: Cairn.self) {
            Terminal.error(complaint)
            exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try parseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            if Terminal.hasLost {
                Terminal.error("cairn: some of the output could not be written")
                exit(withError: ExitCode(Terminal.lostExitCode))
            }
        } catch let error as ConfigurationError {
            Terminal.error(error.description)
            exit(withError: ExitCode(ConfigurationError.exitCode))
        } catch {
            exit(withError: error)
        }
    }
}
