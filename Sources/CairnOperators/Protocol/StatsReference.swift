internal import CairnCore

/// The tables of docs/stats.md: the commands of the stats socket, what its figures mean, and what reasons mean.
public enum StatsReference {
    /// All tables, each between the lines by which `scripts/generate-stats-docs` finds its place in the document.
    public static func markdown() -> String { blocks.joined(separator: "\n") }

    static var blocks: [String] {
        [("commands", commands), ("figures", figures), ("reasons", reasons)].map { name, table in
            "<!-- \(name): made by scripts/generate-stats-docs -->\n\n\(table)\n\n<!-- end of \(name) -->\n"
        }
    }

    private static var commands: String {
        let rows = StatsCommand.all.map { command -> [String] in
            let call = [command.name, command.arguments].filter { !$0.isEmpty }.joined(separator: " ")
            return [code(call), command.level.name, command.meaning]
        }
        return table(["Command", "Level", "What it does"], rows)
    }

    private static var figures: String {
        let sections = MetricsRegistry.sections.map { section, figures -> String in
            // A column that would be empty is left out.
            let isExported = figures.contains { $0.exported != nil }
            let rows = figures.map { figure -> [String] in
                let exported = isExported ? [figure.exported.map(code) ?? ""] : []
                return [code(figure.name), figure.unit] + exported + [figure.meaning]
            }
            let columns = ["Figure", "Unit"] + (isExported ? ["On `/metrics`"] : []) + ["Meaning"]
            return paragraphs(section.heading, section.preface, table(columns, rows))
        }
        let others = MetricsRegistry.exportedOnly.map { [code($0.name), $0.meaning] }
        return
            (sections + [paragraphs("Only on `/metrics`", "", table(["Name", "Meaning"], others))])
            .joined(separator: "\n\n")
    }

    private static var reasons: String {
        OperatorReason.Group.allCases.map { group in
            let rows = OperatorReason.all.filter { $0.group == group }.map { [code($0.code), $0.meaning, $0.remedy] }
            let rest = table(["Reason", "Meaning", "What to do"], rows)
            return paragraphs("\(group.heading) (`\(group.rawValue)`)", "", rest)
        }.joined(separator: "\n\n")
    }

    private static func paragraphs(_ heading: String, _ preface: String, _ table: String) -> String {
        ["### \(heading)", preface, table].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func table(_ columns: [String], _ rows: [[String]]) -> String {
        let lines = [columns, columns.map { _ in "---" }] + rows.map { $0.map { $0.replacing("|", with: "\\|") } }
        return lines.enumerated().map { place, cells in
            place == 1 ? "|" + cells.map { "\($0)|" }.joined() : "| " + cells.joined(separator: " | ") + " |"
        }.joined(separator: "\n")
    }

    private static func code(_ text: String) -> String { "`\(text)`" }
}
