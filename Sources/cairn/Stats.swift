import ArgumentParser
import CairnOperators
import Foundation

/// `cairn stats`
struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a line about a running server every second.",
        discussion: """
            On a terminal a line for people, with a heading now and then; anywhere else a line of JSON.
            With a command, such as `cairn stats refusals`, the server's answer to it, once. `cairn stats help` lists \
            the commands.
            """
    )

    @OptionGroup var options: StatsOptions

    @Option(help: ArgumentHelp("Seconds between two lines.", valueName: "seconds"))
    var interval = 1.0

    @Option(help: ArgumentHelp("So many lines, then end.", valueName: "lines"))
    var count: Int?

    @Flag(help: "JSON on a terminal too.")
    var json = false

    @Flag(help: "Print the reference of all commands and figures in Markdown; asks no server.")
    var reference = false

    @Argument(help: "A command of the stats socket, such as help, refusals, bans or kick.")
    var command: [String] = []

    func validate() throws {
        guard interval >= 0.1, interval <= 3_600 else {
            throw ValidationError("--interval: got \(interval), wants 0.1 to 3600 seconds")
        }
        guard count ?? 1 > 0 else { throw ValidationError("--count: wants at least 1") }
    }

    func run() throws {
        if reference { return Terminal.write(StatsReference.markdown()) }
        guard command.isEmpty else {
            return try StatsAnswer.print(to: command.joined(separator: " "), options, as: "cairn stats")
        }
        try StatsAnswer.connected(options, as: "cairn stats") { connection in try follow(connection) }
    }

    private func follow(_ connection: StatsConnection) throws {
        let forPeople = isatty(STDOUT_FILENO) == 1 && !json
        var written = 0
        var next = Date.now
        while written < count ?? .max {
            let line = try connection.ask("totals")[0]
            if forPeople {
                if written % 20 == 0 { Terminal.write(StatsText.heading + "\n") }
                let totals = try JSONDecoder().decode(StatsTotals.self, from: Data(line))
                Terminal.write(StatsText.row(totals.totals) + "\n")
            } else {
                Terminal.write(String(decoding: line, as: UTF8.self) + "\n")
            }
            written += 1
            next += interval
            if written < count ?? .max { Thread.sleep(until: next) }
        }
    }
}

/// One command to a running server and its answer.
enum StatsAnswer {
    /// Prints the answer; a refusal ends the process with 1, a server that does not answer with 2.
    /// - Parameter name: what begins the line of an error.
    static func print(to command: String, _ options: StatsOptions, as name: String) throws {
        try connected(options, as: name, seconds: secondsMax(of: command)) { connection in
            let lines = try connection.ask(command)
            for line in lines { Terminal.write(String(decoding: line, as: UTF8.self) + "\n") }
            let refusal = try? JSONDecoder().decode(StatsErrorAnswer.self, from: Data(lines.last ?? []))
            if refusal != nil { throw ExitCode.failure }
        }
    }

    /// Longest wait for an answer. A backup is answered when the whole world is copied and checked.
    static func secondsMax(of command: String) -> Double { command == "backup" ? 3_600 : 10 }

    static func connected(
        _ options: StatsOptions, as name: String, seconds: Double = 10, _ body: (StatsConnection) throws -> Void
    ) throws {
        let path = try options.path()
        do {
            try body(try StatsConnection(path: path, seconds: seconds))
        } catch let code as ExitCode {
            throw code
        } catch {
            Terminal.error("\(name): \(error)")
            throw ExitCode(2)
        }
    }
}

/// Figures as text for people.
enum StatsText {
    static let heading =
        " people  conns  cells |   in/s  out/s  out B/s  event/s | refuse/s drop/s | backlog  unsaved | loop%   mem"

    static func row(_ totals: StatsTotals.Totals) -> String {
        let busiest = totals.loops.map(\.busy).max() ?? 0
        let columns = [
            (count(totals.people), 7), (count(totals.connections), 7), (count(totals.cells), 7), ("|", 2),
            (rate(totals.rates.messagesIn), 7), (rate(totals.rates.messagesOut), 7), (bytes(totals.rates.bytesOut), 9),
            (rate(totals.rates.events), 9), ("|", 2), (rate(totals.rates.refusals), 9), (rate(totals.rates.drops), 7),
            ("|", 2), (count(totals.queues.backlogChanges), 8),
            (milliseconds(totals.queues.oldestUnsavedMilliseconds), 9), ("|", 2), (percent(busiest), 6),
            (bytes(Double(totals.process.residentBytes)), 8),
        ]
        return columns.map { right($0.0, $0.1) }.joined()
    }

    /// A figure in its unit.
    static func figure(_ figure: StatsCells.Figure, in unit: String) -> String {
        switch (figure, unit) {
        case (.text(let text), _): text
        case (.number(let number), "1/s"): rate(number)
        case (.number(let number), "bytes"), (.number(let number), "bytes/s"): bytes(number)
        case (.number(let number), "microseconds"): number == 0 ? "-" : microseconds(Int(number))
        case (.number(let number), _): count(Int(number))
        }
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// 12345 as 12,345.
    static func count(_ number: Int) -> String {
        var digits = String(number.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    static func rate(_ number: Double) -> String {
        number >= 10 || number == 0 ? count(Int(number.rounded())) : String(format: "%.1f", number)
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }

    /// 1536 as 1.5 kB.
    static func bytes(_ number: Double) -> String {
        var value = number
        var unit = "B"
        for larger in ["kB", "MB", "GB", "TB"] where value >= 1_000 {
            value /= 1_000
            unit = larger
        }
        return (value < 10 && unit != "B" ? String(format: "%.1f", value) : "\(Int(value.rounded()))") + " " + unit
    }

    static func milliseconds(_ number: Int) -> String {
        number < 10_000 ? "\(number) ms" : "\(number / 1_000) s"
    }

    static func microseconds(_ number: Int) -> String {
        if number < 1_000 { return "\(number) us" }
        return number < 10_000_000 ? "\((number + 500) / 1_000) ms" : "\(number / 1_000_000) s"
    }

    /// 3725 seconds as 1h 02m.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds)
        if whole < 60 { return "\(whole)s" }
        if whole < 3_600 { return "\(whole / 60)m \(whole % 60 < 10 ? "0" : "")\(whole % 60)s" }
        let minutes = whole / 60 % 60
        let hours = whole / 3_600
        return hours < 48 ? "\(hours)h \(minutes < 10 ? "0" : "")\(minutes)m" : "\(hours / 24)d \(hours % 24)h"
    }
}
