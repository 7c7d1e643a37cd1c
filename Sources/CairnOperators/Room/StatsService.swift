internal import CairnThreads
internal import Foundation
internal import Logging
internal import Synchronization

/// The operators' room as seen from other threads. It has a thread of its own, so operators never queue behind players
/// (pitfalls W4), and no player waits for an operator.
final class StatsService: Sendable {
    private let mailbox = Mutex(Mailbox())
    private let wakeReader: Int32
    private let wakeWriter: Int32

    private struct Mailbox {
        var jobs: [@Sendable (StatsRoom) -> Void] = []
        var isOpen = true
        var isDone = false
    }

    /// Jobs that may wait for the room; at the bound further ones are refused, because the room hangs.
    private static let jobsMax = 10_000

    init() throws(StatsError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw StatsError(operation: "make a pipe", cause: String(cString: strerror(errno)))
        }
        ends.forEach(Descriptor.prepare)
        (wakeReader, wakeWriter) = (ends[0], ends[1])
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// Starts the thread; the room is made there and confined to it.
    func start(_ make: @escaping @Sendable () -> StatsRoom) {
        let thread = Thread { [self] in
            ThreadName.set("cairn-stats")
            let room = make()
            room.run(service: self, wake: wakeReader)
            mailbox.withLock { mailbox in
                mailbox.isOpen = false
                mailbox.isDone = true
                mailbox.jobs = []
            }
        }
        thread.stackSize = 2 << 20
        thread.start()
    }

    /// Queues work for the room, which does it in order. From any thread; never waits.
    /// - Returns: false when the room has closed or does not keep up.
    @discardableResult
    func post(_ work: @escaping @Sendable (StatsRoom) -> Void) -> Bool {
        let (isTaken, needsWake) = mailbox.withLock { mailbox in
            guard mailbox.isOpen, mailbox.jobs.count < Self.jobsMax else { return (false, false) }
            mailbox.jobs.append(work)
            return (true, mailbox.jobs.count == 1)
        }
        if needsWake { wake() }
        return isTaken
    }

    /// Ends the room: every operator is disconnected, the sockets' files go.
    func stop() async {
        post { $0.stop() }
        let deadline = ContinuousClock.now + .seconds(2)
        while !mailbox.withLock({ $0.isDone }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Removes and returns the queued work.
    func takeJobs() -> [@Sendable (StatsRoom) -> Void] {
        mailbox.withLock { mailbox in
            let jobs = mailbox.jobs
            mailbox.jobs = []
            return jobs
        }
    }

    private func wake() {
        var byte: UInt8 = 1
        // A full pipe has woken the room already.
        _ = write(wakeWriter, &byte, 1)
    }
}

/// What every descriptor of the room needs.
enum Descriptor {
    /// Never waits, and does not go to programs that this one starts.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}

/// A failure to set up the operators' room (ENG-1).
package struct StatsError: Error, CustomStringConvertible {
    package let operation: String
    package let cause: String
    /// True when nothing listens there.
    var isAbsent = false

    package var description: String { "stats: \(operation): \(cause)" }
}
