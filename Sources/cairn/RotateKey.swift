import ArgumentParser
import CairnRoot

/// `cairn rotate-key`
struct RotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Add a new key to the world's key file. It takes over at the next start.",
        discussion: """
            Stored values are sealed by the database's own keys. Only these are encrypted again, so it takes no time. \
            From then on new values are sealed by a new key, too. Older keys stay in the file: older backups need them.
            """
    )

    @OptionGroup var settings: SettingOptions

    func run() throws {
        try StorageCommand.run("rotate-key") {
            try StorageTools.rotateKey(settings.load(data: nil))
        }
    }
}
