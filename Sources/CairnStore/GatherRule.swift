/// The rule for gathering: how long the writer waits for more units before it begins the next transaction.
///
/// While many people place things, the units of a transaction share its sync and most of its pages, so few large
/// transactions cost less than many small ones. The turns of the next units run meanwhile. A few units are never kept
/// waiting.
struct GatherRule: Hashable, Sendable {
    /// Units of a transaction from which on the writer gathers.
    static let unitsMin = 16
    /// The longest wait for each unit of that transaction, and the longest of all.
    static let longestPerUnit = Duration.microseconds(50)
    static let longest = Duration.milliseconds(20)

    /// Units that end the wait.
    let units: Int
    let until: ContinuousClock.Instant

    /// - Parameter saved: units of the transaction that has ended at `now`. Nil = the next one begins at once.
    init?(after saved: Int, at now: ContinuousClock.Instant) {
        guard saved >= Self.unitsMin else { return nil }
        units = saved
        until = now + min(Self.longestPerUnit * saved, Self.longest)
    }
}
