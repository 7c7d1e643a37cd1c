internal import CairnServer
internal import CairnText
internal import Foundation

/// What the system says about this process.
struct ProcessFigures: Sendable {
    var residentBytes = 0
    /// How near memory is to its limit.
    var memoryLevel = MemoryGauge.Level.enough
    /// The used share of the nearest limit; nil = there is none.
    var memory: MemoryUse?
    /// Processor time since the start, all threads.
    var busySeconds = 0.0
    /// Seconds since 1970-01-01 UTC.
    var startedAt = 0.0
    var openFiles = 0
    var openFilesMax = 0
    var threads = 0
    /// Of the disk of the database, for the server's user; 0 = unknown.
    var diskFreeBytes = 0
    var diskBytes = 0
    /// Until the disk is full, if it goes on filling as it does; nil = it does not, or that is not known yet.
    var diskFullSeconds: Int?

    /// Reads `/proc/self`: some tens of microseconds, and one per open file for counting those.
    /// - Parameter folder: of the database.
    static func read(folder: String) -> ProcessFigures {
        var figures = ProcessFigures()
        var disk = statvfs()
        if statvfs(folder, &disk) == 0 {
            figures.diskFreeBytes = Int(clamping: UInt64(disk.f_bavail) &* UInt64(disk.f_frsize))
            figures.diskBytes = Int(clamping: UInt64(disk.f_blocks) &* UInt64(disk.f_frsize))
        }
        if let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) {
            let pages = sizes.pieces(at: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            figures.residentBytes = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            figures.busySeconds = usage.ru_utime.seconds + usage.ru_stime.seconds
        }
        figures.openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        figures.threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.openFilesMax = Int(clamping: limit.rlim_cur)
        }
        figures.startedAt = started
        return figures
    }

    /// From the kernel's own count: boot time, and the process's start in ticks since then.
    private static let started: Double = {
        guard let own = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let all = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            // The name in brackets may hold spaces; what follows it does not.
            let fields = own.pieces(at: ")").last?.pieces(at: " "), fields.count > 19,
            let ticks = Double(fields[19]),
            let boot = all.pieces(at: "\n").first(where: { $0.hasPrefix("btime ") })?.pieces(at: " ").last,
            let seconds = Double(boot)
        else { return 0 }
        return seconds + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}
