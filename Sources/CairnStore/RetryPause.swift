/// The growing pauses between attempts to write (PLC-8).
struct RetryPause: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var last: Duration?

    init(first: Duration, longest: Duration) {
        self.first = min(first, longest)
        self.longest = longest
    }

    /// How long to wait now that another attempt has failed.
    mutating func next() -> Duration {
        let pause = last.map { min($0 * 2, longest) } ?? first
        last = pause
        return pause
    }

    /// An attempt has succeeded.
    mutating func reset() {
        last = nil
    }
}
