internal import CairnTime

/// The jobs that wait for the desk's thread: two lanes, each with a bound. Familiar people are served first. A pure
/// value; `PasswordDesk` keeps it behind a lock.
struct DeskQueue<Job: Sendable>: Sendable {
    struct Entry: Sendable {
        let id: UInt64
        let lane: PasswordDesk.Lane
        let since: MonotonicTime
        let job: Job
    }

    private let bounds: PasswordDesk.Bounds
    private var familiar: [Entry] = []
    private var strangers: [Entry] = []

    init(bounds: PasswordDesk.Bounds) { self.bounds = bounds }

    var count: Int { familiar.count + strangers.count }

    func count(in lane: PasswordDesk.Lane) -> Int { lane == .familiar ? familiar.count : strangers.count }

    /// How many jobs stand before a new one of the lane.
    func ahead(of lane: PasswordDesk.Lane) -> Int { lane == .familiar ? familiar.count : count }

    /// False = the lane is full, and nothing was added.
    mutating func append(_ entry: Entry) -> Bool {
        switch entry.lane {
        case .familiar:
            guard familiar.count < bounds.familiarMax else { return false }
            familiar.append(entry)
        case .stranger:
            guard strangers.count < bounds.strangersMax else { return false }
            strangers.append(entry)
        }
        return true
    }

    /// Takes the job that is next.
    mutating func next() -> Entry? {
        if !familiar.isEmpty { return familiar.removeFirst() }
        return strangers.isEmpty ? nil : strangers.removeFirst()
    }

    /// Takes a job out of the queue; nil = it does not wait any more.
    mutating func remove(_ id: UInt64) -> Entry? {
        if let place = familiar.firstIndex(where: { $0.id == id }) { return familiar.remove(at: place) }
        if let place = strangers.firstIndex(where: { $0.id == id }) { return strangers.remove(at: place) }
        return nil
    }

    /// Takes all jobs.
    mutating func removeAll() -> [Entry] {
        defer { (familiar, strangers) = ([], []) }
        return familiar + strangers
    }
}
