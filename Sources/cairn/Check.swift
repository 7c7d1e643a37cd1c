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

    @Option(help: "text for people, json, nagios (one line of a plug-in), prometheus (for a textfile collector).")
    var format = CheckReport.Format.text

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
        let report = await look(at: readiness)
        Terminal.write(report.text(format))
        if report.state != .ready { throw ExitCode(report.state.rawValue) }
    }

    private func look(at page: URL) async -> CheckReport {
        var request = URLRequest(url: page)
        request.timeoutInterval = timeout
        let began = ContinuousClock.now
        var report = CheckReport(state: .noAnswer, url: page.absoluteString, seconds: 0)
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            let readiness = try? JSONDecoder().decode(CheckReport.Readiness.self, from: data.prefix(64_000))
            report.checks = readiness?.checks ?? []
            report.state = status == 200 && readiness?.ready == true ? .ready : .notReady
            // Something answers, but not a server of ours.
            if readiness == nil { report.reason = "answered \(status), and not as Cairn does" }
        } catch {
            report.reason = error.localizedDescription
        }
        report.seconds = began.duration(to: .now) / .seconds(1)
        return report
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
        parts.query = "format=json"
        parts.fragment = nil
        return parts.url
    }
}
