internal import CairnThreads
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A separate thread as an actor's executor: a call that blocks here blocks no other thread (W1).
///
/// Between jobs it runs `work`, which returns how long the thread may sleep; `ring` wakes it up.
final class StoreThread: SerialExecutor {
    /// Returns the time until the next run; nil = runs when the bell rings.
    typealias Work = @Sendable () -> Duration?

    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var work: Work?
        var isStopped = false
        var identity: ObjectIdentifier?
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)

    init(name: String) {
        let thread = Thread { [self] in
            ThreadName.set(name)
            run()
        }
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        bell.signal()
    }

    func checkIsolated() {
        precondition(isCurrent, "the store's state was touched on another thread")
    }

    /// Whether the caller runs on this thread.
    var isCurrent: Bool {
        let current = ObjectIdentifier(Thread.current)
        return state.withLock { $0.identity == current }
    }

    /// Sets what runs between jobs.
    func setWork(_ work: @escaping Work) {
        state.withLock { $0.work = work }
        bell.signal()
    }

    /// Wakes the thread up. Never blocks.
    func ring() {
        bell.signal()
    }

    /// Ends the thread when it has run the waiting jobs.
    func stop() {
        state.withLock {
            $0.isStopped = true
            $0.work = nil
        }
        bell.signal()
    }

    /// Blocks this thread until the bell rings, at most so long.
    func sleep(_ pause: Duration) {
        checkIsolated()
        wait(pause)
    }

    private func run() {
        state.withLock { $0.identity = ObjectIdentifier(Thread.current) }
        var pause: Duration?
        while true {
            wait(pause)
            let (jobs, work, isStopped) = state.withLock { state in
                let jobs = state.jobs
                state.jobs = []
                return (jobs, state.work, state.isStopped)
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if isStopped && jobs.isEmpty { return }
            pause = isStopped ? .zero : work?() ?? nil
        }
    }

    private func wait(_ pause: Duration?) {
        guard let pause else { return bell.wait() }
        guard pause > .zero else { return }
        let (seconds, attoseconds) = pause.components
        let nanoseconds = Int(min(seconds, 86_400)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        _ = bell.wait(timeout: .now() + .nanoseconds(nanoseconds))
    }
}
