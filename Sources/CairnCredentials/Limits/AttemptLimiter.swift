public import CairnTime
internal import Synchronization

/// Limits how often a key may do something, such as sign-ups and recoveries of an address: attempts in a sliding
/// window, in memory. Every admitted attempt counts, whatever becomes of it.
///
/// At most `keysMax` keys; beyond it unused ones are dropped, then newcomers with the fewest attempts.
public final class AttemptLimiter: Sendable {
    private struct State {
        var table: AttemptTable<LimitKey>
        var refused = 0
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - attemptsMax: from 1 to 1,000, beyond them the nearest.
    ///   - window: from a second to a day, beyond them the nearest.
    ///   - keysMax: keys that are remembered.
    public init(attemptsMax: Int, window: Duration = .seconds(3_600), keysMax: Int = SignInLimiter.keysMax) {
        let rule = AttemptWindow.Rule(
            attemptsMax: min(max(attemptsMax, 1), 1_000), span: min(max(window, .seconds(1)), .seconds(86_400)))
        state = Mutex(State(table: AttemptTable(rule, keysMax: keysMax)))
    }

    /// Asks for one attempt. An admitted one is counted at once.
    /// - Returns: nil = go on; else the time until the next attempt may be made.
    public func admit(_ key: LimitKey, now: MonotonicTime) -> Duration? {
        state.withLock { state in
            if let wait = state.table.wait(key, now: now) {
                state.refused += 1
                return wait
            }
            _ = state.table.add(key, now: now)
            return nil
        }
    }

    /// Keys that are held now, and refusals since the start.
    public var figures: (keys: Int, refused: Int) { state.withLock { ($0.table.count, $0.refused) } }
}
