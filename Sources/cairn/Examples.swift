import ArgumentParser
import CairnConfiguration
import CairnText
import Foundation

/// `cairn examples`
struct Examples: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print sample programs.",
        subcommands: [ExamplesConnect.self]
    )
}

/// `cairn examples connect`
struct ExamplesConnect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Print a client in one file, with address and sign-in filled in.",
        discussion: """
            The client connects, sends a position, places a heart, reacts to it and resumes after a cut. It has the
            conversions between the axes of AR platforms, with test vectors.

              cairn examples connect python > connect.py

            If the server has no open sign-in, give a token: `cairn admin token NAME` signs one.
            """
    )

    /// A language that there is a sample for.
    enum Language: String, CaseIterable, ExpressibleByArgument {
        case javascript, python, swift, kotlin, csharp

        /// The name of the file in `docs/samples`.
        var file: String {
            switch self {
            case .javascript: "connect.js"
            case .python: "connect.py"
            case .swift: "Connect.swift"
            case .kotlin: "Connect.kt"
            case .csharp: "Connect.cs"
            }
        }
    }

    @Argument(help: "One of \(Language.allCases.map(\.rawValue).joined(separator: ", ")).")
    var language: Language

    @Option(help: "Address of the server; default: where `cairn serve` listens with these settings.")
    var url: String?

    @Option(help: "Token to sign in with; without it the name signs in, if the server has open sign-in.")
    var token: String?

    @OptionGroup var settings: SettingOptions

    func run() throws {
        let text = try Self.sample(language)
        let url = try url ?? address()
        Terminal.write(try Self.filled(text, url: url, token: token ?? ""))
    }

    private func address() throws -> String {
        let listen = try settings.load().configuration.listen
        let host = listen.names.first ?? (listen.address.contains(":") ? "[\(listen.address)]" : listen.address)
        return "\(listen.isTLS ? "wss" : "ws")://\(host):\(listen.port)/v1"
    }

    /// The files are beside the program, as the package and `scripts/bootstrap` put them.
    private static func sample(_ language: Language) throws -> String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let file = URL(filePath: program).deletingLastPathComponent()
            .appending(path: "../share/cairn/samples/\(language.file)").standardizedFileURL.path
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ValidationError("there is no \(file); docs/samples of the sources has it")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The sample with another address and, on the line of its token, another token.
    static func filled(_ text: String, url: String, token: String) throws -> String {
        // Both stand between quotes in five languages.
        for value in [url, token] {
            guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"\"'\\$`".utf8.contains($0) }) else {
                throw ValidationError("neither an address nor a token: \(value)")
            }
        }
        var isFilled = false
        let lines = text.pieces(at: "\n", omittingEmptySubsequences: false).map { line -> String in
            let line = line.replacing("ws://127.0.0.1:8080/v1", with: url)
            guard !isFilled, line.lowercased().contains("token = "), let place = line.firstRange(of: /""|''/) else {
                return String(line)
            }
            isFilled = true
            let quote = line[place.lowerBound]
            return line.replacingCharacters(in: place, with: "\(quote)\(token)\(quote)")
        }
        return lines.joined(separator: "\n")
    }
}
