import ArgumentParser
import CairnRoot

/// `cairn restore`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup in the place of the world's database. The server must be stopped.",
        discussion: """
            The backup is copied and verified first. The database that is there is kept beside it, with the time \
            in its name.
            Exit: 0, or 1 with a line; then nothing was changed.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Option(help: ArgumentHelp("Folder of the database (storage.path).", valueName: "folder"))
    var data: String?

    @Argument(help: "The backup.")
    var file: String

    @Flag(help: "Take the backup although rows of it are damaged: they are set aside, the rest is served.")
    var evenUnsound = false

    func run() throws {
        try StorageCommand.run("restore") {
            try StorageTools.restore(settings.load(data: data), from: file, evenUnsound: evenUnsound)
        }
    }
}
