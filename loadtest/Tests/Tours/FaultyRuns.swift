import CairnCore
import CairnWire
import Synchronization

@testable import CairnFeatures

/// Runs as a faulty server has them: one stop in so many is skipped, told twice, or exchanged with the next one. In
/// everything else it is `Runs`.
enum FaultyRuns: Feature {
    enum Fault: CaseIterable {
        case none, skip, repeated, swap
    }

    private struct State {
        var fault = Fault.none
        var period = 1
        var arrivals = 0
        var done = 0
    }

    private static let state = Mutex(State())

    /// From now on every arrival of this number is distorted.
    static func begin(_ fault: Fault, oneIn period: Int) {
        state.withLock { $0 = State(fault: fault, period: period) }
    }

    /// How many arrivals were distorted.
    static var done: Int { state.withLock { $0.done } }

    /// The register of a server with it.
    static let register = FeatureRegister(Features.features.map { $0 == Runs.self ? FaultyRuns.self : $0 })

    static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        let effects = Runs.moved(movement, in: &turn)
        // There has to be a next stop, and one behind it.
        guard effects.contains(where: isArrival), let run = turn.run, run.facts.reached + 1 < run.facts.stops,
            let fault = struck()
        else { return effects }
        switch fault {
        case .none: return effects
        case .repeated: return effects + effects.filter(isArrival)
        case .skip:
            var run = run
            run.facts.reached += 1
            turn.keep(run)
            return told(run, effects, in: turn) + [.write(run.facts.update)]
        case .swap:
            let run = exchanged(run)
            turn.keep(run)
            return told(run, effects, in: turn)
        }
    }

    /// What befalls this arrival; nil = nothing.
    private static func struck() -> Fault? {
        state.withLock { state in
            state.arrivals += 1
            guard state.fault != .none, state.arrivals.isMultiple(of: state.period) else { return nil }
            state.done += 1
            return state.fault
        }
    }

    private static func isArrival(_ effect: Effect) -> Bool {
        if case .publish(let publication) = effect, case .stopReached = publication.change { true } else { false }
    }

    /// The effects, with the arrival as this run has it.
    private static func told(_ run: Run, _ effects: [Effect], in turn: Turn) -> [Effect] {
        var reached = WireStopReached()
        reached.run = run.wire(in: turn)
        let arrival = turn.publish(.stopReached(reached), of: run)
        return effects.map { isArrival($0) ? arrival : $0 }
    }

    /// The run on a version whose next two stops have changed places.
    private static func exchanged(_ run: Run) -> Run {
        let version = run.version
        var content = version.content
        content.stops.swapAt(run.facts.reached, run.facts.reached + 1)
        let other = PublishedTour(
            tour: version.tour, version: version.version, organisation: version.organisation,
            published: version.published, content: content, distanceMetres: version.distanceMetres,
            seconds: version.seconds)
        return Run(facts: run.facts, version: other)
    }
}

/// As in `Runs`.
extension FaultyRuns {
    static let name = Runs.name
    static let commands = Runs.commands
    static let timers = Runs.timers
    static let messages = Runs.messages
    static let publishes = Runs.publishes
    static let settings = Runs.settings
    static let listings = Runs.listings
    static let refusals = Runs.refusals
    static let counts = Runs.counts
    static let migrations = Runs.migrations
    static let membership = Runs.membership
    static var tourWithdrawal: (any HomeMessage)? { Runs.tourWithdrawal }

    static func tables(settings: Settings) -> [StoredTable] { Runs.tables(settings: settings) }
    static func stored(in home: HomeAddress) -> [Query] { Runs.stored(in: home) }
    static func restore(_ answers: [[Row]], in turn: inout Turn) { Runs.restore(answers, in: &turn) }
    static func groundRefusal(in turn: Turn) -> Refusal? { Runs.groundRefusal(in: turn) }
    static func newestIdentifier(below bound: SQLValue) -> Query? { Runs.newestIdentifier(below: bound) }
    static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] { Runs.erase(account, in: &turn) }
    static func addendum(for account: AccountID, in turn: Turn) -> [WireItem] {
        Runs.addendum(for: account, in: turn)
    }
}
