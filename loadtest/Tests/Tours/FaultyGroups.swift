import CairnCore
import CairnWire
import Synchronization

@testable import CairnFeatures

/// Groups as a faulty server has them: now and then a walker is shown something wrong. In everything else it is
/// `Groups`.
enum FaultyGroups: Feature {
    enum Fault: CaseIterable {
        case none
        /// A follower is led to a stop that the guide has not set.
        case target
        /// A follower learns a code.
        case code
        /// Somebody outside is shown a group.
        case outside
    }

    private struct State {
        var fault = Fault.none
        var period = 1
        var chances = 0
        var done = 0
        /// A group as one of its members was shown it last.
        var shown: WireGroup?
    }

    private static let state = Mutex(State())

    /// From now on one step in so many, of those that the fault may befall, has it.
    static func begin(_ fault: Fault, oneIn period: Int) {
        state.withLock { $0 = State(fault: fault, period: period) }
    }

    /// How often something wrong was shown.
    static var done: Int { state.withLock { $0.done } }

    static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        let effects = Groups.moved(movement, in: &turn)
        guard turn.run?.facts.account == movement.account,
            let wrong = struck(shown: (turn.motion as? RunMotion)?.group)
        else { return effects }
        var item = WireItem()
        item.group = wrong
        return effects + [.show(.members(of: turn.home), item)]
    }

    /// What is shown in place of what is right; nil = nothing.
    private static func struck(shown: WireGroup?) -> WireGroup? {
        state.withLock { state in
            defer { state.shown = shown ?? state.shown }
            guard var wrong = wrong(state.fault, shown, elsewhere: state.shown) else { return nil }
            state.chances += 1
            guard state.chances.isMultiple(of: state.period) else { return nil }
            state.done += 1
            // The server's own code would be right for somebody.
            if state.fault == .code { wrong.code = "AAAAAAAA" }
            return wrong
        }
    }

    private static func wrong(_ fault: Fault, _ shown: WireGroup?, elsewhere: WireGroup?) -> WireGroup? {
        switch fault {
        case .none: return nil
        case .outside: return shown == nil ? elsewhere : nil
        case .code: return shown?.code.isEmpty == true ? shown : nil
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
