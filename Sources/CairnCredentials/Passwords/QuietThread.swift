internal import CairnThreads
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A thread of low priority that does one piece of work at a time for another thread, which waits for it.
///
/// It resumes no task. On Linux a new thread has the priority of the one that starts it, and only a privileged process
/// may improve it: whoever resumes a task may start a thread of the pool, and that one would be slow for good.
final class QuietThread: Sendable {
    /// nil ends the thread.
    private let work = Mutex<(@Sendable () -> Void)?>(nil)
    private let begin = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)

    /// The nice value: a thread that wants the same core gets nine tenths of it.
    static let niceness: Int32 = 10

    /// Starts the thread. It runs until `stop`.
    /// - Parameter name: at most 15 ASCII characters, as `/proc/self/task` shows it.
    init(name: String) {
        let thread = Thread { [self] in
            ThreadName.set(name)
            // Of the calling thread alone, and of those that libargon2 starts from it where a cost has several lanes.
            // Raising the value needs no right.
            setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.niceness)
            var isRunning = true
            while isRunning {
                begin.wait()
                let work = work.withLock { $0 }
                work?()
                isRunning = work != nil
                done.signal()
            }
        }
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// Runs `body` on the thread and returns its result. For one caller at a time.
    func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let result = Box<Result>()
        work.withLock { $0 = { result.value.withLock { $0 = body() } } }
        begin.signal()
        done.wait()
        work.withLock { $0 = nil }
        guard let made = result.value.withLock({ $0 }) else { preconditionFailure("the thread has ended") }
        return made
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Ends the thread.
    func stop() {
        work.withLock { $0 = nil }
        begin.signal()
        done.wait()
    }
}
