internal import CairnCore
internal import CairnTime

/// Whether a home that was left may go to sleep (SES-10).
enum Rest {
    /// The home has users or followers again.
    case isNeeded
    case goesOn
    /// The home was unused for long enough, and no work is under way.
    case isOver
}

/// Homes without users, by kind, longest-resting first. Only these are checked for sleep, so a home in use costs
/// nothing.
struct RestingHomes {
    private(set) var homes: [HomeKind: [any Home]] = [:]

    mutating func append(_ home: any Home) { homes[home.address.kind, default: []].append(home) }

    /// Looks at each home; those that no longer rest are forgotten.
    /// - Parameters:
    ///   - surplus: how many homes of a kind rest too many.
    ///   - body: whether the home rests on; it is told whether it is one of the surplus.
    mutating func look(surplus: (any Home, Int) -> Int, _ body: (any Home, Bool) -> Bool) {
        for kind in homes.keys {
            guard let first = homes[kind]?.first, let count = homes[kind]?.count else { continue }
            var left = surplus(first, count)
            homes[kind]?.removeAll { home in
                left -= 1
                return !body(home, left >= 0)
            }
        }
    }
}

extension Shard {
    /// Puts homes to sleep that have rested for long enough.
    /// - Parameter homesMax: homes that may go on resting, of each kind that is bounded; nil = `Home.restingMax`.
    func putToSleep(now: MonotonicTime, atMost homesMax: Int? = nil) {
        resting.look { home, count in
            home.restingMax == .max ? 0 : count - (homesMax ?? home.restingMax)
        } _: { home, isCrowdedOut in
            let rest = home.rest(now: now, isCrowdedOut: isCrowdedOut)
            if rest == .isOver {
                home.end()
                homes[home.address] = nil
            }
            return rest == .goesOn
        }
    }

    /// Refuses work that has waited for too long for homes that cannot be read, or whose place is undecided.
    func refuseLate(now: MonotonicTime) {
        waking.removeAll { !$0.refuseLate(now: now) }
        refuseUnplaced(now: now)
    }
}
