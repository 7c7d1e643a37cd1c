internal import CairnCore
internal import CairnText
import CairnWire
import Configuration
import Foundation
import Synchronization

extension Configuration {
    /// Reads and checks a configuration. Priority: `overrides`, then environment, then file, then default.
    ///
    /// - Parameters:
    ///   - file: path of a YAML file; nil = none.
    ///   - environment: variables whose names begin with `CAIRN_` are settings; `STATE_DIRECTORY`, `XDG_STATE_HOME` and
    ///     `HOME` place the database.
    ///   - overrides: values by key, from the command line.
    ///   - opening: what the command line says about open sign-in and stand-ins.
    /// - Throws: `ConfigurationError` with every problem found: unknown keys with the nearest known one, bad values,
    ///   and settings in conflict.
    public static func load(
        file: String?,
        environment: [String: String],
        overrides: [String: String],
        opening: Opening = .notJudged
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try LoadedConfiguration(
            ConfigurationSources(file: file, environment: environment, overrides: overrides, opening: opening)
        )
    }
}

extension LoadedConfiguration {
    /// Reads `sources` and checks their values.
    init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        let layers = try ConfigurationLayer.layers(of: sources)
        var problems = layers.flatMap(\.unknown)
        var configuration = Configuration()
        configuration.isOpened = Self.isOpened(by: sources)
        var origins: [String: ConfigurationOrigin] = [:]
        for key in ConfigurationKey.all {
            let path = key.path
            for layer in layers {
                guard let (raw, origin) = layer.value(at: path) else { continue }
                if key.automatic != nil, raw == .scalar(ConfigurationKey.automaticWord) { break }
                if key.write(&configuration, raw) {
                    origins[key.name] = origin
                } else if key.name == ConfigurationKey.open, raw == .scalar(ConfigurationKey.automaticWord) {
                    problems.append(Self.refusal(ofOpen: ConfigurationKey.automaticWord, origin))
                } else {
                    let got = key.isSecret ? "a secret value" : raw.shown
                    problems.append("\(key.name): got \(got) (\(origin)), wants \(key.wants)")
                }
                break
            }
        }
        for key in ConfigurationKey.all where origins[key.name] == nil {
            guard let automatic = key.automatic else { continue }
            do throws(ConfigurationError) {
                origins[key.name] = .automatic(try automatic.resolve(&configuration, sources.environment))
            } catch {
                problems += error.problems
            }
        }
        Self.open(&configuration, &origins, sources.opening)
        // Conflicts between settings are reported only when each setting is valid by itself.
        if problems.isEmpty { problems = configuration.conflicts }
        problems += Self.unasked(configuration, origins, sources.opening)
        guard problems.isEmpty else { throw ConfigurationError(problems) }

        self.configuration = configuration
        self.sources = sources
        settings = ConfigurationKey.all.map { key in
            Setting(key: key, value: key.read(configuration), origin: origins[key.name] ?? .shipped)
        }
    }
}

/// One source of values, read through a provider's snapshot.
private struct ConfigurationLayer {
    /// Problems: one for each name in the source that is no setting.
    var unknown: [String] = []
    let snapshot: any ConfigSnapshot
    /// Gives the origin of a value, from the name under which the snapshot found it.
    let origin: (String) -> ConfigurationOrigin

    /// The value of the key with this path in this source; nil when it has none.
    func value(at path: AbsoluteConfigKey) -> (RawSetting, ConfigurationOrigin)? {
        // Every value is read as text and parsed by the table, so that every source gives the same errors. Only for a
        // list does reading a string fail; a list is read next.
        if let found = try? snapshot.value(forKey: path, type: .string),
            case .string(let text) = found.value?.content
        {
            return (.scalar(text), origin(found.encodedKey))
        }
        if let found = try? snapshot.value(forKey: path, type: .stringArray),
            case .stringArray(let items) = found.value?.content
        {
            return (.list(items), origin(found.encodedKey))
        }
        return nil
    }

