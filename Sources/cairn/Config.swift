import ArgumentParser
import CairnConfiguration
import CairnRoot

/// `cairn config`
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check, show and explain settings.",
        subcommands: [ConfigCheck.self, ConfigShow.self, ConfigDefault.self, ConfigEnvironment.self, ConfigDoc.self]
    )
}

/// `cairn config check`
struct ConfigCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the settings. Exit 0, or 78 with a line for each problem."
    )

    @OptionGroup var settings: SettingOptions

    func run() throws {
        let loaded = try settings.load(opening: .closed)
        try Server.examine(loaded)
        let count = loaded.settings.count { $0.isSet }
        Terminal.write("good: \(count) of \(loaded.settings.count) settings are set, the others have their defaults\n")
    }
}

/// `cairn config show`
struct ConfigShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print every setting with its value and the value's source."
    )

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Only settings that are not at their defaults.")
    var changed = false

    func run() throws {
        let loaded = try settings.load()
        Terminal.write(ConfigurationDocument.shown(changed ? loaded.settings.filter(\.isSet) : loaded.settings))
    }
}

/// `cairn config default`
struct ConfigDefault: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Print a file with every setting at its default, explained."
    )

    func run() {
        Terminal.write(ConfigurationDocument.yaml())
    }
}

/// `cairn config env`
struct ConfigEnvironment: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print every setting as an environment variable at its default."
    )

    func run() {
        Terminal.write(ConfigurationDocument.environment())
    }
}

/// `cairn config doc`
struct ConfigDoc: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doc",
        abstract: "Print the reference of all settings in Markdown."
    )

    func run() {
        Terminal.write(ConfigurationDocument.markdown())
    }
}
