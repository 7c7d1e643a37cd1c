internal import CairnCore
internal import CairnWire

/// How many others are on the same tour, by the stops that they have reached (TRT-12). The home of the tour counts the
/// runs on disk a moment after one of them has moved on, and tells each; nobody is named.
struct FellowsMoved: HomeMessage {
    static let kind: StaticText = "runs.fellows_moved"

    init() {}
    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {}
    var payload: [UInt8] { [] }
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard case .tour = turn.home, turn.due(of: FellowsChanged.self) == nil else { return [] }
        return [.wake(at: turn.lasting + FellowsChanged.pause, FellowsChanged())]
    }
}

/// Counts the runs on a tour.
struct FellowsChanged: HomeTimer {
    static let kind: StaticText = "runs.fellows"
    /// Counts are told at most once in this time.
    static let pause = Duration.seconds(2)
    init() {}
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {}

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        guard case .tour(let tour) = turn.home else { return [] }
        return [.inquire(RunFacts.query(on: tour), Counted())]
    }

    private struct Counted: HomeInquiry {
        var ifNotHeard: [Effect]? { [] }

        func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
            // With more runs no count is sent.
            guard let rows, rows.count < RunFacts.countMax else { return [] }
            let runs = turn.read(rows, of: RunFacts.table, RunFacts.init(stored:))
            return Dictionary(grouping: runs, by: \.version).values.flatMap { runs in
                var counts = [UInt32](repeating: 0, count: (runs.map(\.stops).max() ?? 0) + 1)
                for run in runs { counts[run.reached] += 1 }
                return runs.map { Effect.tell(.space($0.id), FellowsCounted(counts)) }
            }
        }
    }
}

/// Tells a run how many runs are how far, itself among them.
struct FellowsCounted: HomeMessage {
    static let kind: StaticText = "runs.fellows_counted"

    private let counts: [UInt32]

    init(_ counts: [UInt32]) { self.counts = counts }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let wire = try? WireBody.decode(WireFellowWalkers.self, from: payload) else {
            throw ColumnFault(0, .unreadable)
        }
        counts = wire.reached
    }

    var payload: [UInt8] {
        var wire = WireFellowWalkers()
        wire.reached = counts
        return WireBody.encode(wire)
    }

    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard let run = turn.keptRun else { return [] }
        let least = UInt32(clamping: turn.settings.countHiddenBelow)
        var item = WireItem()
        item.fellowWalkers.topic = Topic(turn.home, .members(of: turn.home)).name
        item.fellowWalkers.reached = counts.enumerated().map { reached, count in
            let others = reached == run.facts.reached && count > 0 ? count - 1 : count
            return others < least ? 0 : others
        }
        return [.show(.members(of: turn.home), item)]
    }
}
