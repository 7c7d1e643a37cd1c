import ArgumentParser
import CairnConfiguration
import CairnWire

/// The message about an unknown subcommand.
enum Misspelling {
    /// A line that names the nearest subcommand; nil when `arguments` name no subcommand, or a known one.
    static func complaint(about arguments: [String], in command: any ParsableCommand.Type) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return nil }
        if let next = subcommands.first(where: { $0._commandName == word }) {
            return complaint(about: Array(arguments.dropFirst()), in: next)
        }
        guard word != "help" else { return nil }
        let names = subcommands.map { $0._commandName }
        let guess = NearestName.of(word, in: names).map { "did you mean \($0)?" }
        return "cairn: there is no command \(word); " + (guess ?? "there are " + names.joined(separator: ", "))
    }
}
