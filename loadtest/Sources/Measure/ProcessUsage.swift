import Foundation
import Glibc

/// CPU time of a process, from `/proc/PID/stat`.
enum ProcessUsage {
    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// User and system time in seconds; nil when there is no such process.
    static func cpuSeconds(of pid: Int32) -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            // The second field, the name, may contain any character; the fields after its closing bracket do not.
            let bracket = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        // Fields 14 and 15 of proc(5), counted from the third.
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / ticksPerSecond
    }

    /// Bytes that the process has caused to be written to a disk; nil when there is no such process.
    static func writtenBytes(of pid: Int32) -> UInt64? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/io", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("write_bytes: ") })
        else { return nil }
        return UInt64(line.dropFirst("write_bytes: ".count))
    }

    /// CPU time in seconds of the threads whose names begin so, from `/proc/PID/task/TID/schedstat`.
    static func cpuSeconds(of pid: Int32, threadsNamed prefix: String) -> Double {
        let folder = "/proc/\(pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.reduce(0) { sum, thread in
            guard let name = try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8),
                name.hasPrefix(prefix),
                let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8),
                let nanoseconds = text.split(separator: " ").first.flatMap({ Double($0) })
            else { return sum }
            return sum + nanoseconds / 1e9
        }
    }

    /// Resident memory in bytes; nil when there is no such process.
    static func residentBytes(of pid: Int32) -> UInt64? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
