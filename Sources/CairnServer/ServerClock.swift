internal import Foundation
internal import Synchronization

/// The server's time: wall clock at start, monotonic from then on, so a clock that is set does not expire tokens, reset
/// quotas or make ages negative (pitfalls B22).
struct ServerClock: Sendable {
    private let wallAtStart: Int64
    private let start: ContinuousClock.Instant

    init() {
        wallAtStart = Int64(Date().timeIntervalSince1970 * 1_000)
        start = .now
    }

    /// Milliseconds since 1970-01-01 UTC.
    var now: Int64 {
        let elapsed = start.duration(to: .now).components
        return wallAtStart + elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000
    }
}
