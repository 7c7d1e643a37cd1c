import CairnCore
import CairnFeatures
import Foundation
import Testing

@testable import CairnConfiguration
@testable import CairnWire

@Suite("Configuration: the table of keys")
struct ConfigurationTableTests {
    /// The keys that the structs have, by reflection.
    private static func properties(of configuration: Configuration) -> [String: String] {
        var found: [String: String] = [:]
        func add(_ section: String, _ values: Any) {
            for property in Mirror(reflecting: values).children {
                found["\(section).\(property.label ?? "")"] = "\(property.value)"
            }
        }
        for section in Mirror(reflecting: configuration).children where section.label != "features" {
            add(section.label ?? "", section.value)
        }
        for settings in Features.register.settings {
            add(settings.section, configuration.features.values(of: settings))
        }
        return found
    }

    @Test func everyProperty_hasExactlyOneKey() {
        let names = ConfigurationKey.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names) == Set(Self.properties(of: Configuration()).keys))
        #expect(
            ConfigurationKey.sections.map(\.name)
                == names.reduce(into: [String]()) { sections, name in
                    let section = String(name.prefix { $0 != "." })
                    if sections.last != section { sections.append(section) }
                })
    }

    @Test(arguments: ConfigurationKey.all.map(\.name))
    func writingAKey_changesItsPropertyAndNoOther(name: String) throws {
        let key = try #require(ConfigurationKey.all.first { $0.name == name })
        // Something that every kind of key finds a value in that is not its default.
        let file = try TemporaryFile("a readable file")
        let folder = FileManager.default.temporaryDirectory.path
        let candidates = [
            "false", "true", "17", "10", "48", "50000", "2000000", "0.5", "0.25", "2.5", "-7", "normal", "debug",
            "json", "::1", folder, file.path, "/other", "https://a.example", "127.0.0.1:9", "word",
            "a@example.org", "Forwarded",
            "https://tiles.example/{z}/{x}/{y}.png", "51.5 -0.12; 51.6 -0.12; 51.6 -0.1",
            "upper", "exact", "nobody", "members", "realm a.example", "MX", "EUR", "google \(file.path)", "fr",
            "A1B2C3D4E5.org.example.walks", "google https://a.example/authorize?client_id=a",
            "org.example.walks " + Array(repeating: "1F", count: 32).joined(separator: ":"),
        ]
        let before = Self.properties(of: Configuration())
        var changed: Configuration?
        for candidate in candidates {
            var configuration = Configuration()
            guard key.write(&configuration, .scalar(candidate)), configuration != Configuration() else { continue }
            changed = configuration
            break
        }
        let after = Self.properties(of: try #require(changed))
        #expect(before.keys.filter { before[$0] != after[$0] } == [name])
        var copy = Configuration()
        key.copy(try #require(changed), &copy)
        #expect(copy == changed)
    }

    @Test(arguments: ConfigurationKey.all.map(\.name))
    func defaults_areWithinTheirOwnBounds(name: String) throws {
        let key = try #require(ConfigurationKey.all.first { $0.name == name })
        let value = key.read(Configuration())
        guard !(value == .none && key.automatic != nil) else { return }
        var configuration = Configuration()
        let raw: RawSetting = if case .list(let items) = value { .list(items) } else { .scalar(value.plain) }
        #expect(key.write(&configuration, raw))
        #expect(configuration == Configuration())
    }

    @Test func everyKey_isExplained() {
        for key in ConfigurationKey.all {
            #expect(key.meaning.hasSuffix("."), "\(key.name)")
            #expect(!key.meaning.contains("|"), "\(key.name) breaks the Markdown table")
            switch key.read(Configuration()) {
            case .integer, .number: #expect(key.unit != nil, "\(key.name)")
            case .flag, .text, .list, .none: #expect(key.unit == nil, "\(key.name)")
            }
        }
    }

    @Test func committedFile_isTheGeneratedOne() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../").standardized
        let committed = try String(contentsOf: root.appending(path: "config/cairn.yaml"), encoding: .utf8)
        #expect(
            committed == ConfigurationDocument.yaml(),
            "run `cairn config default > config/cairn.yaml` after a change of the table")
    }

    @Test func committedFile_loadsAsTheDefaults() throws {
        let file = try TemporaryFile(ConfigurationDocument.yaml())
        let loaded = try Configuration.loadTesting(file: file)
        #expect(try loaded.configuration == Configuration.loadTesting().configuration)
        #expect(loaded.settings.filter { $0.key.automatic == nil }.allSatisfy { $0.isSet })
    }

    @Test func environmentDocument_loadsAsTheDefaults() throws {
        var variables: [String: String] = [:]
        for line in ConfigurationDocument.environment().split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = String(parts[1])
        }
        #expect(variables.count == ConfigurationKey.all.count)
        let loaded = try Configuration.loadTesting(environment: variables)
        #expect(try loaded.configuration == Configuration.loadTesting().configuration)
    }

    @Test func markdown_hasEveryKey() {
        let text = ConfigurationDocument.markdown()
        #expect(ConfigurationKey.all.allSatisfy { text.contains("| `\($0.name)` |") })
    }

    @Test func show_hidesSecrets() throws {
        let key = ConfigurationKey(
            .optionalText(
                "debug.echoPath", \.debug.echoPath, .httpPath, .restart, isSecret: true, "A secret for the test."))
        let setting = LoadedConfiguration.Setting(key: key, value: .text("/hush"), origin: .flag)
        let shown = ConfigurationDocument.shown([setting])
        #expect(shown.contains("<secret>"))
        #expect(!shown.contains("hush"))
    }
}

@Suite("Configuration: values as text")
struct ConfigurationValueTests {
    @Test(arguments: [
        (SettingValue.integer(8080), "8080"), (.number(100), "100"), (.number(0.1), "0.1"), (.flag(true), "true"),
        (.text("full"), "full"), (.text("true"), "\"true\""), (.text("12"), "\"12\""), (.text("::1"), "\"::1\""),
        (.text("a\"b\\c\n"), "\"a\\\"b\\\\c\\x0a\""), (.list(["a", "b:c"]), "[a, \"b:c\"]"), (.list([]), "[]"),
        (.none, "\"\""),
    ])
    func yaml_isReadBackAsTheSame(value: SettingValue, text: String) {
        #expect(value.yaml == text)
    }

    @Test(arguments: [
        ("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("prot", "port", 1), ("ab", "", 2),
    ])
    func distance_countsEditsAndSwaps(first: String, second: String, edits: Int) {
        let (first, second) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
        #expect(NearestName.distance(from: first, to: second) == edits)
        #expect(NearestName.distance(from: second, to: first) == edits)
    }
}

extension Settings {
    fileprivate func values<Values: FeatureSettings>(of type: Values.Type) -> Any { self[type] }
}
