import CairnCore
import CairnWire
import Synchronization

@testable import CairnFeatures

/// The feature `Groups` with a fault: after one movement in so many a walker is shown a wrong group. Everything else is
/// done by `Groups`.
enum FaultyGroups: Feature {
    enum Fault {
        /// A follower is led to a stop that the guide has not set.
        case target
        /// A follower is shown a code.
        case code
        /// A walker who is in no group is shown one.
        case outside
    }

    static let faults = FaultSchedule<Fault>()

    /// The group that a member was shown last, by which a walker without a group is shown one.
    private static let lastShown = Mutex<WireGroup?>(nil)

    /// Begins without the groups of an earlier server.
    static func begin(_ fault: Fault?, oneIn period: Int) {
        lastShown.withLock { $0 = nil }
        faults.begin(fault, oneIn: period)
    }

    static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        let effects = Groups.moved(movement, in: &turn)
        guard turn.run?.facts.account == movement.account,
            let wrong = strike(shown: (turn.motion as? RunMotion)?.group)
        else { return effects }
        var item = WireItem()
        item.group = wrong
        return effects + [.show(.members(of: turn.home), item)]
    }

    /// The wrong group for a walker who was shown `shown`; nil if this movement has no fault.
    private static func strike(shown: WireGroup?) -> WireGroup? {
        let elsewhere = lastShown.withLock { last in
            defer { last = shown ?? last }
            return last
        }
        return faults.strike { wrong($0, shown, elsewhere: elsewhere) }
    }

    private static func wrong(_ fault: Fault, _ shown: WireGroup?, elsewhere: WireGroup?) -> WireGroup? {
        switch fault {
        case .outside: return shown == nil ? elsewhere : nil
        case .code:
            guard var wrong = shown, wrong.code.isEmpty else { return nil }
            // No group has this code: the code of one would be correct for its members.
            wrong.code = "AAAAAAAA"
            return wrong
        case .target:
            guard var wrong = shown, !wrong.target.isEmpty else { return nil }
            wrong.target = String(wrong.target.reversed())
            return wrong
        }
    }
}

/// As in `Groups`.
extension FaultyGroups {
    static let name = Groups.name
    static let commands = Groups.commands
    static let timers = Groups.timers
    static let messages = Groups.messages
    static let publishes = Groups.publishes
    static let settings = Groups.settings
    static let counts = Groups.counts
    static let migrations = Groups.migrations
    static let membership = Groups.membership

    static func tables(settings: Settings) -> [StoredTable] { Groups.tables(settings: settings) }
    static func stored(in home: HomeAddress) -> [Query] { Groups.stored(in: home) }
    static func restore(_ answers: [[Row]], in turn: inout Turn) { Groups.restore(answers, in: &turn) }
    static func groundRefusal(in turn: Turn) -> Refusal? { Groups.groundRefusal(in: turn) }
    static func newestIdentifier(below bound: SQLValue) -> Query? { Groups.newestIdentifier(below: bound) }
    static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] { Groups.erase(account, in: &turn) }
    static func addendum(for account: AccountID, in turn: Turn) -> [WireItem] {
        Groups.addendum(for: account, in: turn)
    }
}