    /// The sources that have anything, strongest first: to look for a hundred settings in an environment without one
    /// costs 5 ms.
    static func layers(of sources: ConfigurationSources) throws(ConfigurationError) -> [ConfigurationLayer] {
        var layers: [ConfigurationLayer] = []
        if !sources.overrides.isEmpty { layers.append(flags(sources.overrides)) }
        let variables = sources.environment.filter { EnvironmentNames.isOurs($0.key, value: $0.value) }
        if !variables.isEmpty { layers.append(environment(variables)) }
        if let path = sources.file { layers.append(try file(path)) }
        return layers
    }

    private static func flags(_ overrides: [String: String]) -> ConfigurationLayer {
        let known = Set(ConfigurationKey.all.map(\.name))
        let values = overrides.map { name, text in
            (
                AbsoluteConfigKey(name.pieces(at: ".").map(String.init), context: [:]),
                ConfigValue(.string(text), isSecret: false)
            )
        }
        return ConfigurationLayer(
            unknown: overrides.keys.filter { !known.contains($0) }.sorted()
                .map { unknownKey($0, in: "a flag", known: known.sorted()) },
            snapshot: InMemoryProvider(values: Dictionary(values) { first, _ in first }).snapshot(),
            origin: { _ in .flag }
        )
    }

    private static func environment(_ variables: [String: String]) -> ConfigurationLayer {
        let known = Set(ConfigurationKey.all.map(\.environmentVariable))
        return ConfigurationLayer(
            unknown: variables.keys.filter { !known.contains($0) }.sorted()
                .map { unknownKey($0, in: "the environment", known: known.sorted()) },
            snapshot: EnvironmentNames.provider(of: variables).snapshot(),
            origin: { .environment($0) }
        )
    }

    private static func file(_ path: String) throws(ConfigurationError) -> ConfigurationLayer {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(["cannot read the file \(path)"])
        }
        let text = String(decoding: data, as: UTF8.self)
        let lines = text.pieces(at: "\n", omittingEmptySubsequences: false)
        // A file with nothing but comments is empty, and YAML does not accept an empty file as a mapping.
        let isEmpty = lines.allSatisfy { line in
            let content = line.drop { $0.isWhitespace }
            return content.isEmpty || content.first == "#"
        }
        let known = Set(ConfigurationKey.all.map(\.name))
        let secrets = Set(ConfigurationKey.all.filter(\.isSecret).map(\.name))
        // The parser asks for each key that it meets whether it is a secret. Unknown keys are found by these calls.
        let unknown = Mutex<[String]>([])
        let specifier = SecretsSpecifier<String, Void>.dynamic { name, _ in
            if !known.contains(name) { unknown.withLock { $0.append(name) } }
            return secrets.contains(name)
        }
        let snapshot: YAMLSnapshot
        do {
            snapshot = try YAMLSnapshot(
                data: Data((isEmpty ? "{}" : text).utf8).bytes,
                providerName: path,
                parsingOptions: YAMLSnapshot.ParsingOptions(secretsSpecifier: specifier)
            )
        } catch {
            throw ConfigurationError(["\(path) is not a YAML file of sections and keys: \(oneLine(error))"])
        }
        return ConfigurationLayer(
            unknown: unknown.withLock { $0 }.sorted().map { name in
                unknownKey(name, in: path + lineNumber(of: name, in: lines), known: known.sorted())
            },
            snapshot: snapshot,
            origin: { _ in .file(path) }
        )
    }

    private static func unknownKey(_ name: String, in place: String, known: [String]) -> String {
        let shown = RawSetting.scalar(name).shown.dropFirst().dropLast()
        let nearest = NearestName.of(name, in: known).map { "; the nearest is \($0)" } ?? ""
        return "unknown key \(shown) in \(place)\(nearest) (`cairn config doc` lists them all)"
    }

    /// The line number as `:12`, if exactly one line begins with the key's last word. That holds for files with one key
    /// a line.
    private static func lineNumber(of name: String, in lines: [Substring]) -> String {
        let word = name.pieces(at: ".").last ?? ""
        let hits = lines.indices.filter { lines[$0].drop { $0.isWhitespace }.hasPrefix(word + ":") }
        return hits.count == 1 ? ":\(hits[0] + 1)" : ""
    }

    private static func oneLine(_ error: any Error) -> String {
        "\(error)".split { $0.isNewline }.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
    }
}
