import ArgumentParser

/// The `cairn-crowd` command.
@main
struct CairnCrowd: AsyncParsableCommand {
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
