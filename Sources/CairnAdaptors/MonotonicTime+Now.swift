internal import CairnTime

extension MonotonicTime {
    private static let start = ContinuousClock.now

    /// Now, by the clock of the concurrency runtime. Its readings are compared within this target only.
    static var now: MonotonicTime { .epoch + start.duration(to: .now) }
}
