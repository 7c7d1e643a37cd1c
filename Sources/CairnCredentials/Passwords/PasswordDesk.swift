internal import CairnThreads
public import CairnTime
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Hashes and compares passwords on one thread of its own (ACC-4, pitfalls B16). The thread has a lower priority than
/// the loops, and guesses of strangers can take no more than it.
///
/// Its queue is fair by account and by address (`DeskQueue`), and each lane has room of its own. A job that finds its
/// lane full of the jobs of people with fewer is refused at once. The desk keeps its thread until `stop`.
public final class PasswordDesk: Sendable {
    /// Who waits.
    public enum Lane: CaseIterable, Hashable, Sendable {
        /// Somebody who signs in on a device that has signed in to this account before.
        case device
        /// Somebody who is signed in, or who has signed in to this account from this address before.
        case familiar
        /// Anybody else.
        case stranger
    }

    /// Whose job it is.
    public struct Asker: Hashable, Sendable {
        public let lane: Lane
        let address: LimitKey
        let account: LimitKey

        /// - Parameters:
        ///   - address: where the person is.
        ///   - account: of a stranger the name that was entered, known or not; of others the account.
        public init(_ lane: Lane, at address: LimitKey, as account: LimitKey) {
            self.lane = lane
            self.address = address
            self.account = account
        }
    }

    /// Jobs that may wait in each lane, beside the one under way.
    public struct Bounds: Hashable, Sendable {
        public let devicesMax: Int
        public let familiarMax: Int
        public let strangersMax: Int

        public init(devicesMax: Int = 64, familiarMax: Int = 64, strangersMax: Int = 32) {
            self.devicesMax = Swift.max(devicesMax, 1)
            self.familiarMax = Swift.max(familiarMax, 1)
            self.strangersMax = Swift.max(strangersMax, 1)
        }

        func max(of lane: Lane) -> Int {
            switch lane {
            case .device: devicesMax
            case .familiar: familiarMax
            case .stranger: strangersMax
            }
        }
    }

    /// No answer: the lane is full, the desk has stopped, the caller's task was cancelled before its turn, or there was
    /// no memory. Says nothing about the password.
    public struct Busy: Error, Hashable, Sendable {
        /// How long the lane needs for what is in it; at least a second.
        public let retryAfter: Duration
    }

    /// Whether a password is right.
    public enum Verdict: Hashable, Sendable {
        case wrong
        /// - Parameter needsRehash: the stored hash has another cost than the desk's: make a new one with `hash`.
        case right(needsRehash: Bool)
    }

    /// Counts since the start, and the jobs that wait now.
    public struct Figures: Hashable, Sendable {
        public fileprivate(set) var waiting: [Lane: Int] = [:]
        /// Jobs that were answered.
        public fileprivate(set) var done = 0
        /// Jobs that a full or stopped desk did not take, and those that lost their place to others, by lane.
        public fileprivate(set) var refused: [Lane: Int] = [:]
        /// Jobs that were taken, and dropped because their caller was cancelled or the desk stopped.
        public fileprivate(set) var abandoned = 0
        /// Jobs that failed for want of memory.
        public fileprivate(set) var failed = 0
        /// Time that the thread has worked.
        public fileprivate(set) var busy = Duration.zero
        /// The longest time that a job has waited for its turn.
        public fileprivate(set) var longestWait = Duration.zero
    }

    /// What an answer is resumed with.
    fileprivate enum Answer: Sendable {
        case verdict(Verdict)
        case hash(PasswordHash)
        case busy(Busy)
    }

    fileprivate struct Job: Sendable {
        let work: @Sendable () throws(PasswordHash.Failure) -> Answer
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State: Sendable {
        var queue: DeskQueue<Job>
        var figures = Figures()
        var nextID: UInt64 = 0
        var isStopped = false
        var hasEnded = false
        var awaitingEnd: [CheckedContinuation<Void, Never>] = []
    }

    /// What a new hash costs.
    public let cost: PasswordHash.Cost
    /// Stands for the hash of every unknown name.
    private let decoy: PasswordHash
    private let now: @Sendable () -> MonotonicTime
    private let state: Mutex<State>
    private let bell = DispatchSemaphore(value: 0)
    /// Hashes. The desk's other thread waits for it and resumes the callers.
    private let worker: QuietThread
    /// How the thread that hashes is called in `/proc/self/task`.
    static let threadName = "cairn-passwords"

    /// Starts the threads.
    /// - Parameter now: the clock, for the figures and the time to wait.
    public init(
        cost: PasswordHash.Cost = .standard, bounds: Bounds = Bounds(), now: @escaping @Sendable () -> MonotonicTime
    ) {
        self.cost = cost
        self.now = now
        decoy = PasswordHash(decoyOf: cost)
        state = Mutex(State(queue: DeskQueue(bounds: bounds)))
        worker = QuietThread(name: Self.threadName)
        let thread = Thread { [self] in run() }
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// Whether the password is the stored one. Takes the same time whether the name is unknown, the password is wrong,
    /// or it is right (pitfalls B16).
    ///
    /// - Where the stored hash is cheaper than the desk's cost, a wrong password costs the difference as well, to
    ///   within a sixth. A hash that is dearer takes its own time: lowered costs tell that an account exists until its
    ///   next sign-in.
    /// - Parameter hash: nil = an unknown name: the same work is done, and the password is wrong.
    public func verify(
        _ password: PreparedPassword, against hash: PasswordHash?, for asker: Asker
    ) async throws(Busy) -> Verdict {
        let (cost, decoy) = (cost, decoy)
        let answer = await run(for: asker) { () throws(PasswordHash.Failure) -> Answer in
            let isRight = try (hash ?? decoy).matches(password)
            if let hash, isRight { return .verdict(.right(needsRehash: hash.needsRehash(for: cost))) }
            if let rest = cost.remainder(after: (hash ?? decoy).cost) {
                _ = try PasswordHash(decoyOf: rest).matches(password)
            }
            return .verdict(.wrong)
        }
        switch answer {
        case .verdict(let verdict): return verdict
        case .busy(let busy): throw busy
        case .hash: preconditionFailure("the desk answered a comparison with a hash")
        }
    }

    /// Makes the hash of a new password at the desk's cost.
    public func hash(_ password: PreparedPassword, for asker: Asker) async throws(Busy) -> PasswordHash {
        let cost = cost
        let answer = await run(for: asker) { () throws(PasswordHash.Failure) -> Answer in
            .hash(try PasswordHash(of: password, cost: cost))
        }
        switch answer {
        case .hash(let hash): return hash
        case .busy(let busy): throw busy
        case .verdict: preconditionFailure("the desk answered a hash with a verdict")
        }
    }

    /// Readable on any thread.
    public var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            for lane in Lane.allCases { figures.waiting[lane] = state.queue.count(in: lane) }
            return figures
        }
    }

