internal import CairnCore

/// The changes that are not on disk yet, in the order of submission, with its bound.
///
/// Entries that the writer has taken count until they are decided.
struct Backlog: Sendable {
    /// One unit, and the receiver of its outcome.
    struct Entry: Sendable {
        let statements: [Statement]
        let completion: Completion
        let since: ContinuousClock.Instant

        /// Whether its submitter awaits the outcome.
        var isAwaited: Bool {
            if case .waiter = completion { true } else { false }
        }

        /// The home whose turn the unit is; nil = it is no home's.
        var home: HomeAddress? {
            if case .ticket(let ticket) = completion { ticket.home } else { nil }
        }
    }

    /// The receiver of the outcome.
    enum Completion: Sendable {
        case ticket(CommitTicket)
        case waiter(@Sendable (Result<Void, StoreError>) -> Void)
    }

    private let changesMax: Int
    private var entries: [Entry] = []
    private var head = 0
    /// When the oldest entry that the writer holds was submitted.
    private var takenSince: ContinuousClock.Instant?
    /// Statements that are not on disk.
    private(set) var changes = 0
    /// False from the bound on, until fewer than 90 % of it are left.
    private(set) var accepts = true

    init(changesMax: Int) {
        self.changesMax = changesMax
    }

    /// Units that the writer has not taken.
    var count: Int { entries.count - head }
    var isEmpty: Bool { count == 0 }

    /// When the oldest change that is not on disk was submitted.
    var oldest: ContinuousClock.Instant? {
        takenSince ?? (isEmpty ? nil : entries[head].since)
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        changes += entry.statements.count
        if changes >= changesMax { accepts = false }
    }

    /// Removes and returns the oldest entries for the writer: at least one if there is any, with at most `changesMax`
    /// statements.
    mutating func take(changesMax: Int) -> [Entry] {
        guard !isEmpty else { return [] }
        var end = head
        var taken = 0
        repeat {
            taken += entries[end].statements.count
            end += 1
        } while end < entries.count && taken + entries[end].statements.count <= changesMax
        let batch = Array(entries[head..<end])
        head = end
        takenSince = batch[0].since
        dropTaken()
        return batch
    }

    /// Notes that the first of the taken entries are decided; `rest` describes the entries that the writer still holds.
    mutating func decided(changes decided: Int, rest: ContinuousClock.Instant?) {
        changes -= decided
        takenSince = rest
        if changes < changesMax - changesMax / 10 { accepts = true }
    }

    /// Compacts the array only when at least half of it is free, so an entry is moved once on average.
    private mutating func dropTaken() {
        if head == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 4_096)
            head = 0
        } else if head >= 1_024, head * 2 >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }
}
