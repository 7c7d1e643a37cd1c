import ArgumentParser
import CairnOperators
import Foundation

/// `cairn admin tour`
struct AdminTour: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "List, export, import, withdraw and delete tours, and print their links.",
        subcommands: [
            AdminTourList.self, AdminTourExport.self, AdminTourImport.self, AdminTourWithdraw.self,
            AdminTourDelete.self, AdminTourLink.self,
        ])
}

/// `cairn admin tour link`
struct AdminTourLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print the link of a published tour and its QR code.",
        discussion: "The link with .svg at its end is the QR code as a picture, for posters.")

    @OptionGroup var options: StatsOptions

    @Argument(help: "The code of the link, or the id of the tour.")
    var tour: String

    func validate() throws { try AdminWord.check(tour, "CODE") }

    private struct Answer: Decodable {
        struct Failure: Decodable { let message: String }
        let url: String?
        let name: String?
        let organisation: String?
        let qr: [String]?
        let error: Failure?
    }

    func run() throws {
        try StatsAnswer.connected(options, as: "cairn admin") { connection in
            let line = try connection.ask("tour-link \(tour)").first ?? []
            let answer = try JSONDecoder().decode(Answer.self, from: Data(line))
            guard let url = answer.url else {
                Terminal.error("cairn admin: \(answer.error?.message ?? "no answer")")
                throw ExitCode.failure
            }
            let lines = ["\(answer.name ?? ""), \(answer.organisation ?? "")", url] + (answer.qr ?? [])
            Terminal.write(lines.joined(separator: "\n") + "\n")
        }
    }
}
