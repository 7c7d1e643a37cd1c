internal import CairnCore
internal import CairnThreads
internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads that answer reads, each with its own connection. Reads that wait together are answered together.
final class ReaderPool: Sendable {
    typealias Answer = @Sendable (Result<[[Row]], StoreError>) -> Void
    /// Called on a reader's thread with the indexes of a read that failed, of which at least one is damaged.
    typealias IndexCall = @Sendable ([String], StoreError) -> Void

    private struct Job: Sendable {
        let queries: [Query]
        let answer: Answer
    }

    private struct State: Sendable {
        var jobs: Deque<Job> = []
        var isClosed = false
        var threads = 0
        var keyring: Keyring?
        var alarm: IndexCall?
        var answered: UInt64 = 0
        var refused: UInt64 = 0

        /// Takes one thread's share of the waiting reads.
        mutating func takeShare() -> [Job] {
            // While the pool closes, `threads` is 0.
            let share = jobs.count / max(threads, 1) + (jobs.count % max(threads, 1) > 0 ? 1 : 0)
            let taken = Array(jobs.prefix(min(share, ReaderPool.togetherMax)))
            jobs.removeFirst(taken.count)
            return taken
        }
    }

    /// Reads that one thread answers in one transaction, at most.
    private static let togetherMax = 64
    /// A reader that has had nothing to do for this long gives back its cached pages: what a storm has read is of no
    /// use afterwards, and reading a page again takes microseconds.
    private static let restTime = DispatchTimeInterval.seconds(2)

    private let path: String
    private let waitingMax: Int
    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(path: String, waitingMax: Int) {
        self.path = path
        self.waitingMax = waitingMax
    }

    /// Starts the threads, which then answer the reads that were queued before.
    func start(threads count: Int, keyring: Keyring, alarm: @escaping IndexCall) {
        state.withLock { state in
            state.threads = count
            state.keyring = keyring
            state.alarm = alarm
        }
        for number in 0..<count {
            let thread = Thread { [self] in
                ThreadName.set("cairn-read-\(number)")
                run()
            }
            thread.start()
        }
    }

    /// Queues a read. The answer is delivered on one of the pool's threads, a refusal on the caller's.
    func read(_ queries: [Query], then answer: @escaping Answer) {
        let refusal: StoreError? = state.withLock { state in
            if state.isClosed {
                return StoreError(
                    .closed, operation: "read", cause: "the store is closed", remedy: "restart the server")
            }
            if state.jobs.count >= waitingMax {
                state.refused += 1
                return StoreError(
                    .overloaded, operation: "read", cause: "\(waitingMax) reads wait", remedy: "try again later")
            }
            state.jobs.append(Job(queries: queries, answer: answer))
            return nil
        }
        if let refusal { return answer(.failure(refusal)) }
        bell.signal()
    }

    /// Answers the queued reads, then ends the threads. Blocks until they have ended.
    func close() {
        let threads = stop()
        for _ in 0..<threads { ended.wait() }
    }

    /// Ends the threads when they have answered the queued reads. Returns the number of threads that are ending.
    @discardableResult
    func stop() -> Int {
        let threads = state.withLock { state in
            defer { state.threads = 0 }
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<threads { bell.signal() }
        return threads
    }

    func note(in figures: inout StoreFigures) {
        state.withLock { state in
            figures.reads = state.answered
            figures.readsRefused = state.refused
            figures.readsWaiting = state.jobs.count
        }
    }

    private func run() {
        // Opens the connection before the first read. If that fails, the first read tries again and reports the error.
        let (keyring, alarm) = state.withLock { ($0.keyring, $0.alarm) }
        var connection = try? Connection(path: path, role: .reader, keyring: keyring)
        var holdsPages = true
        while true {
            if holdsPages, bell.wait(timeout: .now() + Self.restTime) == .timedOut {
                connection?.releaseMemory()
                holdsPages = false
                continue
            }
            if !holdsPages { bell.wait() }
            holdsPages = true
            // After a storm the bell rings more often than there are jobs.
            let (jobs, isClosed) = state.withLock { ($0.takeShare(), $0.isClosed) }
            guard !jobs.isEmpty || !isClosed else { break }
            answer(jobs, with: &connection, keyring, alarm)
            state.withLock { $0.answered += UInt64(jobs.count) }
        }
        connection?.close()
        ended.signal()
    }

    /// Answers several reads in one transaction. Those from the first that fails on are answered one by one.
    private func answer(
        _ jobs: [Job], with connection: inout Connection?, _ keyring: Keyring?, _ alarm: IndexCall?
    ) {
        var count = 0
        if jobs.count > 1, let connection {
            try? connection.read(jobs.lazy.map(\.queries)) { rows in
                jobs[count].answer(.success(rows))
                count += 1
            }
        }
        for job in jobs[count...] { job.answer(answer(job.queries, with: &connection, keyring, alarm)) }
    }

    private func answer(
        _ queries: [Query], with connection: inout Connection?, _ keyring: Keyring?, _ alarm: IndexCall?
    ) -> Result<[[Row]], StoreError> {
        do throws(StoreError) {
            if let connection { return .success(try connection.read(queries)) }
            let opened = try Connection(path: path, role: .reader, keyring: keyring)
            connection = opened
            return .success(try opened.read(queries))
        } catch {
            let answers = answerFromTables(queries, after: error, on: connection, alarm)
            // A connection is not used again after an error of the disk (S4).
            if !error.isPermanent {
                connection?.close()
                connection = nil
            }
            return answers.map { .success($0) } ?? .failure(error)
        }
    }

    /// Answers a query from tables alone, because an index is damaged. It scans tables, on a separate connection, until
    /// the index has been rebuilt.
    /// - Returns: nil when the query uses no index, or when the tables cannot be read either (DAT-6).
    private func answerFromTables(
        _ queries: [Query], after error: StoreError, on connection: Connection?, _ alarm: IndexCall?
    ) -> [[Row]]? {
        guard error.kind == .damaged, let sql = error.statement, let connection,
            let indexes = try? connection.indexes(of: sql), !indexes.isEmpty,
            let tables = try? Connection(path: path, role: .readerOfTables, keyring: connection.keyring)
        else { return nil }
        defer { tables.close() }
        guard let answers = try? tables.read(queries) else { return nil }
        alarm?(indexes, error)
        return answers
    }
}
