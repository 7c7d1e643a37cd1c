import ArgumentParser
import CairnOperators
import Foundation

/// `cairn top`
struct Top: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A running server's busiest cells, live.",
        discussion: """
            Keys: \(CellColumn.all.map { String($0.key) }.joined(separator: " ")) sort, / find, f filter, \
            space freeze, arrows scroll, + - faster or slower, ! alarms and what refusals mean, ? help, Escape back, \
            q quit.
            / finds a name, an id, a cell, LAT,LON or a link; 1 to 9 open what it has found.
            A filter is a cell's token, LAT,LON,METRES, or the word occupied.
            """
    )

    @OptionGroup var options: StatsOptions

    @Option(help: "Sort by \(CellColumn.all.map(\.order).joined(separator: ", ")).")
    var sort = CellColumn.first

    @Option(help: "Only cells in a larger cell, within LAT,LON,METRES, or occupied.")
    var filter = ""

    @Option(help: ArgumentHelp("Seconds between two looks.", valueName: "seconds"))
    var interval = 1.0

    @Flag(help: "Print one table as text, then end.")
    var once = false

    @Flag(help: "JSON lines instead of a screen: totals, then cells.")
    var json = false

    func validate() throws {
        guard interval >= 0.2, interval <= 60 else {
            throw ValidationError("--interval: got \(interval), wants 0.2 to 60 seconds")
        }
    }

    func run() throws {
        let path = try options.path()
        do {
            if json {
                try writeLines(path)
            } else if once || isatty(STDOUT_FILENO) != 1 || isatty(STDIN_FILENO) != 1 {
                try writeOnce(path)
            } else {
                // Fails here, before the screen is switched, when there is no server.
                _ = try StatsConnection(path: path)
                try TopSession(path: path, view: TopView(order: sort, filter: filter, interval: interval)).run()
            }
        } catch let error as TopRefused {
            Terminal.error("cairn top: \(error.message)")
            throw ExitCode.failure
        } catch {
            Terminal.error("cairn top: \(error)")
            throw ExitCode(2)
        }
    }

    private func writeOnce(_ path: String) throws {
        let view = TopView(order: sort, filter: filter, interval: interval)
        let look = try TopLook(StatsConnection(path: path), view: view, rows: 40)
        let screen = TopScreen(look, view: view, path: path, width: 120)
        Terminal.write((screen.head + screen.rows(40)).joined(separator: "\n") + "\n")
    }

    private func writeLines(_ path: String) throws {
        let connection = try StatsConnection(path: path)
        var next = Date.now
        while true {
            for line in try connection.ask("totals") + connection.ask("cells \(sort) \(filter)") {
                Terminal.write(String(decoding: line, as: UTF8.self) + "\n")
            }
            if once { return }
            next += interval
            Thread.sleep(until: next)
        }
    }
}

/// The user's choices: order, filter, scrolling.
struct TopView {
    /// The word of the column by which cells are sorted.
    var order = CellColumn.first
    var filter = ""
    var interval = 1.0
    /// Rows scrolled past.
    var offset = 0
    var isFrozen = false
    var showsHelp = false
    /// Whether the page of alarms and reasons is shown.
    var showsReasons = false
    /// The text typed after `/` or `f`; nil = not typing.
    var typing: String?
    /// Whether the text is what is to be found, and not a filter.
    var isFinding = false
    /// What was found and opened in place of the cells, the newest last.
    var pages: [TopPage] = []
    var message = ""
}
