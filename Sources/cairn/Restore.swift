import ArgumentParser
import CairnRoot

/// `cairn restore`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the world's database with a backup. The server must be stopped.",
        discussion: """
            The backup is copied and verified first. The replaced database is kept beside it, with the time \
            in its name.
            Exit: 0, or 1 with a line; then nothing was changed.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Option(help: ArgumentHelp("Folder of the database (storage.path).", valueName: "folder"))
    var data: String?

    @Argument(help: "The backup.")
    var file: String

    @Flag(help: "Restore even a backup with damaged rows: they are set aside, and the rest is served.")
    var evenUnsound = false

    func run() throws {
        try StorageCommand.run("restore") {
            try StorageTools.restore(settings.load(data: data), from: file, evenUnsound: evenUnsound)
        }
    }
}
