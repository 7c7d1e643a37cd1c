internal import CairnCore
internal import CairnText

/// The table of settings as documents for people.
public enum ConfigurationDocument {
    /// A file with every key at its default, each explained: `config/cairn.yaml`.
    public static func yaml() -> String {
        var lines = [
            "# Every setting of Cairn, at its default. Made by `cairn config default`; a test compares the two.",
            "# A file of your own needs only the keys that you change. Priority: flag (--set listen.port=9000), then",
            "# environment (CAIRN_LISTEN_PORT), then file, then default. `cairn config show` says where each value",
            "# came from; `cairn config check` looks at a file without serving.",
            "# Changes of \"Live\" keys apply at SIGHUP, the others at the next start.",
        ]
        for section in ConfigurationKey.sections {
            lines += ["", "# \(section.meaning)", "\(section.name):"]
            for (index, key) in ConfigurationKey.all.filter({ $0.section == section.name }).enumerated() {
                if index > 0 { lines.append("") }
                lines += wrap(key.meaning).map { "  # \($0)" }
                lines += wrap(facts(of: key)).map { "  # \($0)" }
                lines.append("  \(key.leaf): \(key.defaultYAML)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The environment variables, each with its default, as a file for systemd's `EnvironmentFile=`.
    public static func environment() -> String {
        ConfigurationKey.all.map { key in
            let value = key.automatic == nil ? key.read(Configuration()).plain : ConfigurationKey.automaticWord
            return "# \(key.name): \(key.wants)\n\(key.environmentVariable)=\(value)\n"
        }
        .joined()
    }

    /// Markdown tables, one for each section.
    public static func markdown() -> String {
        var lines = ["# Settings", ""]
        for section in ConfigurationKey.sections {
            lines += [
                "## \(section.name)", "", section.meaning, "",
                "| Key | Meaning | Unit | Default | Wants | Counts at |", "|---|---|---|---|---|---|",
            ]
            for key in ConfigurationKey.all where key.section == section.name {
                let standard = key.automatic.map { "auto: \($0.rule)" } ?? "`\(key.defaultYAML)`"
                let cells = [
                    "`\(key.name)`", key.meaning, key.unit ?? "", standard, key.wants,
                    key.effect == .live ? "SIGHUP" : "restart",
                ]
                lines.append("| " + cells.joined(separator: " | ") + " |")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    /// Settings with their values and origins, a line each. Secrets are left out.
    public static func shown(_ settings: [LoadedConfiguration.Setting]) -> String {
        let rows = settings.map { setting in
            let isHidden = setting.key.isSecret && setting.value != .none
            return (setting.key.name, isHidden ? "<secret>" : setting.value.yaml, setting.origin.description)
        }
        let nameWidth = rows.map(\.0.count).max() ?? 0
        let valueWidth = min(rows.map(\.1.count).max() ?? 0, 40)
        return rows.map { name, value, origin in
            "\(padded(name, to: nameWidth))  \(padded(value, to: valueWidth))  \(origin)\n"
        }
        .joined()
    }

    /// Unit, default, bounds and when a change takes effect, in one sentence each.
    private static func facts(of key: ConfigurationKey) -> String {
        var facts: [String] = []
        if let unit = key.unit { facts.append("Unit: \(unit).") }
        facts.append("Default: \(key.automatic.map { "auto = \($0.rule)" } ?? key.defaultYAML).")
        facts.append("Wants \(key.wants).")
        facts.append(key.effect == .live ? "Live." : "Restart.")
        if key.isSecret { facts.append("Secret.") }
        return facts.joined(separator: " ")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Lines of at most 110 characters.
    private static func wrap(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.pieces(at: " ") {
            if let last = lines.last, last.count + 1 + word.count <= 110 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
