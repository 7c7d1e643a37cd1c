import ArgumentParser
import Foundation

/// `cairn engagement`
struct EngagementCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engagement",
        abstract: "Print counts of people's actions by day as a table.",
        discussion: "Days are in UTC. Exit: 0 printed, 1 refused, 2 no server."
    )

    @OptionGroup var options: StatsOptions

    @Option(help: ArgumentHelp("So many days, today the last.", valueName: "days"))
    var days: Int?

    @Option(help: ArgumentHelp("First day, such as 2026-03-01; with --to.", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("Last day.", valueName: "day"))
    var to: String?

    @Option(help: "csv for spreadsheets, or json.")
    var format = Format.csv

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case csv, json
    }

    func validate() throws {
        guard (from == nil) == (to == nil), days == nil || from == nil else {
            throw ValidationError("wants --days, or --from and --to, or none of them")
        }
    }

    func run() throws {
        let path = try options.path()
        do {
            var command = ["engagement"]
            if let days { command.append("\(days)") }
            if let from, let to { command += [from, to] }
            let line = Data(try StatsConnection(path: path).ask(command.joined(separator: " "))[0])
            if let refusal = try? JSONDecoder().decode(StatsErrorAnswer.self, from: line) {
                Terminal.error("cairn engagement: \(refusal.error.message)")
                throw ExitCode.failure
            }
            switch format {
            case .json: Terminal.write(String(decoding: line, as: UTF8.self) + "\n")
            case .csv: Terminal.write(try EngagementTable(line).csv)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            Terminal.error("cairn engagement: \(error)")
            throw ExitCode(2)
        }
    }
}

/// The server's answer as a table: a row for each day and one for the whole period. Active users of the period are not
/// the sum of the days: most people are active on several days.
struct EngagementTable {
    private let rows: [[String: Any]]

    init(_ line: Data) throws {
        guard let answer = try JSONSerialization.jsonObject(with: line) as? [String: Any],
            let days = answer["days"] as? [[String: Any]], let total = answer["total"] as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        rows = days + [total.merging(["day": "total"]) { $1 }]
    }

    var csv: String {
        let fixed = ["day", "activeUsers"]
        let names = fixed + (rows.last?.keys.filter { !fixed.contains($0) }.sorted() ?? [])
        let lines = [names] + rows.map { row in names.map { "\(row[$0] ?? 0)" } }
        return lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }
}
