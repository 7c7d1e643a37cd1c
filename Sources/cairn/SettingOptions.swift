import ArgumentParser
import CairnConfiguration
import CairnText
import Foundation

/// The sources of settings, for every command that reads them.
struct SettingOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "YAML file with settings. Without it all commands but serve read /etc/cairn/cairn.yaml if it is there.",
            valueName: "file"))
    var file: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("One setting, such as --set listen.port=9000. May be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    /// The settings of the machine's own server, as the package and docs/operations.md install them.
    private static let serviceFile = "/etc/cairn/cairn.yaml"

    /// The configuration; `flags` (flag, key and value) are the command line's own settings.
    ///
    /// - Parameter isOfService: whether the command is about the machine's own server unless `--config` or a database
    ///   folder is given. False for `serve`: a server that is started by hand has a world of its own.
    /// - Parameter opening: what the command line says about open sign-in and stand-ins.
    func load(
        flags: [(flag: String, key: String, value: String?)] = [], isOfService: Bool = true,
        opening: Opening = .notJudged
    ) throws -> LoadedConfiguration {
        var overrides: [String: String] = [:]
        func set(_ key: String, to value: String, by flag: String) throws {
            guard overrides.updateValue(value, forKey: key) == nil else {
                throw ConfigurationError(["\(key) is set twice on the command line, the second time by \(flag)"])
            }
        }
        for (flag, key, value) in flags {
            if let value { try set(key, to: value, by: flag) }
        }
        for assignment in assignments {
            guard let equals = assignment.firstPlace(of: "=") else {
                throw ConfigurationError(["--set: got \"\(assignment)\", wants key=value such as listen.port=9000"])
            }
            let (key, value) = (String(assignment[..<equals]), assignment[assignment.index(after: equals)...])
            try Self.checkIsNoSecret(key)
            try set(key, to: String(value), by: "--set")
        }
        let isElsewhere = !isOfService || overrides["storage.path"] != nil
        let service = isElsewhere || access(Self.serviceFile, F_OK) != 0 ? nil : Self.serviceFile
        return try Configuration.load(
            file: file ?? service,
            environment: ProcessInfo.processInfo.environment,
            overrides: overrides,
            opening: opening
        )
    }

    /// Every user of the machine can read a command line.
    private static func checkIsNoSecret(_ name: String) throws {
        guard let key = ConfigurationKey.all.first(where: { $0.name == name }), key.isSecret else { return }
        throw ConfigurationError([
            "\(name): a secret on the command line shows in `ps` to every user of this machine: put it into a file of "
                + "mode 0600 that --config names, or into the variable \(key.environmentVariable)"
        ])
    }
}
