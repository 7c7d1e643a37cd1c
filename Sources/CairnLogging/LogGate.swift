internal import Logging

/// Rate limit of log lines, so that no client can fill the server's disk (pitfalls B33). It counts suppressed lines; a
/// line reports them every second. Pure: time is a parameter.
struct LogGate {
    /// Most lines in any second.
    static let linesPerSecond = 100.0
    /// Most lines in a burst, and lines a second on average: a burst and the second after it stay within
    /// `linesPerSecond`. One line is reserved for the report of suppressed lines.
    private static let rate = (linesPerSecond - 1) / 2
    /// Lines reserved for errors, so that a flood of warnings does not suppress them.
    private static let reservedForErrors = 10.0

    private var tokens = rate
    private var filledAt = 0.0
    private var told = 0.0
    private var heldBack: [Logger.Level: Int] = [:]

    /// Whether a line may be written. `now`: monotonic seconds.
    mutating func admits(_ level: Logger.Level, now: Double) -> Bool {
        tokens = min(Self.rate, tokens + max(0, now - filledAt) * Self.rate)
        filledAt = now
        guard tokens >= (level >= .error ? 1 : 1 + Self.reservedForErrors) else {
            heldBack[level, default: 0] += 1
            return false
        }
        tokens -= 1
        return true
    }

    /// Removes and returns the numbers of lines suppressed since the last report; at most once a second.
    mutating func report(now: Double) -> [Logger.Level: Int]? {
        guard !heldBack.isEmpty, now - told >= 1 else { return nil }
        defer { heldBack = [:] }
        told = now
        return heldBack
    }

    /// Whether suppressed lines are not reported yet.
    var hasReport: Bool { !heldBack.isEmpty }
}
