public import CairnCore
import Configuration

/// One setting: all there is to know about it. `ConfigurationKey.all` is the one table from which values are read and
/// checked, and from which `config/cairn.yaml` and every `cairn config` command are made.
public struct ConfigurationKey: Sendable {
    /// Its path: section, dot, name.
    public let name: String
    /// What it does, in a sentence or two.
    public let meaning: String
    /// What its number counts; nil for what is not a number.
    public let unit: String?
    /// When a change of it counts.
    public let effect: SettingEffect
    /// Whether its value is kept out of everything that is printed.
    public let isSecret: Bool
    /// The values that it takes, as the end of "wants ...".
    public let wants: String
    /// How its value is worked out when nobody sets it.
    let automatic: Automatic?
    let read: @Sendable (Configuration) -> SettingValue
    /// Puts a value in; false when it is not one of those in `wants`.
    let write: @Sendable (inout Configuration, RawSetting) -> Bool
    /// Takes the value over from another configuration.
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
        /// Puts the value in and gives the reason for it. Fails with a problem.
        let resolve: @Sendable (inout Configuration, [String: String]) throws(ConfigurationError) -> String
    }

    /// The word that asks for an automatic default.
    static let automaticWord = "auto"

    /// The section's name: what stands before the dot.
    public var section: String { String(name.prefix { $0 != "." }) }
    /// The name within the section.
    public var leaf: String { String(name.drop { $0 != "." }.dropFirst()) }

    /// Its name in the environment, as the provider that reads it encodes it.
    public var environmentVariable: String { EnvironmentNames.variable(for: self) }

    /// The path in the form of swift-configuration.
    var path: AbsoluteConfigKey { AbsoluteConfigKey([section, leaf], context: [:]) }

    /// The default as it stands in a file: a value, or `auto`.
    public var defaultYAML: String {
        automatic == nil ? read(Configuration()).yaml : Self.automaticWord
    }
}
