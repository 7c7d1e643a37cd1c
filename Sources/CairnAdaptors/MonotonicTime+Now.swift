internal import CairnTime

extension MonotonicTime {
    private static let start = ContinuousClock.now

    /// The first reading of a process is this long after the epoch, so that a time can be taken off any reading.
    private static let head = Duration.seconds(86_400)

    /// Now, by the clock of the concurrency runtime. Its readings are compared within this target only.
    static var now: MonotonicTime { .epoch + head + start.duration(to: .now) }
}
