internal import Logging

/// Rate limit of log lines, so that no client can fill the server's disk (pitfalls B33). It counts suppressed lines; a
/// line reports them every second. Pure: time is a parameter.
struct LogGate {
    /// Most lines in any second.
    static let linesPerSecond = 100.0
    /// Lines at once, and as many again in the second after; one is kept for the line about lines held back.
    private static let rate = (linesPerSecond - 1) / 2
    /// Of those, kept for errors: an attack with warnings does not hide what breaks.
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

    /// What was held back since it was last told, at most once a second.
    mutating func report(now: Double) -> [Logger.Level: Int]? {
        guard !heldBack.isEmpty, now - told >= 1 else { return nil }
        defer { heldBack = [:] }
        told = now
        return heldBack
    }

    /// Whether something waits to be told.
    var hasReport: Bool { !heldBack.isEmpty }
}
