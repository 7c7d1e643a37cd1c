internal import CairnThreads
internal import CairnTime
internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Makes long or large answers on one thread beside the loops: it reads files, compresses, and reads pages of rows, so
/// that none of this runs on a loop. One lane serves all loops of a process.
///
/// Bound: `answersMax` answers are under way at once, of them `answersPerClientMax` for one client. Each has at most
/// one piece in memory and one job here. Beyond the bound the client or account that has the most gives way to one that
/// has less (`LanePlaces`); else the request is refused with 503 and `Retry-After`. Both are counted.
public final class BulkLane: TaskExecutor {
    /// Answers under way in all; each may hold 64 KiB on its loop and as much here.
    static let answersMax = 256
    /// Of those, for one client: a quarter, so that slow readers of one address leave room for others. A browser that
    /// opens `/play` asks for six at once, and a group may open it from one address.
    static let answersPerClientMax = 64
    /// The thread ends when nothing has come for this long; the next job starts another.
    private static let idleSeconds = 10

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)

    private struct State: Sendable {
        var jobs: Deque<UnownedJob> = []
        var hasThread = false
        var places = LanePlaces(answersMax: BulkLane.answersMax, perClientMax: BulkLane.answersPerClientMax)
        var figures = Figures()
    }

    /// The lane's figures since its start.
    public struct Figures: Sendable {
        /// Answers under way.
        public var running = 0
        /// Jobs that wait for the thread.
        public var waiting = 0
        /// Answers that went out whole.
        public var completed: UInt64 = 0
        /// Answers that ended before: the peer left or read too slowly, or the source failed.
        public var cutOff: UInt64 = 0
        /// Of those that were cut off, answers that gave way to another client or account.
        public var displaced: UInt64 = 0
        /// Requests refused because the lane was full.
        public var refused: UInt64 = 0
        /// Bytes of bodies handed to sockets.
        public var bytes: UInt64 = 0
    }

    private let name: String
    private let isBackground: Bool

    /// A lane without a thread; the first job starts it.
    /// - Parameters:
    ///   - name: of the thread.
    ///   - isBackground: whether the thread runs when no other wants the processor.
    public init(name: String = "cairn-bulk", isBackground: Bool = false) {
        self.name = name
        self.isBackground = isBackground
    }

    /// A copy of the figures. From any thread.
    public var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            figures.waiting = state.jobs.count
            figures.running = state.places.count
            return figures
        }
    }

    /// The right to one answer; its last reference gives it back.
    final class Place: Sendable {
        private let lane: BulkLane
        private let number: UInt64

        fileprivate init(lane: BulkLane, number: UInt64) {
            self.lane = lane
            self.number = number
        }

        /// The reader is ready for more.
        func noteWanted() { lane.state.withLock { $0.places.noteWanted(number, now: .now) } }

        deinit {
            lane.state.withLock { $0.places.leave(number) }
        }
    }

    /// A place for one more answer; nil when there is none for it, which is counted.
    /// - Parameter giveWay: ends the answer. It is called once at most, on any thread.
    func admit(_ later: LaterAnswer, giveWay: @escaping @Sendable () -> Void) -> Place? {
        let answer = LanePlaces.Answer(
            client: later.client?.network, account: later.account, wanted: .now, giveWay: giveWay)
        let admission = state.withLock { state in
            let admission = state.places.admit(answer)
            switch admission {
            case .place(_, instead: nil): break
            case .place: state.figures.displaced += 1
            case .refused: state.figures.refused += 1
            }
            return admission
        }
        guard case .place(let number, let instead) = admission else { return nil }
        instead?.giveWay()
        return Place(lane: self, number: number)
    }

    /// Counts bytes that were handed to a socket.
    func note(bytes: Int) {
        state.withLock { $0.figures.bytes += UInt64(bytes) }
    }

    /// Counts the end of an answer.
    func noteEnd(completed: Bool) {
        state.withLock { state in
            if completed { state.figures.completed += 1 } else { state.figures.cutOff += 1 }
        }
    }

    // MARK: Thread

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        bell.signal()
        guard needsThread else { return }
        let thread = Thread { [self] in
            ThreadName.set(name)
            // On Linux this lowers the priority of the calling thread only.
            if isBackground { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
            run()
        }
        thread.start()
    }

    private func run() {
        while true {
            let isRung = bell.wait(timeout: .now() + .seconds(Self.idleSeconds)) == .success
            let (job, isOver) = state.withLock { state in
                let job = state.jobs.popFirst()
                if job == nil && !isRung { state.hasThread = false }
                return (job, job == nil && !isRung)
            }
            if let job { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if isOver { return }
        }
    }
}
