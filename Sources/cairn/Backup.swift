import ArgumentParser
import CairnConfiguration
import CairnRoot

/// `cairn backup`
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a verified copy of the world; the server may be running.",
        discussion: """
            The copy is sealed like the database: it opens only with the key file.
            Exit: 0; 1 with a line when no copy was written; 3 when it has damaged rows: such a copy replaces no sound \
            one.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Option(help: ArgumentHelp("Folder of the database (storage.path).", valueName: "folder"))
    var data: String?

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "File to write; without it one in backup.directory, named by the time.", valueName: "file"))
    var file: String?

    func run() throws {
        // Damaged rows end with 3: the backup was made all the same.
        try StorageCommand.run("backup", unsound: ExitCode(3)) {
            try StorageTools.backUp(settings.load(data: data), to: file)
        }
    }
}

/// The common frame of the storage commands.
enum StorageCommand {
    /// Prints the lines, or the error and ends with 1.
    static func run(_ name: String, _ body: () throws -> String) throws {
        try run(name, unsound: .failure) { StorageTools.Outcome(text: try body(), isSound: true) }
    }

    /// Prints the outcome, or the error and ends with 1; ends with `unsound` when something is damaged.
    static func run(_ name: String, unsound: ExitCode, _ body: () throws -> StorageTools.Outcome) throws {
        do {
            let outcome = try body()
            Terminal.write(outcome.text + "\n")
            if !outcome.isSound { throw unsound }
        } catch let error as ExitCode {
            throw error
        } catch let error as ConfigurationError {
            throw error
        } catch {
            Terminal.error("cairn \(name): \(error)")
            throw ExitCode.failure
        }
    }
}

extension SettingOptions {
    /// The configuration of a world in a folder.
    func load(data: String?) throws -> Configuration {
        try load(flags: [(flag: "--data", key: "storage.path", value: data)]).configuration
    }
}
