import ArgumentParser
import CairnOperators
import CairnServer
import CairnText
import Foundation

/// `cairn admin ledger`
struct AdminLedger: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Export and enter records of purchases, refunds and ad revenue.",
        subcommands: [AdminLedgerExport.self, AdminLedgerRevenue.self])
}

/// `cairn admin ledger export`
struct AdminLedgerExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the entries of a year as CSV (RFC 4180).",
        discussion: """
            The columns are in docs/operations.md. Keep each export in a safe place: it shows later whether \
            the ledger was cut off.
            """)

    @OptionGroup var options: StatsOptions

    @Option(help: "The calendar year, for instance 2026, by the day of each entry in UTC.")
    var year: Int

    func validate() throws {
        guard (1_970...9_999).contains(year) else { throw ValidationError("--year: wants 1970 to 9999") }
    }

    private struct Page: Decodable {
        struct Failure: Decodable { let message: String }
        let entries: [[String: String]]?
        let next: Int64?
        let error: Failure?
    }

    func run() throws {
        try StatsAnswer.connected(options, as: "cairn admin") { connection in try export(connection) }
    }

    private func export(_ connection: StatsConnection) throws {
        var lines = [LedgerEntry.columns]
        var after: Int64? = 0
        while let number = after {
            try connection.send("ledger \(year) \(number)")
            let page = try JSONDecoder().decode(Page.self, from: Data(try connection.line()))
            if let failure = page.error {
                Terminal.error("cairn admin: \(failure.message)")
                throw ExitCode.failure
            }
            lines += (page.entries ?? []).map { entry in LedgerEntry.columns.map { entry[$0] ?? "" } }
            for line in lines { Terminal.write(line.map(Escaping.csvField).joined(separator: ",") + "\r\n") }
            lines = []
            after = page.next
        }
    }

}

/// `cairn admin ledger add-revenue`
struct AdminLedgerRevenue: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "add-revenue", abstract: "Enter ad revenue in the ledger, for ever.",
        discussion: "A further entry with an amount below 0 corrects a mistake.")

    @OptionGroup var options: StatsOptions

    @Argument(help: "The day, for instance 2026-11-24.")
    var day: String

    @Argument(help: "ISO 4217, for instance CAD.")
    var currency: String

    @Argument(help: "The payer.")
    var source: [String]

    @Option(parsing: .unconditional, help: "Hundredths of the currency; below 0 corrects an earlier entry.")
    var cents: Int64

    @Option(help: "A reference of yours: one word.")
    var reference = "-"

    func validate() throws {
        for (word, name) in [(day, "DAY"), (currency, "CURRENCY"), (reference, "--reference")] {
            try AdminWord.check(word, name)
        }
    }

    var line: String { AdminWord.line(["ledger-revenue", day, "\(cents)", currency, reference] + source) }
}
