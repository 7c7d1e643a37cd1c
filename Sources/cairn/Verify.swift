import ArgumentParser
import CairnServer

/// `cairn verify`
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say whether the database, or a backup, is sound and opens with the key.",
        discussion: "Changes nothing, and works beside a running server. Exit: 0 sound, 1 not, with a line."
    )

    @OptionGroup var settings: SettingOptions

    @Option(help: "Folder of the database (storage.path).")
    var data: String?

    @Argument(help: "The file; without it the database of the world.")
    var file: String?

    func run() throws {
        try StorageCommand.run("verify") {
            try StorageTools.verify(settings.load(data: data), file: file)
        }
    }
}
