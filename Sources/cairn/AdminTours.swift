import ArgumentParser
import CairnOperators
import CairnWire
import Foundation

/// `cairn admin tour list`
struct AdminTourList: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List tours with their state, drafts as well.",
        discussion: "By organisation, and of each the oldest first; at most 1,000.")

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id of an organisation; without it those of all.")
    var organisation: String?

    func validate() throws { if let organisation { try AdminWord.check(organisation, "ORGANISATION") } }

    var line: String { AdminWord.line(["tours", organisation ?? ""]) }
}

/// `cairn admin tour export`
struct AdminTourExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a published tour as GeoJSON (RFC 7946).",
        discussion: "docs/tours-geojson.md describes the properties. An import of the output gives the same tour.")

    @OptionGroup var options: StatsOptions

    @Flag(help: "The draft in place of the published version.")
    var draft = false

    @Argument(help: "Id of the tour.")
    var tour: String

    func validate() throws { try AdminWord.check(tour, "TOUR") }

    private struct Piece: Decodable {
        let geojson: String
        let version: String
        let next: Int?
    }

    /// How often it begins anew when the tour changes meanwhile.
    private static let attemptsMax = 5
    /// The text of 12 MB is made for the first piece.
    private static let secondsMax = 60.0

    func run() throws {
        try StatsAnswer.connected(options, as: "cairn admin", seconds: Self.secondsMax) { connection in
            for _ in 0..<Self.attemptsMax {
                guard let text = try text(by: connection) else { continue }
                return Terminal.write(text + "\n")
            }
            Terminal.error("cairn admin: the tour changes while it is read; try again")
            throw ExitCode.failure
        }
    }

    /// - Returns: nil = the tour has changed meanwhile.
    private func text(by connection: StatsConnection) throws -> String? {
        var (text, version, next): (String, String?, Int?) = ("", nil, 0)
        while let number = next {
            let piece: Piece = try AdminAnswer.read(
                connection, AdminWord.line(["tour-export", tour, draft ? "draft" : "published", "\(number)"]))
            guard version == nil || version == piece.version else { return nil }
            text += piece.geojson
            (version, next) = (piece.version, piece.next)
        }
        return text
    }
}

/// `cairn admin tour import`
struct AdminTourImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a tour from a GeoJSON file, or replace the draft of an existing one.",
        discussion: """
            docs/tours-geojson.md describes the properties. Recordings and pictures that the file names must be those \
            of a tour of the organisation.
            """)

    @OptionGroup var options: StatsOptions

    @Argument(help: "The file.", completion: .file(extensions: ["geojson", "json"]))
    var file: String

    @Option(help: "Id of the organisation that the tour belongs to.")
    var organisation: String

    @Option(help: "Id of the tour whose draft is replaced; without it a new tour is made.")
    var tour: String?

    @Flag(help: "Publish it as well.")
    var publish = false

    func validate() throws {
        try AdminWord.check(organisation, "--organisation")
        if let tour { try AdminWord.check(tour, "--tour") }
    }

    func run() throws {
        let text = try beginning(upTo: TourGeoJSON.bytesMax + 1)
        guard text.count <= TourGeoJSON.bytesMax else {
            Terminal.error("cairn admin: \(file) has more than \(TourGeoJSON.bytesMax) bytes")
            throw ExitCode.failure
        }
        try StatsAnswer.connected(options, as: "cairn admin") { connection in
            let tour = try TourUpload.send(text, by: connection, organisation, tour: tour, isPublished: publish)
            Terminal.write(tour + "\n")
        }
    }

    /// So much of the file at most, however long it is.
    private func beginning(upTo count: Int) throws -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            defer { try? handle.close() }
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            Terminal.error("cairn admin: \(file) cannot be read")
            throw ExitCode.failure
        }
    }
}

/// Sends a file to the stats socket, whose lines are short.
enum TourUpload {
    private static let pieceBytes = 3_000

    private struct Sent: Decodable { let bytes: Int }
    private struct Made: Decodable { let tour: String }

    /// - Parameter tour: whose draft it becomes; nil = a tour is made.
    /// - Returns: the server's answer.
    static func send(
        _ text: Data, by connection: StatsConnection, _ organisation: String, tour: String?, isPublished: Bool
    ) throws -> String {
        let _: Sent = try AdminAnswer.read(connection, "tour-text")
        for start in stride(from: 0, to: text.count, by: pieceBytes) {
            let piece = text[start..<min(start + pieceBytes, text.count)].base64EncodedString()
            let _: Sent = try AdminAnswer.read(connection, "tour-text \(piece)")
        }
        let words = ["tour-import", organisation, tour ?? "new", isPublished ? "published" : "draft"]
        let line = try AdminAnswer.line(connection, AdminWord.line(words))
        return String(decoding: line, as: UTF8.self)
    }
}

/// An answer that a command reads, and does not only print.
enum AdminAnswer {
    /// - Throws: exit code 1 for a refusal, whose words it prints.
    static func read<Answer: Decodable>(_ connection: StatsConnection, _ command: String) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(try line(connection, command)))
    }

    /// The same, as it is.
    static func line(_ connection: StatsConnection, _ command: String) throws -> [UInt8] {
        struct Refused: Decodable {
            struct Failure: Decodable { let message: String }
            let error: Failure
        }
        let line = try connection.ask(command).first ?? []
        if let refused = try? JSONDecoder().decode(Refused.self, from: Data(line)) {
            Terminal.error("cairn admin: \(refused.error.message)")
            throw ExitCode.failure
        }
        return line
    }
}

/// A tour and why.
struct AdminTourID: ParsableArguments {
    @Argument(help: "Id of the tour.")
    var tour: String

    @Argument(help: "Reason; kept in the audit log.")
    var reason: [String] = []

    func validate() throws { try AdminWord.check(tour, "TOUR") }

    var words: String { AdminWord.line([tour] + reason) }
}

/// `cairn admin tour withdraw`
struct AdminTourWithdraw: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Turn a published tour into a draft; runs on it end with notice.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var tour: AdminTourID

    var line: String { "tour-withdraw \(tour.words)" }
}

/// `cairn admin tour delete`
struct AdminTourDelete: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a tour with its draft; runs on it end with notice.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var tour: AdminTourID

    var line: String { "tour-delete \(tour.words)" }
}
