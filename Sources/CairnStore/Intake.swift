internal import CairnCore
internal import Synchronization

/// The state that other threads share with the writer: the backlog, waiting expiries, and the figures.
final class Intake: Sendable {
    private struct State: Sendable {
        var backlog: Backlog
        var expiries: [Expiry] = []
        var indexes = IndexRegister()
        var figures = StoreFigures()
        var handler: (@Sendable (CommitOutcome) -> Void)?
        /// Homes of which a unit was refused for good: nothing of theirs is saved until they have been read anew. At
        /// most the homes that are awake.
        var barred: Set<HomeAddress> = []
        /// The writer has found nothing to do and sleeps, or is about to.
        var writerIsIdle = true
        var isClosed = false
        /// The database's file is not where it was.
        var isMoved = false

        var accepts: Bool { backlog.accepts && !isClosed && !isMoved }
    }

    /// What became of an entry.
    enum Admission {
        case queued
        /// Queued, and the writer has to be woken up.
        case queuedForIdleWriter
        case closed
    }

    private let state: Mutex<State>
    private let accepts = Atomic<Bool>(true)

    init(changesMax: Int) {
        state = Mutex(State(backlog: Backlog(changesMax: changesMax)))
    }

    /// False at the bound of the backlog and after closing. One atomic read.
    var acceptsChanges: Bool { accepts.load(ordering: .relaxed) }

    func submit(_ statements: [Statement], _ completion: Backlog.Completion) -> Admission {
        let entry = Backlog.Entry(statements: statements, completion: completion, since: .now)
        return state.withLock { state in
            guard !state.isClosed else { return .closed }
            state.backlog.append(entry)
            if !state.backlog.accepts { accepts.store(false, ordering: .relaxed) }
            defer { state.writerIsIdle = false }
            return state.writerIsIdle ? .queuedForIdleWriter : .queued
        }
    }

    /// The next batch; when it is empty, the next submission wakes the writer up.
    func takeBatch(changesMax: Int) -> [Backlog.Entry] {
        state.withLock { state in
            let batch = state.backlog.take(changesMax: changesMax)
            if batch.isEmpty { state.writerIsIdle = true }
            return batch
        }
    }

    /// Homes of which nothing is saved.
    var barred: Set<HomeAddress> { state.withLock { $0.barred } }

    /// A home begins anew, from what is on disk.
    func readmit(_ home: HomeAddress) {
        state.withLock { _ = $0.barred.remove(home) }
    }

    /// The writer has decided entries with this number of statements. Nothing more of the homes in `barring` is saved.
    /// `rest` is the submission time of the oldest entry that the writer still holds.
    func decided(
        changes: Int, barring: some Sequence<HomeAddress>, rest: ContinuousClock.Instant?,
        _ note: (inout StoreFigures) -> Void
    ) -> (@Sendable (CommitOutcome) -> Void)? {
        state.withLock { state in
            state.barred.formUnion(barring)
            state.backlog.decided(changes: changes, rest: rest)
            accepts.store(state.accepts, ordering: .relaxed)
            note(&state.figures)
            return state.handler
        }
    }

    func note(_ change: (inout StoreFigures) -> Void) {
        state.withLock { change(&$0.figures) }
    }

    func setHandler(_ handler: @escaping @Sendable (CommitOutcome) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Queues expiries. One that still waits from last time is replaced, so the queue is as long as there are kinds of
    /// them.
    func expire(_ expiries: [Expiry]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            for expiry in expiries {
                if let index = state.expiries.firstIndex(where: { $0.isSameKind(as: expiry) }) {
                    state.expiries[index] = expiry
                } else {
                    state.expiries.append(expiry)
                }
            }
        }
    }

    var nextExpiry: Expiry? {
        state.withLock { $0.expiries.first }
    }

    /// A step of the first expiry is done; `isFinished` when no row was left.
    func expired(_ expiry: Expiry, rows: Int, isFinished: Bool) {
        state.withLock { state in
            state.figures.rowsExpired += UInt64(rows)
            if isFinished, state.expiries.first == expiry { state.expiries.removeFirst() }
        }
    }

    // MARK: - Damaged indexes

    /// Takes note of indexes that are damaged; gives those that are to be built anew for it.
    func met(_ indexes: [String]) -> [String] {
        state.withLock { $0.indexes.met(indexes, at: .now) }
    }

    /// The next index to build anew; it waits no longer.
    var nextIndex: String? { state.withLock { $0.indexes.next() } }

    func mended(_ index: String) {
        state.withLock { $0.indexes.mended(index) }
    }

    // MARK: - State

    /// While the database's file is gone changes are refused: none of them would be there at the next start.
    func setMoved(_ isMoved: Bool) {
        state.withLock { state in
            state.isMoved = isMoved
            state.figures.isFileMoved = isMoved
            accepts.store(state.accepts, ordering: .relaxed)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Nothing is taken any more. What waits stays for the writer.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.expiries = []
        }
        accepts.store(false, ordering: .relaxed)
    }

    /// The figures at this moment.
    var figures: StoreFigures {
        state.withLock { state in
            var figures = state.figures
            figures.backlogChanges = state.backlog.changes
            (figures.damagedIndexes, figures.rebuiltIndexes) = (state.indexes.damaged, state.indexes.rebuilt)
            if let oldest = state.backlog.oldest {
                let age = (ContinuousClock.now - oldest).components
                figures.oldestUnsavedMilliseconds = age.seconds * 1_000 + age.attoseconds / 1_000_000_000_000_000
            }
            return figures
        }
    }
}
