import ArgumentParser
import CairnConfiguration
import CairnRoot

/// `cairn verify`
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify every page, index and row of the database, or of a backup.",
        discussion: """
            Opens every sealed value with the key, names what is damaged, and counts the rows of each table beside the \
            kind of home that owns them. Changes nothing, and works beside a running server. With --repair damaged \
            rows are put back from their second copies or from a backup; the server must be stopped, and the file as \
            it was is kept beside it. With --accept rows that somebody deleted, added or changed behind the server's \
            back are taken as they are, and second copies that are not as their rows are made anew.
            Exit: 0 sound, 1 not, with lines that say what.
            """
    )

    @OptionGroup var settings: SettingOptions

    @Option(help: ArgumentHelp("Folder of the database (storage.path).", valueName: "folder"))
    var data: String?

    @Argument(help: "The file; without it the database of the world.")
    var file: String?

    @Option(
        name: .customLong("repair"),
        help: ArgumentHelp("Put damaged rows of the world back from this backup.", valueName: "backup"))
    var backup: String?

    @Flag(help: "Take the rows of the world as they are, after looking at what differs from what the server wrote.")
    var accept = false

    func validate() throws {
        guard !accept || (file == nil && backup == nil) else {
            throw ValidationError("--accept is for the database of the world, and goes without --repair")
        }
        guard backup == nil || file == nil else {
            throw ValidationError("--repair repairs the database of the world, not another file")
        }
    }

    func run() throws {
        try StorageCommand.run("verify", unsound: .failure) {
            defer { Terminal.progress("") }
            let configuration = try settings.load(data: data)
            if let backup {
                return try StorageTools.repair(configuration, from: backup) { Terminal.progress($0) }
            }
            if accept { return try StorageTools.accept(configuration) { Terminal.progress($0) } }
            return try StorageTools.verify(configuration, file: file) { Terminal.progress($0) }
        }
    }
}
