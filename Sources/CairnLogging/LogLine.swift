internal import Foundation
internal import Logging

/// One line of the log in either of its forms. Nothing in it can break the line or steer a terminal.
struct LogLine {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
    /// Seconds since 1970-01-01 UTC.
    let time: Double

    /// Longest message or value, in characters; the rest is cut.
    private static let charactersMax = 2_000

    /// The line as one JSON object with its line break; metadata are members beside time, level and message.
    var json: [UInt8] {
        JSONLine.object { line in
            line.member("time", Self.stamp(time))
            line.member("level", level.rawValue)
            line.member("message", Self.cut(message))
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) where !Self.ownMembers.contains(key) {
                line.member(named: key, Self.cut("\(value)"))
            }
        }
    }

    private static let ownMembers: Set<String> = ["time", "level", "message"]

    /// The line as text for people.
    func text(inColour: Bool) -> [UInt8] {
        let time = String(Self.stamp(time).dropFirst(11).dropLast())
        let name = level.rawValue.uppercased()
        let label = name + String(repeating: " ", count: max(0, 8 - name.count))
        let pairs = metadata.sorted { $0.key < $1.key }
            .map { " \(Self.plain($0.key))=\(Self.plain(Self.cut("\($0.value)")))" }.joined()
        let shown = inColour ? "\u{1b}[\(colour)m\(label)\u{1b}[0m" : label
        return Array("\(time) \(shown) \(Self.plain(Self.cut(message)))\(pairs)\n".utf8)
    }

    private var colour: String {
        switch level {
        case .critical, .error: "31"
        case .warning: "33"
        case .notice: "36"
        case .info: "32"
        case .debug, .trace: "2"
        }
    }

    /// RFC 3339, in UTC, to the millisecond.
    private static func stamp(_ time: Double) -> String {
        var seconds = time_t(time)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let milliseconds = Int32((time - Double(seconds)) * 1_000)
        return "\(digits(parts.tm_year + 1_900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))T"
            + "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec)).\(digits(milliseconds, 3))Z"
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= charactersMax ? text : String(text.prefix(charactersMax)) + "..."
    }

    /// The text with characters escaped that could end the line or control the terminal.
    private static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isSteering) else { return text }
        return text.unicodeScalars.map { scalar in
            isSteering(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    private static func isSteering(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029: true
        // Directional marks reverse the text that follows on the screen.
        case 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
