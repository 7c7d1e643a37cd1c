import ArgumentParser

/// The `cairn-crowd` command.
struct CrowdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cairn-crowd",
        abstract: "Sends a crowd to a Cairn server and checks what it sees.",
        discussion: """
            Every bot speaks the real protocol. An oracle checks loss, doubles, order, scope, quotas and that all views
            agree in the end; a broken rule gives exit code 1. Without --url a throw-away server is started beside it.
            """,
        subcommands: [Run.self, Bench.self, Qos.self, Scenarios.self],
        defaultSubcommand: Run.self)
}

/// What the program has of this module.
package enum CrowdTool {
    /// Runs the command by the process's arguments.
    package static func main() async { await CrowdCommand.main() }
}
