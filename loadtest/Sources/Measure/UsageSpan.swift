import Glibc

/// CPU time of the server and of the crowd itself over the measured time.
struct UsageSpan {
    private var serverBefore: Double?
    private var ownBefore = 0.0
    private var loopsBefore = 0.0
    private var storeBefore = 0.0
    private var writtenBefore: UInt64?
    private(set) var serverSeconds: Double?
    private(set) var serverResidentBytes: UInt64?
    /// Before the first connection.
    private(set) var serverResidentBytesBefore: UInt64?
    private(set) var ownSeconds = 0.0
    /// CPU time of the threads of the server's loops, and of its store's thread.
    private(set) var loopsSeconds = 0.0
    private(set) var storeSeconds = 0.0
    /// What the server has written to a disk.
    private(set) var writtenBytes: UInt64?

    mutating func start(server: Int32?) { serverResidentBytesBefore = server.flatMap(ProcessUsage.residentBytes) }

    mutating func begin(server: Int32?) {
        serverBefore = server.flatMap(ProcessUsage.cpuSeconds)
        ownBefore = ProcessUsage.cpuSeconds(of: getpid()) ?? 0
        guard let server else { return }
        (loopsBefore, storeBefore) = Self.threads(of: server)
        writtenBefore = ProcessUsage.writtenBytes(of: server)
    }

    mutating func end(server: Int32?) {
        ownSeconds = (ProcessUsage.cpuSeconds(of: getpid()) ?? 0) - ownBefore
        guard let server, let before = serverBefore, let now = ProcessUsage.cpuSeconds(of: server) else { return }
        serverSeconds = now - before
        serverResidentBytes = ProcessUsage.residentBytes(of: server)
        let (loops, store) = Self.threads(of: server)
        (loopsSeconds, storeSeconds) = (loops - loopsBefore, store - storeBefore)
        if let before = writtenBefore { writtenBytes = ProcessUsage.writtenBytes(of: server).map { $0 - before } }
    }

    private static func threads(of server: Int32) -> (loops: Double, store: Double) {
        (
            ProcessUsage.cpuSeconds(of: server, threadsNamed: "cairn-loop"),
            ProcessUsage.cpuSeconds(of: server, threadsNamed: "cairn-store")
        )
    }
}
