internal import CairnCore
internal import CairnTime
internal import CairnWire

/// Accounts that a token of the app's backend signed out everywhere lately (ACC-12): a sign-in that began to be looked
/// up before may have read the account as it was.
struct OutdatedSignIns {
    /// One for each account that was signed out so within the time that a look-up takes.
    private var entries: [AccountID: (issuedBefore: WallTime, at: MonotonicTime)] = [:]

    /// Whether a sign-in of the account ends: by a token of the app that was issued before, or by any of the server's
    /// own, none of which outlives it.
    static func isOlder(_ term: AppTokenTerm?, than time: WallTime) -> Bool {
        term.map { $0.issued < time } ?? true
    }

    mutating func note(_ account: AccountID, issuedBefore time: WallTime, at now: MonotonicTime) {
        // Of two that come in the wrong order, the later time counts.
        entries[account] = (max(time, entries[account]?.issuedBefore ?? .epoch), now)
    }

    /// - Parameter start: when the sign-in began to be looked up.
    func contains(_ account: AccountID, _ term: AppTokenTerm?, since start: MonotonicTime) -> Bool {
        guard let entry = entries[account], entry.at >= start else { return false }
        return Self.isOlder(term, than: entry.issuedBefore)
    }

    /// Forgets what was noted `kept` ago or longer.
    mutating func forget(now: MonotonicTime, kept: Duration) {
        guard !entries.isEmpty else { return }
        entries = entries.filter { now - $0.value.at < kept }
    }
}
