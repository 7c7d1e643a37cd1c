internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWire
internal import Synchronization

/// The travel budgets of all accounts (`Curiosity`), over all loops; they outlive connections.
///
/// Asked only when new cells come into view. A lock guards the table, because an account's devices are on several
/// loops; it is held for one look-up.
final class Explorers: Sendable {
    /// Accounts that are remembered. Beyond it those with nothing to remember are forgotten; all are where that makes
    /// little room, so that looking for them stays rare.
    static let accountsMax = 65_536

    let limits: Configuration.Travel
    private let known = Mutex<[AccountID: Curiosity]>([:])

    init(_ limits: Configuration.Travel) { self.limits = limits }

    /// How many of these further cells may come into an account's view; they are counted.
    func admit(_ wanted: Int, to account: AccountID, hasJumped: Bool, now: MonotonicTime) -> Int {
        known.withLock { known in
            if known[account] == nil, known.count >= Self.accountsMax {
                known = known.filter { !$0.value.isForgettable(now: now) }
                if known.count > Self.accountsMax / 2 { known = [:] }
            }
            let new = Curiosity(cellsPerSecond: limits.cellsPerSecond, cellsBurst: limits.cellsBurst, now: now)
            return Self.admit(wanted, by: &known[account, default: new], hasJumped: hasJumped, now: now)
        }
    }

    private static func admit(
        _ wanted: Int, by curiosity: inout Curiosity, hasJumped: Bool, now: MonotonicTime
    ) -> Int {
        if hasJumped { curiosity.noteJump(now: now) }
        return curiosity.admit(wanted, now: now)
    }
}
