import Foundation

/// Time and machine of a run, without which its figures cannot be compared.
struct Circumstances: Codable, Sendable {
    /// UTC, ISO 8601.
    let date: String
    /// System, kernel, processors and memory.
    let machine: String
    /// Version of the throw-away server; nil for an existing server.
    var version: String?

    /// The present time and this machine.
    init() {
        date = Date.now.formatted(.iso8601)
        let info = ProcessInfo.processInfo
        let memory = Double(info.physicalMemory) / 1e9
        machine = [
            info.operatingSystemVersionString, Self.kernel,
            "\(info.activeProcessorCount) processors\(Self.processor.map { " (\($0))" } ?? "")",
            "\(memory.rounded().plain) GB of memory",
        ]
        .joined(separator: ", ")
    }

    /// A line for people.
    var text: String { [version.map { "Cairn \($0)" }, date, machine].compactMap(\.self).joined(separator: ", ") }

    private static var kernel: String {
        let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        return "Linux " + (release?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")
    }

    /// The name of the first processor.
    private static var processor: String? {
        let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
