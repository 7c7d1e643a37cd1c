internal import Foundation

/// What the system says about this process.
struct ProcessFigures: Sendable {
    var residentBytes = 0
    /// Processor time since the start, all threads.
    var busySeconds = 0.0
    var openFiles = 0
    var threads = 0

    /// Reads `/proc/self`: some tens of microseconds, and one per open file for counting those.
    static func read() -> ProcessFigures {
        var figures = ProcessFigures()
        if let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) {
            let pages = sizes.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            figures.residentBytes = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            figures.busySeconds = usage.ru_utime.seconds + usage.ru_stime.seconds
        }
        figures.openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        figures.threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        return figures
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}