    /// Ends the thread after the job under way. Callers that wait, and all later ones, get `Busy`. Returns when the
    /// thread is done; may be called again.
    public func stop() async {
        let dropped = state.withLock { state in
            state.isStopped = true
            let dropped = state.queue.removeAll()
            state.figures.abandoned += dropped.count
            return dropped
        }
        for entry in dropped { entry.job.continuation.resume(returning: .busy(Busy(retryAfter: .seconds(1)))) }
        bell.signal()
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.awaitingEnd.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    // MARK: Inside

    /// Queues a job and waits for its answer.
    private func run(
        for asker: Asker, _ work: @escaping @Sendable () throws(PasswordHash.Failure) -> Answer
    ) async -> Answer {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Job(work: work, continuation: continuation), id, asker)
                // The handler runs once, and may have run before the job was queued.
                if Task.isCancelled { abandon(id) }
            }
        } onCancel: {
            abandon(id)
        }
    }

    private func enqueue(_ job: Job, _ id: UInt64, _ asker: Asker) {
        let time = now()
        let dropped = state.withLock { state -> (job: Job, busy: Busy)? in
            let busy = Busy(retryAfter: Self.wait(state, asker, at: time))
            guard !state.isStopped else {
                state.figures.refused[asker.lane, default: 0] += 1
                return (job, busy)
            }
            switch state.queue.append(DeskQueue.Entry(id: id, asker: asker, since: time, job: job)) {
            case .taken: return nil
            case .replaced(let entry):
                state.figures.refused[asker.lane, default: 0] += 1
                return (entry.job, Busy(retryAfter: Self.wait(state, entry.asker, at: time)))
            case .refused:
                state.figures.refused[asker.lane, default: 0] += 1
                return (job, busy)
            }
        }
        dropped.map { $0.job.continuation.resume(returning: .busy($0.busy)) }
        bell.signal()
    }

    /// A caller is gone. The job under way is finished all the same.
    private func abandon(_ id: UInt64) {
        let dropped = state.withLock { state in
            let dropped = state.queue.remove(id)
            if dropped != nil { state.figures.abandoned += 1 }
            return dropped
        }
        dropped?.job.continuation.resume(returning: .busy(Busy(retryAfter: .seconds(1))))
    }

    /// How long what stands before a new job takes, by the mean so far.
    private static func wait(_ state: State, _ asker: Asker, at time: MonotonicTime) -> Duration {
        let mean = state.figures.done == 0 ? .milliseconds(50) : state.figures.busy / state.figures.done
        return max(.seconds(1), mean * (state.queue.ahead(of: asker, at: time) + 1))
    }

    private func run() {
        ThreadName.set("cairn-desk")
        while true {
            bell.wait()
            let time = now()
            let (entry, isStopped) = state.withLock { ($0.queue.next(at: time), $0.isStopped) }
            if let entry { serve(entry) }
            if isStopped { break }
        }
        worker.stop()
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.awaitingEnd = [] }
            return state.awaitingEnd
        }
        for continuation in waiting { continuation.resume() }
    }

    private func serve(_ entry: DeskQueue<Job>.Entry) {
        let (start, answer, end) = worker.perform { [now] in
            let start = now()
            let answer = Result { () throws(PasswordHash.Failure) in try entry.job.work() }
            return (start, answer, now())
        }
        let reply = state.withLock { state -> Answer in
            state.figures.busy += end - start
            state.figures.longestWait = max(state.figures.longestWait, start - entry.since)
            switch answer {
            case .success(let answer):
                state.figures.done += 1
                return answer
            case .failure:
                state.figures.failed += 1
                return .busy(Busy(retryAfter: Self.wait(state, entry.asker, at: end)))
            }
        }
        entry.job.continuation.resume(returning: reply)
    }
}

extension PasswordHash.Cost {
    /// What is left to do after a cheaper hash, as one more hash of about the same time; nil = nothing.
    ///
    /// The time of argon2id goes by memory times passes, give or take a sixth.
    func remainder(after done: Self) -> Self? {
        let rest = memoryKiB * passes - done.memoryKiB * done.passes
        guard rest > 0 else { return nil }
        let passes = (rest + memoryKiB - 1) / memoryKiB
        let memory = min(max(rest / passes, Self.memoryKiBRange.lowerBound), Self.memoryKiBRange.upperBound)
        return Self(memoryKiB: memory, passes: passes, lanes: 1)
    }
}
