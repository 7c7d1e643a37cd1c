/// How long a unit that nobody waits for is kept for one that somebody waits for.
///
/// Background work, such as the deletion of an account, is many small changes. Each in a transaction of its own would
/// keep the disk busy when somebody's change comes. In the transaction of that change it costs hardly anything.
enum Patience {
    static let longest = Duration.milliseconds(20)

    /// - Parameter oldest: when the unit that has waited longest was submitted; nil = none waits.
    /// - Returns: nil = the wait is over.
    static func left(since oldest: ContinuousClock.Instant?, at now: ContinuousClock.Instant) -> Duration? {
        guard let oldest else { return nil }
        let left = oldest + longest - now
        return left > .zero ? left : nil
    }
}
