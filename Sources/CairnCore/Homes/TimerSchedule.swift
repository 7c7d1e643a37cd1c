/// Finds the homes to wake next, among any number of timer rows.
///
/// It holds the earliest few timers and reads further rows as time passes. Pure: time is a parameter, queries are
/// returned.
///
/// It names homes and not timers, because a home knows its own due timers. Naming a home twice is harmless.
public struct TimerSchedule: Sendable {
    /// A home and the time of one of its timers.
    private struct Entry: Hashable, Sendable {
        let due: LastingTime
        let home: HomeAddress
    }

    /// Sorted, the latest first.
    private var held: [Entry] = []
    /// Every timer due up to this time is held, or its home has been returned by `takeDue`.
    private var known = LastingTime.distantPast
    /// How far this pass has read; nil = it begins.
    private var position: TimerRow.Position?
    /// The latest due time of this pass.
    private var through = LastingTime.distantPast
    /// Whether all rows up to `through` have been read.
    private var isPassOver = true
    private var isReading = false
    private let heldMax: Int
    private let pageMax: Int

    /// How far ahead rows are read.
    static let horizon = Duration.seconds(60)
    /// The next pass begins this long before the horizon. Each pass begins with overdue timers, so a home that could
    /// not be woken, or has lost its turn, is named again.
    static let lead = Duration.seconds(30)

    /// - Parameters:
    ///   - heldMax: number of homes that are held before more rows are read.
    ///   - pageMax: number of rows that are read at once, and of homes that are returned at once.
    public init(heldMax: Int = 4_096, pageMax: Int = 1_024) {
        self.heldMax = heldMax
        self.pageMax = pageMax
    }

    /// Number of entries, at most `heldMax` and one page.
    public var count: Int { held.count }

    /// When the next home is due; nil = none is held.
    public var next: LastingTime? { held.last?.due }

    /// Notes a timer that has been set and is on disk.
    public mutating func note(_ home: HomeAddress, due: LastingTime) {
        // A pass finds later timers when it reaches them. The page that is being read may be older than this timer.
        guard due <= (isReading ? max(known, through) : known) else { return }
        insert(Entry(due: due, home: home))
        guard held.count > heldMax + pageMax else { return }
        held.removeFirst(held.count - heldMax)
        known = held[0].due - .milliseconds(1)
        // The dropped entries are read again.
        (position, isPassOver) = (nil, false)
    }

    private mutating func insert(_ entry: Entry) {
        var (low, high) = (0, held.count)
        while low < high {
            let middle = (low + high) / 2
            if held[middle].due > entry.due { low = middle + 1 } else { high = middle }
        }
        var index = low
        while index < held.count, held[index].due == entry.due {
            if held[index] == entry { return }
            index += 1
        }
        held.insert(entry, at: low)
    }

    /// Removes and returns the homes with due timers, the earliest first and each once; at most one page.
    public mutating func takeDue(now: LastingTime) -> [HomeAddress] {
        var homes: [HomeAddress] = []
        var known: Set<HomeAddress> = []
        while homes.count < pageMax, let last = held.last, last.due <= now {
            held.removeLast()
            if known.insert(last.home).inserted { homes.append(last.home) }
        }
        return homes
    }

    /// The next query for the store; nil = none now. Pass the answer to `loaded`.
    public mutating func takeQuery(now: LastingTime) -> Query? {
        guard !isReading else { return nil }
        if isPassOver {
            guard now + Self.lead >= through else { return nil }
            (position, isPassOver) = (nil, false)
        }
        guard held.count <= heldMax / 2 else { return nil }
        // If the clock stands still, the pass reads the same range once more.
        if position == nil { through = max(through, now + Self.horizon) }
        isReading = true
        return TimerRow.due(after: position, through: through, rowsMax: pageMax)
    }

    /// Receives the store's answer.
    /// - Parameter rows: nil = the store could not be queried, and the query is repeated.
    /// - Returns: the damaged rows, which wake no home.
    public mutating func loaded(_ rows: [Row]?) -> [DamagedRow] {
        isReading = false
        guard let rows else { return [] }
        var damage: [DamagedRow] = []
        for row in TimerRow.read(rows, into: &damage) { insert(Entry(due: row.due, home: row.home)) }
        let last = rows.last.flatMap(TimerRow.position)
        position = last
        isPassOver = rows.count < pageMax || last == nil
        known = max(known, isPassOver ? through : last?.due ?? known)
        return damage
    }
}
