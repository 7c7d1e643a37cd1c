package import CairnTime

/// Decides when the heap gives free pages back to the system though no limit is near: once after the process has grown,
/// when it has stood still for a while and hardly works. The memory that a storm of joins leaves behind is unused.
/// Pure: readings and time are parameters.
package struct HeapRest: Sendable {
    /// Without growth and without work. Longer than the store keeps pages that it does not use.
    private static let stillTime: Duration = .seconds(4)
    /// The share of a processor from which on the process works: giving back takes the heap's locks.
    private static let workingShare = 0.1
    /// Less growth is not worth it.
    private static let growthBytesLeast = 1 << 20
    /// Standing still is growing by no more than this.
    private static let wobbleBytes = 128 << 10

    /// What the process had when it gave back last.
    private var restedBytes: Int
    private var presentBytes: Int
    private var worked: Duration
    private var lookedAt: MonotonicTime
    private var stillSince: MonotonicTime

    /// Begins after a first giving back.
    package init(_ memory: ProcessMemory, now: MonotonicTime) {
        (restedBytes, presentBytes, worked) = (memory.ownBytes, memory.ownBytes, memory.worked)
        (lookedAt, stillSince) = (now, now)
    }

    /// Whether it is time to give back; `rested` follows.
    package mutating func look(_ memory: ProcessMemory, now: MonotonicTime) -> Bool {
        let isWorking = memory.worked - worked > (now - lookedAt) * Self.workingShare
        (worked, lookedAt) = (memory.worked, now)
        if isWorking || memory.ownBytes > presentBytes + Self.wobbleBytes {
            (presentBytes, stillSince) = (memory.ownBytes, now)
        }
        presentBytes = min(presentBytes, memory.ownBytes)
        restedBytes = min(restedBytes, memory.ownBytes)
        return now - stillSince >= Self.stillTime && memory.ownBytes - restedBytes >= Self.growthBytesLeast
    }

    /// It has given back.
    package mutating func rested(_ memory: ProcessMemory) {
        (restedBytes, presentBytes) = (memory.ownBytes, memory.ownBytes)
    }
}
