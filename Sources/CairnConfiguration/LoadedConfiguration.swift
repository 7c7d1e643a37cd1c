public import CairnCore

/// A configuration together with where each of its values came from.
public struct LoadedConfiguration: Sendable {
    /// The values, checked.
    public let configuration: Configuration
    /// Every key with its value and origin, in the order of `ConfigurationKey.all`.
    public let settings: [Setting]
    /// The sources, which a reload reads again.
    package let sources: ConfigurationSources

    /// One key with its value.
    public struct Setting: Sendable {
        /// What the key means.
        public let key: ConfigurationKey
        /// The value; `auto` is resolved.
        public let value: SettingValue
        /// Where the value came from.
        public let origin: ConfigurationOrigin

        /// Whether it is set explicitly: in a file, a variable or a flag.
        public var isSet: Bool {
            switch origin {
            case .shipped, .automatic: false
            case .file, .environment, .flag: true
            }
        }
    }

    /// The setting called `name`, such as `listen.port`; nil when there is none.
    public subscript(_ name: String) -> Setting? {
        settings.first { $0.key.name == name }
    }
}

/// Where a value came from, strongest last.
public enum ConfigurationOrigin: Sendable, Equatable, CustomStringConvertible {
    /// The shipped default.
    case shipped
    /// Derived from other settings or from the environment, for this reason.
    case automatic(String)
    /// The file at this path.
    case file(String)
    /// The environment variable of this name.
    case environment(String)
    /// The command line.
    case flag

    /// The origin as `cairn config show` prints it.
    public var description: String {
        switch self {
        case .shipped: "default"
        case .automatic(let reason): "auto: \(reason)"
        case .file(let path): "file \(path)"
        case .environment(let variable): "environment \(variable)"
        case .flag: "flag"
        }
    }
}

/// The sources of a configuration, read at the start and at each reload.
package struct ConfigurationSources: Sendable {
    /// Path of a YAML file.
    package var file: String?
    package var environment: [String: String]
    /// From the command line, by key.
    package var overrides: [String: String]
    /// What the command line says about open sign-in and stand-ins.
    package var opening: Opening
}
