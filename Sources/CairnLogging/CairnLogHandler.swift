package import CairnConfiguration
internal import Foundation
package import Logging

/// The handler that passes swift-log's lines to the sink. All loggers share one level, which can change while the
/// server runs.
struct CairnLogHandler: LogHandler {
    let sink: LogSink
    var metadata: Logger.Metadata = [:]

    var logLevel: Logger.Level {
        get { sink.level }
        set { sink.level = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        sink.enqueue(
            LogLine(level: event.level, message: event.message.description, metadata: all, time: LogSink.wallTime),
            now: LogSink.now)
    }
}

extension Logger {
    /// The server's log, on standard error.
    package static func cairn(_ settings: Configuration.Logging) -> Logger {
        let sink = LogSink.standardError
        sink.level = Level(rawValue: settings.level.rawValue) ?? .info
        sink.form = LogSink.Form(settings.format)
        return Logger(label: "cairn") { _ in CairnLogHandler(sink: sink) }
    }
}

extension LogSink.Form {
    init(_ format: Configuration.Logging.Format) {
        let isTerminal = isatty(STDERR_FILENO) == 1
        // https://no-color.org: any value but an empty one.
        let isPlain = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        switch format {
        case .json: self = .json
        case .text: self = .text(inColour: isTerminal && !isPlain)
        case .auto: self = isTerminal ? .text(inColour: !isPlain) : .json
        }
    }
}
