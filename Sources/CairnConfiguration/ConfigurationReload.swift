internal import CairnCore

/// The result of reading a configuration again (SIGHUP).
public struct ConfigurationReload: Sendable {
    /// The configuration in force from now on: new values of live keys, old values of the others.
    public let loaded: LoadedConfiguration
    /// Changed keys that take effect now.
    public let applied: [Change]
    /// Changed keys that take effect at the next restart.
    public let waiting: [Change]

    /// One changed key.
    public struct Change: Sendable, Equatable, CustomStringConvertible {
        /// The key's name.
        public let name: String
        /// Its value until now, as in an environment variable; nil for a secret.
        public let old: String?
        /// Its value in the source.
        public let new: String?

        /// `listen.port: 8080 -> 8081`.
        public var description: String {
            guard let old, let new else { return "\(name): changed" }
            return "\(name): \(old) -> \(new)"
        }
    }
}

extension LoadedConfiguration {
    /// Reads the same file, environment and flags again. If it throws, the present configuration stays in force.
    public func reload() throws(ConfigurationError) -> ConfigurationReload {
        let fresh = try LoadedConfiguration(sources)
        var merged = configuration
        var settings = self.settings
        var applied: [ConfigurationReload.Change] = []
        var waiting: [ConfigurationReload.Change] = []
        for (index, setting) in fresh.settings.enumerated() {
            let key = setting.key
            let old = key.read(configuration)
            if key.effect == .live { settings[index] = setting }
            guard old != setting.value else { continue }
            let change = ConfigurationReload.Change(
                name: key.name,
                old: key.isSecret ? nil : old.plain,
                new: key.isSecret ? nil : setting.value.plain
            )
            switch key.effect {
            case .restart:
                waiting.append(change)
            case .live:
                applied.append(change)
                key.copy(fresh.configuration, &merged)
            }
        }
        // New live values and old values of other keys can be in conflict although neither configuration was.
        let conflicts = merged.conflicts
        guard conflicts.isEmpty else { throw ConfigurationError(conflicts) }
        let loaded = LoadedConfiguration(configuration: merged, settings: settings, sources: sources)
        return ConfigurationReload(loaded: loaded, applied: applied, waiting: waiting)
    }
}
