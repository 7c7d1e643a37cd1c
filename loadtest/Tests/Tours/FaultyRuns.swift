import CairnCore
import CairnWire

@testable import CairnFeatures

/// The feature `Runs` with a fault: one arrival in so many skips a stop, is announced twice, or names the next stop; or
/// the clock runs through one pause in so many. Everything else is done by `Runs`.
enum FaultyRuns: Feature {
    enum Fault {
        case skip, repeated, swap, clock
    }

    static let faults = FaultSchedule<Fault>()

    /// The features of a server with both faulty features.
    static let register = FeatureRegister(
        Features.features.map { $0 == Runs.self ? FaultyRuns.self : $0 == Groups.self ? FaultyGroups.self : $0 })

    static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        let effects = Runs.moved(movement, in: &turn)
        // There has to be a next stop, and one behind it.
        guard effects.contains(where: isArrival), let run = turn.run, run.facts.reached + 1 < run.facts.stops,
            let fault = faults.strike({ $0 == .clock ? nil : $0 })
        else { return effects }
        switch fault {
        case .clock: return effects
        case .repeated: return effects + effects.filter(isArrival)
        case .skip:
            var run = run
            run.facts.reached += 1
            turn.keep(run)
            return announcing(run, effects, in: turn) + [.write(run.facts.update)]
        case .swap:
            let run = exchanged(run)
            turn.keep(run)
            return announcing(run, effects, in: turn)
        }
    }

    private static func isArrival(_ effect: Effect) -> Bool {
        if case .publish(let publication) = effect, case .stopReached = publication.change { true } else { false }
    }

    /// The effects with their arrivals replaced by the arrival of this run.
    private static func announcing(_ run: Run, _ effects: [Effect], in turn: Turn) -> [Effect] {
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

/// Resumes a paused run as if it had not been paused, when its fault is due.
private struct ResumeWithoutPause: Change, RunRequest {
    static let kind = ResumeRun.kind

    private let correct: ResumeRun

    init(_ body: WireResumeRun) { correct = ResumeRun(body) }

    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) -> [Effect] {
        guard run.facts.paused != nil, FaultyRuns.faults.strike({ $0 == .clock ? $0 : nil }) != nil else {
            return correct.carryOut(request, run, in: &turn)
        }
        var run = run
        run.facts.paused = nil
        turn.keep(run)
        return [
            .write(run.facts.update), turn.changed(run), .answer(request, .success(.run(run.wire(in: turn)))),
        ]
    }
}

/// As in `Runs`.
extension FaultyRuns {
    static let name = Runs.name
    static let commands = Runs.commands.map { $0 == ResumeRun.self ? ResumeWithoutPause.self : $0 }
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
