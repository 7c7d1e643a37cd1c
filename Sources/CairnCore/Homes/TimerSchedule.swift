/// Finds the homes to wake next, among any number of timers that are rows.
///
/// It holds the earliest few timers and reads further rows as time passes. Pure: time is a parameter, queries are
/// returned.
///
/// It names homes and not timers, because a home knows its own due timers. Naming a home twice is harmless.
public struct TimerSchedule: Sendable {
    /// One home at one time.
    private struct Entry: Hashable, Sendable {
        let due: LastingTime
        let home: HomeAddress
    }

    /// Sorted, the latest first.
    private var held: [Entry] = []
    /// All timers that are due up to here are held, or their homes have been named.
    private var known = LastingTime.distantPast
    /// How far the reading has come; nil = it begins.
    private var position: TimerRow.Position?
    /// The latest time that is asked for.
    private var through = LastingTime.distantPast
    /// Everything up to `through` has been read.
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
    ///   - heldMax: homes that are held before more are read.
    ///   - pageMax: rows that are read at once, and homes that are named at once.
    public init(heldMax: Int = 4_096, pageMax: Int = 1_024) {
        self.heldMax = heldMax
        self.pageMax = pageMax
    }

    /// How many are held: `heldMax` and one page at most.
    public var count: Int { held.count }

    /// When the next home is due; nil = none is held.
    public var next: LastingTime? { held.last?.due }

    /// A timer has been set, and is on disk.
    public mutating func note(_ home: HomeAddress, due: LastingTime) {
        // A later one is found when the reading gets there. What is being read may be of before.
        guard due <= (isReading ? max(known, through) : known) else { return }
        insert(Entry(due: due, home: home))
        guard held.count > heldMax + pageMax else { return }
        held.removeFirst(held.count - heldMax)
        known = held[0].due - .milliseconds(1)
        // What was left out is read again.
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

    /// The homes whose time has come, the earliest first and each once; at most a page of them.
    public mutating func takeDue(now: LastingTime) -> [HomeAddress] {
        var homes: [HomeAddress] = []
        var known: Set<HomeAddress> = []
        while homes.count < pageMax, let last = held.last, last.due <= now {
            held.removeLast()
            if known.insert(last.home).inserted { homes.append(last.home) }
        }
        return homes
    }

    /// What to ask the store; nil = nothing now. The answer goes to `loaded`.
    public mutating func takeQuery(now: LastingTime) -> Query? {
        guard !isReading else { return nil }
        if isPassOver {
            guard now + Self.lead >= through else { return nil }
            (position, isPassOver) = (nil, false)
        }
        guard held.count <= heldMax / 2 else { return nil }
        // A clock that stands still asks for the same once more.
        if position == nil { through = max(through, now + Self.horizon) }
        isReading = true
        return TimerRow.due(after: position, through: through, rowsMax: pageMax)
    }

    /// The store has answered.
    /// - Parameter rows: nil = it could not be asked, and is asked again.
    /// - Returns: the rows that are damaged; they wake nobody.
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
