import ArgumentParser
import CairnServer
import Foundation

/// Where settings come from, for every command that reads them.
struct SettingOptions: ParsableArguments {
    @Option(name: .customLong("config"), help: "YAML file with settings; without it there are only defaults.")
    var file: String?

    @Option(name: .customLong("set"), help: "One setting, such as --set listen.port=9000. May be repeated.")
    var assignments: [String] = []

    /// The configuration, with `flags` (a flag, its key and its value) as the command line's own settings.
    func load(flags: [(flag: String, key: String, value: String?)] = []) throws -> LoadedConfiguration {
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
            guard let equals = assignment.firstIndex(of: "=") else {
                throw ConfigurationError(["--set: got \"\(assignment)\", wants key=value such as listen.port=9000"])
            }
            let value = assignment[assignment.index(after: equals)...]
            try set(String(assignment[..<equals]), to: String(value), by: "--set")
        }
        return try Configuration.load(
            file: file,
            environment: ProcessInfo.processInfo.environment,
            overrides: overrides
        )
    }
}
