public import CairnTime

/// The budget of new cells that one account may bring into view, over all its devices and connections. Time is the
/// caller's.
public struct Curiosity: Sendable {
    /// After a jump of one device the account gets no new cells until all its devices have been slow for this long.
    public static let pause: Duration = .seconds(10)

    private var cells: TokenBucket
    private var pausedUntil: MonotonicTime = .epoch

    /// - Parameters:
    ///   - cellsPerSecond: new cells a second, above 0.
    ///   - cellsBurst: new cells at once, at least 1.
    public init(cellsPerSecond: Int, cellsBurst: Int, now: MonotonicTime) {
        cells = TokenBucket(rate: Double(cellsPerSecond), burst: Double(cellsBurst), now: now)
    }

    /// One of the account's devices has jumped.
    public mutating func noteJump(now: MonotonicTime) { pausedUntil = now + Self.pause }

    /// How many of these further cells may come into view now; they are counted.
    public mutating func admit(_ wanted: Int, now: MonotonicTime) -> Int {
        now < pausedUntil ? 0 : cells.take(upTo: wanted, now: now)
    }

    /// Whether a new account would be judged alike: there is nothing to remember.
    public func isForgettable(now: MonotonicTime) -> Bool { now >= pausedUntil && cells.isFull(now: now) }
}
