import Glibc

/// CPU time of the server and of the crowd itself over the measured time.
struct UsageSpan {
    private var serverBefore: Double?
    private var ownBefore = 0.0
    private(set) var serverSeconds: Double?
    private(set) var serverResidentBytes: UInt64?
    /// Before the first connection.
    private(set) var serverResidentBytesBefore: UInt64?
    private(set) var ownSeconds = 0.0

    mutating func start(server: Int32?) { serverResidentBytesBefore = server.flatMap(ProcessUsage.residentBytes) }

    mutating func begin(server: Int32?) {
        serverBefore = server.flatMap(ProcessUsage.cpuSeconds)
        ownBefore = ProcessUsage.cpuSeconds(of: getpid()) ?? 0
    }

    mutating func end(server: Int32?) {
        ownSeconds = (ProcessUsage.cpuSeconds(of: getpid()) ?? 0) - ownBefore
        guard let server, let before = serverBefore, let now = ProcessUsage.cpuSeconds(of: server) else { return }
        serverSeconds = now - before
        serverResidentBytes = ProcessUsage.residentBytes(of: server)
    }
}
