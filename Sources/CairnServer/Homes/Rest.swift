internal import CairnCore

/// Whether a home that was left may go to sleep (SES-10).
enum Rest {
    /// Somebody is there again.
    case isNeeded
    case goesOn
    /// Nobody has needed it for long enough, and nothing is under way.
    case isOver
}

/// Homes that nobody is in. Only they are looked at, so that a home with somebody in it costs nothing.
struct RestingHomes {
    var cells: [Cell] = []
    var accounts: [Account] = []
}

extension Shard {
    /// Beyond so many on one loop, those that rest for longest go to sleep before their time: whoever wakes cells and
    /// leaves again takes so much memory and no more.
    static let restingCellsMax = 4_096

    /// Puts homes to sleep that have rested for long enough.
    /// - Parameter cellsMax: cells that may go on resting; those that rest for longest go first.
    func putToSleep(now: UInt64, atMost cellsMax: Int = restingCellsMax) {
        var surplus = resting.cells.count - cellsMax
        resting.cells.removeAll { cell in
            // A faulty cell may have been replaced meanwhile.
            guard cells[cell.id] === cell else { return true }
            surplus -= 1
            let rest = cell.assumeIsolated { $0.rest(now: now, isCrowdedOut: surplus >= 0) }
            if rest == .isOver {
                retire(cell)
                cells[cell.id] = nil
                figures.sleeps += 1
            }
            return rest != .goesOn
        }
        resting.accounts.removeAll { account in
            let rest = account.assumeIsolated { $0.rest(now: now) }
            if rest == .isOver { accounts[account.id] = nil }
            return rest != .goesOn
        }
    }
}
