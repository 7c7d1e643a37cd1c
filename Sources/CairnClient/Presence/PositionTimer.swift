internal import CairnTime

/// The moments at which positions are sent at a fixed rate (SES-8).
struct PositionTimer: Hashable, Sendable {
    let period: Duration
    /// The moment of the next position.
    private(set) var due: MonotonicTime

    /// - Parameters:
    ///   - rate: positions a second, above 0.
    ///   - now: the moment of the first position.
    init(perSecond rate: Double, from now: MonotonicTime) {
        period = .seconds(1) / rate
        due = now
    }

    /// A position is sent now, or would be if there were one. The next moment is at least half a period away. The
    /// moments stay the same, also over a pause of the device and when timers are late.
    mutating func sent(at now: MonotonicTime) {
        let periods = ((now + period / 2 - due) / period).rounded(.up)
        due = due + period * max(1, periods)
    }

    /// Shifts the moments by less than a period: by the remainder, if the server asks for more, as it may where an app
    /// has sent positions more rarely. So no position is held back for longer than a period.
    /// - Parameter shift: later; negative = sooner.
    mutating func shift(by shift: Duration) {
        let periods = (shift / period).rounded(.towardZero)
        due = due + (shift - period * periods)
    }
}
