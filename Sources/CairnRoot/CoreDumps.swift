internal import CProcess
internal import Foundation

/// Core dumps hold whatever is in memory: the master key, tokens, passwords. None is written.
enum CoreDumps {
    /// Forbids them for this process, also where the kernel gives them to a program (core(5): a limit of 0 does not
    /// hold there, but of a process that is not dumpable it makes none). Its memory can then be read by root alone.
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        cprocess_forbid_dumps()
    }
}
