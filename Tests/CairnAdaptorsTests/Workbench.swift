import CairnAdaptors
import CairnTesting
import Foundation
import Logging
import Synchronization

/// Adaptors with a script behind `mail`, short pauses, and what was logged.
struct Workbench {
    let adaptors: Adaptors
    let folder: TemporaryFolder
    let log: TestLog
    var settings: AdaptorSettings

    /// - Parameter script: Python; `say` writes an object as a line, `calls` yields the calls.
    static func make(
        _ script: String, timeLimit: Duration = .seconds(5), change: (inout AdaptorSettings) -> Void = { _ in },
        pace change2: (inout SupervisionPace) -> Void = { _ in }
    ) async throws -> Workbench {
        let folder = try TemporaryFolder()
        let path = folder.path + "/adaptor.py"
        let text = prelude + script
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        var settings = AdaptorSettings()
        settings.sources = [.mail: .command(["python3", path])]
        settings.timeLimit = timeLimit
        change(&settings)
        var pace = SupervisionPace()
        pace.firstPause = .milliseconds(20)
        pace.longestPause = .milliseconds(100)
        pace.closePause = .milliseconds(300)
        pace.terminatePause = .milliseconds(300)
        change2(&pace)
        let log = TestLog()
        let adaptors = Adaptors(settings: settings, pace: pace, logger: log.logger)
        await adaptors.apply(settings, logger: log.logger)
        return Workbench(adaptors: adaptors, folder: folder, log: log, settings: settings)
    }

    private static let prelude = """
        import json, os, signal, sys, time
        def say(answer): sys.stdout.write(json.dumps(answer) + "\\n"); sys.stdout.flush()
        def calls():
            for line in sys.stdin: yield json.loads(line)

        """

    static let echo = """
        for call in calls(): say({"id": call["id"], "done": {"to": call.get("to", "")}})
        """

    func send(_ id: String, to recipient: String = "ada@example.org") async -> Result<AdaptorAnswer, AdaptorFailure> {
        do throws(AdaptorFailure) {
            return .success(try await adaptors.call(.mail, .make(id, to: recipient)))
        } catch {
            return .failure(error)
        }
    }

    var figures: AdaptorFigures { adaptors.figures["mail"] ?? AdaptorFigures() }

    /// The text of a file that the script writes.
    func text(of name: String) -> String? { try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
}

extension AdaptorCall {
    static func make(_ id: String, to recipient: String = "ada@example.org", text: String = "Hello") -> AdaptorCall {
        AdaptorCall(
            id: id, action: "send",
            fields: [
                "to": .text(recipient), "subject": .text("Grüße"), "text": .text(text),
                "date": .number(1_700_000_000),
            ])
    }
}

/// Keeps the lines of a log.
final class TestLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: TestLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.kept.withLock { $0.append("\(event.message)") }
        }
    }
}
