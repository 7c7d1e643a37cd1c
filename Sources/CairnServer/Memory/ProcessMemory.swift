internal import CMalloc
internal import CairnText
internal import Foundation

/// The memory of this process, as the system and the heap count it, and its processor time.
package struct ProcessMemory: Sendable {
    /// Pages that it has and that are in no file.
    var ownBytes = 0
    /// Of all its threads, since its start.
    var worked: Duration = .zero
    /// Addresses that it has, used or not.
    var addressBytes = 0

    /// Reads `/proc/self/statm`: some ten microseconds.
    package static func read() -> ProcessMemory {
        var memory = ProcessMemory()
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        memory.worked = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return memory }
        let pages = text.pieces(at: " ").compactMap { Int($0) }
        guard pages.count > 2 else { return memory }
        let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
        memory.addressBytes = pages[0] * pageBytes
        memory.ownBytes = (pages[1] - pages[2]) * pageBytes
        return memory
    }

    /// What is taken of each limit that the process has now: the setting's, its group's, its own.
    /// - Parameter settingMegabytes: `overload.memoryMegabytes`; 0 = none.
    package static func uses(settingMegabytes: Int, group: ControlGroup?) -> [MemoryUse] {
        let memory = read()
        var uses = group?.use(ownBytes: memory.ownBytes).map { [$0] } ?? []
        if settingMegabytes > 0 {
            uses.append(MemoryUse(limit: .setting, usedBytes: memory.ownBytes, limitBytes: settingMegabytes << 20))
        }
        if let limit = addressLimit {
            let use = MemoryUse(limit: .addressSpace, usedBytes: memory.addressBytes, limitBytes: limit)
            uses.append(use.share < freeCountsFrom ? use : use.without(heapFreeBytes))
        }
        return uses
    }

    /// Counting what the heap has free takes its locks: from this share on it is worth it.
    private static let freeCountsFrom = 0.70

    /// What the heap has and hands out before it asks the system for more.
    private static var heapFreeBytes: Int { Int(clamping: mallinfo2().fordblks) }

    /// Gives what the heap has free back to the system. Takes its locks, some milliseconds each.
    package static func giveBack() { malloc_trim(0) }

    private static var addressLimit: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != .max else {
            return nil
        }
        return Int(clamping: limit.rlim_cur)
    }
}

extension MemoryUse {
    fileprivate func without(_ freeBytes: Int) -> MemoryUse {
        MemoryUse(limit: limit, usedBytes: max(0, usedBytes - freeBytes), limitBytes: limitBytes)
    }
}
