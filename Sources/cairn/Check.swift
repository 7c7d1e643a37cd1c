import ArgumentParser
import CairnServer
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `cairn check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running server how it is.",
        discussion: "Exit: 0 ready, 1 up but not ready (starting, draining, storage failing), 2 no answer."
    )

    @Option(help: "Where the server is.")
    var url = "http://127.0.0.1:8080"

    @Option(help: "How long to wait for an answer, in seconds.")
    var timeout = 5.0

    func validate() throws {
        guard timeout > 0, timeout <= 300 else {
            throw ValidationError("--timeout: got \(timeout), wants more than 0 and at most 300 seconds")
        }
        guard readiness != nil else {
            throw ValidationError("--url: got \"\(url)\", wants an address such as http://127.0.0.1:8080")
        }
    }

    func run() async throws {
        guard let readiness else { return }
        var request = URLRequest(url: readiness)
        request.timeoutInterval = timeout
        let status: Int
        let body: String
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            status = (response as? HTTPURLResponse)?.statusCode ?? 0
            body = String(decoding: data.prefix(2_000), as: UTF8.self)
        } catch {
            Terminal.write("no answer: \(readiness.absoluteString): \(error.localizedDescription)\n")
            throw ExitCode(2)
        }
        if status == 200 {
            Terminal.write("ready: \(readiness.absoluteString)\n")
        } else {
            Terminal.write("not ready: \(readiness.absoluteString) answered \(status)\n\(Self.printable(body))\n")
            throw ExitCode(1)
        }
    }

    /// The page that says whether the server is ready.
    private var readiness: URL? {
        guard var parts = URLComponents(string: url), parts.host?.isEmpty == false else { return nil }
        switch parts.scheme {
        case "ws": parts.scheme = "http"
        case "wss": parts.scheme = "https"
        case "http", "https": break
        default: return nil
        }
        parts.path = "/readyz"
        parts.query = "verbose"
        parts.fragment = nil
        return parts.url
    }

    /// Without what could steer a terminal.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7f) }))
    }
}
