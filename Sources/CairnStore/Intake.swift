internal import CairnCore
internal import Synchronization

/// The state that other threads share with the writer: the backlog, waiting expiries, and the figures.
final class Intake: Sendable {
    private struct State: Sendable {
        var backlog: Backlog
        var expiries: [Expiry] = []
        var indexes = IndexRegister()
        var copies = CopyRegister()
        var figures = StoreFigures()
        var handler: (@Sendable (CommitOutcome) -> Void)?
        /// Homes with a unit that was refused for good. No further unit of these homes is saved until they are loaded
        /// again. At most one entry for each home that is awake.
        var barred: Set<HomeAddress> = []
        /// The writer has found no work and sleeps, or is about to sleep.
        var writerIsIdle = true
        /// The writer sleeps until so many units wait, or for a short time; nil = it does not gather.
        var gathered: Int?
        var isClosed = false
        /// The database's file was moved, replaced or deleted.
        var isMoved = false

        var accepts: Bool { backlog.accepts && !isClosed && !isMoved }
    }

    /// The result of a submission.
    enum Admission {
        case queued
        /// Queued, and the caller has to wake the writer.
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
            if let gathered = state.gathered, state.backlog.count >= gathered {
                state.gathered = nil
                return .queuedForIdleWriter
            }
            defer { state.writerIsIdle = false }
            return state.writerIsIdle ? .queuedForIdleWriter : .queued
        }
    }

    /// Whether so many units wait; if not, the submission of the last of them wakes the writer up.
    func hasGathered(_ units: Int) -> Bool {
        state.withLock { state in
            let isEnough = state.backlog.count >= units
            state.gathered = isEnough ? nil : units
            return isEnough
        }
    }

    /// The next batch; when it is empty, the next submission wakes the writer up.
    func takeBatch(changesMax: Int) -> [Backlog.Entry] {
        state.withLock { state in
            state.gathered = nil
            let batch = state.backlog.take(changesMax: changesMax)
            if batch.isEmpty { state.writerIsIdle = true }
            return batch
        }
    }

    /// Homes whose units are not saved.
    var barred: Set<HomeAddress> { state.withLock { $0.barred } }

    /// A home is loaded again: its units are accepted from now on.
    func readmit(_ home: HomeAddress) {
        state.withLock { _ = $0.barred.remove(home) }
    }

    /// The writer has decided entries with this number of statements. No further unit of the homes in `barring` is
    /// saved. `rest` is the submission time of the oldest entry that the writer still holds.
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

    /// Queues expiries. A new one replaces one of the same kind that still waits, so the queue is at most as long as
    /// there are kinds.
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

    /// A step of the first expiry is done; `isFinished` = no expired row is left.
    func expired(_ expiry: Expiry, rows: Int, isFinished: Bool) {
        state.withLock { state in
            state.figures.rowsExpired += UInt64(rows)
            if isFinished, state.expiries.first == expiry { state.expiries.removeFirst() }
        }
    }

    // MARK: - Damaged indexes

    /// Notes damaged indexes; returns those that are queued for rebuilding now.
    func met(_ indexes: [String]) -> [String] {
        state.withLock { $0.indexes.met(indexes, at: .now) }
    }

    /// Removes and returns the next index to rebuild.
    var nextIndex: String? { state.withLock { $0.indexes.next() } }

    func mended(_ index: String) {
        state.withLock { $0.indexes.mended(index) }
    }

    // MARK: - Damaged rows with a second copy

    /// Names the tables that are kept twice.
    func keepTwice(_ tables: Set<String>) {
        state.withLock { $0.copies.tables = tables }
    }

    /// Notes damaged rows; returns whether one is queued for mending now.
    func mend(_ rows: [DamagedRow]) -> Bool {
        state.withLock { $0.copies.met(rows, at: .now) }
    }

    /// Removes and returns the next row to mend.
    var nextDamagedRow: DamagedRow? { state.withLock { $0.copies.next() } }

    /// Notes second copies that are not as their rows; returns whether some are queued now.
    func renew(_ copies: Set<CopyGroup>) -> Bool {
        state.withLock { $0.copies.differ(copies) }
    }

    /// Removes and returns the next second copies that are made anew.
    var nextCopies: CopyGroup? { state.withLock { $0.copies.nextDiffering() } }

    // MARK: - State

    /// While the database's file is gone, changes are refused: they would be lost at the next start.
    func setMoved(_ isMoved: Bool) {
        state.withLock { state in
            state.isMoved = isMoved
            state.figures.isFileMoved = isMoved
            accepts.store(state.accepts, ordering: .relaxed)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Accepts no further unit. Queued units stay for the writer.
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
