internal import Foundation
internal import Logging

/// How many files and sockets the process may have open (pitfalls L13, B29).
enum DescriptorLimit {
    /// Kept for the database, its log, the listeners and whatever an operator opens.
    private static let reserve = 100

    /// Raises the soft limit to the hard one; libwebsockets reads it once, so before the first loop is made.
    /// - Returns: how many of the connections asked for fit below it.
    static func raise(for connectionsMax: Int, logger: Logger) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connectionsMax }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let room = max(1, Int(clamping: limit.rlim_cur) - reserve)
        guard room < connectionsMax else { return connectionsMax }
        logger.warning(
            "fewer connections fit than listen.connectionsMax asks for; raise the limit of open files",
            metadata: ["limit": "\(limit.rlim_cur)", "wanted": "\(connectionsMax + reserve)"])
        return room
    }
}
