public import CairnCore
import Configuration

/// The description of one setting. `ConfigurationKey.all` is the only table of settings: values are read and checked by
/// it, and `config/cairn.yaml` and the output of every `cairn config` command are generated from it.
public struct ConfigurationKey: Sendable {
    /// Its path: section, dot, name.
    public let name: String
    /// What the setting does, in a sentence or two.
    public let meaning: String
    /// The unit of a number; nil for other values.
    public let unit: String?
    /// When a change of the value takes effect.
    public let effect: SettingEffect
    /// Whether the value is left out of everything that is printed.
    public let isSecret: Bool
    /// The accepted values, as the end of "wants ...".
    public let wants: String
    /// How the value is derived when it is not set.
    let automatic: Automatic?
    let read: @Sendable (Configuration) -> SettingValue
    /// Sets a value; false when it is not one of those in `wants`.
    let write: @Sendable (inout Configuration, RawSetting) -> Bool
    /// Copies the value from another configuration.
    let copy: @Sendable (_ from: Configuration, _ into: inout Configuration) -> Void

    /// One of the server's own settings; its name holds the section.
    init(_ key: SettingKey<Configuration>, automatic: Automatic? = nil) {
        name = key.name
        meaning = key.meaning
        unit = key.unit
        effect = key.effect
        isSecret = key.isSecret
        wants = key.wants + (automatic == nil ? "" : ", or auto")
        self.automatic = automatic
        read = key.read
        write = key.write
        copy = key.copy
    }

    /// One of a feature's settings.
    init<Values: FeatureSettings>(_ key: SettingKey<Values>) {
        name = "\(Values.section).\(key.name)"
        meaning = key.meaning
        unit = key.unit
        effect = key.effect
        isSecret = key.isSecret
        wants = key.wants
        automatic = nil
        read = { key.read($0.features[Values.self]) }
        write = { key.write(&$0.features[Values.self], $1) }
        copy = { key.copy($0.features[Values.self], &$1.features[Values.self]) }
    }

    /// A default that follows from other settings or from the environment.
    struct Automatic: Sendable {
        /// The rule, for the documentation.
        let rule: String
        /// Sets the value and returns the reason for it. Throws a problem.
        let resolve: @Sendable (inout Configuration, [String: String]) throws(ConfigurationError) -> String
    }

    /// The word that asks for an automatic default.
    static let automaticWord = "auto"

    /// The section's name: the part before the dot.
    public var section: String { String(name.prefix { $0 != "." }) }
    /// The name within the section.
    public var leaf: String { String(name.drop { $0 != "." }.dropFirst()) }

    /// The name of the environment variable, as the provider that reads it encodes the key.
    public var environmentVariable: String { EnvironmentNames.variable(for: self) }

    /// The path in the form of swift-configuration.
    var path: AbsoluteConfigKey { AbsoluteConfigKey([section, leaf], context: [:]) }

    /// The default as written in a file: a value, or `auto`.
    public var defaultYAML: String {
        automatic == nil ? read(Configuration()).yaml : Self.automaticWord
    }
}
