public import CairnWire
internal import Synchronization

/// What each person has tried lately, such as codes of groups, over all loops. It outlives connections and the homes of
/// accounts, which forget what is in memory alone a minute after the last connection. A restart forgets it.
///
/// Usable from any thread: a lock guards the table, and is held for one look-up.
public final class Tries: Sendable {
    /// Accounts that are remembered. Beyond it those that have tried nothing lately are forgotten; all are where that
    /// makes little room, so that looking for them stays rare.
    static let accountsMax = 65_536

    private let span: Duration
    private let known = Mutex<[AccountID: RollingWindow]>([:])

    init(within span: Duration) { self.span = span }

    /// Counts one try, right or wrong, if there is one left.
    /// - Returns: how long until there is one; zero = it is counted.
    public func count(by account: AccountID, max limit: Int, now: LastingTime) -> Duration {
        known.withLock { known in
            if known[account] == nil, known.count >= Self.accountsMax {
                known = known.filter { Self.hasTried($0.value, now) }
                if known.count > Self.accountsMax / 2 { known = [:] }
            }
            return Self.count(in: &known[account, default: RollingWindow(limit: limit, length: span)], limit, now)
        }
    }

    /// Accounts that are remembered.
    var count: Int { known.withLock { $0.count } }

    private static func count(in window: inout RollingWindow, _ limit: Int, _ now: LastingTime) -> Duration {
        window.limit = limit
        let wait = window.wait(now: now)
        if wait == .zero { window.add(now) }
        return wait
    }

    private static func hasTried(_ window: RollingWindow, _ now: LastingTime) -> Bool {
        var window = window
        return window.count(now: now) > 0
    }
}
