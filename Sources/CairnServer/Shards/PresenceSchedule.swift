internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import HeapModule

/// Which cells of a loop have presence to send, and when they send it.
///
/// Neighbours leave together, because most of their viewers see several of them: what leaves together is one send.
struct PresenceSchedule<Member> {
    /// Cells that leave together: those of one cell some levels above.
    private struct Neighbourhood {
        /// The cells with news.
        var due: [Member] = []
        /// Since when the oldest news waits; nil = there is none, or only what did not fit into the last batches.
        var since: MonotonicTime?
        /// Poses and other changes since the last batches.
        var waiting = 0
        /// When batches left for the last time.
        var lastDeparture: MonotonicTime = .epoch
        /// The present plan; nil = there is none.
        var nextDeparture: MonotonicTime?
        /// Whether it is in `touched`.
        var isTouched = false
        var forecast = PoseForecast()
        let phase: PosePhase

        init(_ name: CellID) { phase = PosePhase(of: name) }

        /// - Returns: by how much the person should shift their poses; nil = not at all.
        mutating func note(_ arrival: PoseArrival?, wait: Duration, now: MonotonicTime) -> Duration? {
            if since == nil { since = now }
            waiting += 1
            guard let arrival else { return nil }
            forecast.note(arrival, now: now)
            guard let period = arrival.steadyMicroseconds, let next = arrival.next else { return nil }
            return phase.shift(
                from: next, periodMicroseconds: period, slot: arrival.slot,
                posesPerSecond: forecast.posesPerSecond(now: now), wait: wait)
        }

        /// Plans the departure anew.
        /// - Returns: when the neighbourhood leaves; nil = at the time that was planned before, or there is no news.
        mutating func plan(by pace: inout PresencePace, now: MonotonicTime) -> MonotonicTime? {
            isTouched = false
            guard !due.isEmpty else { return nil }
            let planned = pace.departure(of: waiting, since: since, after: lastDeparture, forecast: &forecast, now: now)
            guard planned != nextDeparture else { return nil }
            nextDeparture = planned
            return planned
        }

        /// - Returns: the cells with news; nil = another plan has taken the place of that for `time`.
        mutating func leave(at time: MonotonicTime, now: MonotonicTime) -> [Member]? {
            guard nextDeparture == time else { return nil }
            (nextDeparture, lastDeparture, since, waiting) = (nil, now, nil, 0)
            defer { due = [] }
            return due
        }
    }

    private struct Departure: Comparable {
        let time: MonotonicTime
        let neighbourhood: CellID

        static func < (left: Self, right: Self) -> Bool { left.time < right.time }
    }

    private var neighbourhoods: [CellID: Neighbourhood] = [:]
    /// Neighbourhoods that are to be planned anew.
    private var touched: [CellID] = []
    /// Plans, also those that others have replaced.
    private var departures = Heap<Departure>()

    /// Levels between a cell and its neighbourhood, which has 64 cells then.
    private static var levels: Int { 3 }
    /// A neighbourhood without news for this long is forgotten.
    private static var memory: Duration { .seconds(2) }

    /// The name of a cell's neighbourhood: the cell `levels` above it.
    static func neighbourhood(of cell: CellID) -> CellID { cell.parent(level: max(0, cell.level - levels)) }

    /// A cell has news, which it tells when its neighbourhood leaves.
    mutating func add(_ member: Member, in neighbourhood: CellID) {
        neighbourhoods[neighbourhood, default: Neighbourhood(neighbourhood)].due.append(member)
        touch(neighbourhood)
    }

    /// Something has changed in a cell.
    /// - Parameters:
    ///   - arrival: of a pose; nil = something else.
    ///   - wait: the longest wait at present.
    /// - Returns: by how much the person should shift their poses; nil = not at all.
    @discardableResult
    mutating func note(
        _ arrival: PoseArrival?, in neighbourhood: CellID, wait: Duration, now: MonotonicTime
    ) -> Duration? {
        defer { touch(neighbourhood) }
        return neighbourhoods[neighbourhood, default: Neighbourhood(neighbourhood)].note(arrival, wait: wait, now: now)
    }

    private mutating func touch(_ neighbourhood: CellID) {
        guard neighbourhoods[neighbourhood]?.isTouched == false else { return }
        neighbourhoods[neighbourhood]?.isTouched = true
        touched.append(neighbourhood)
    }

    /// Plans for everything that has changed.
    mutating func plan(by pace: inout PresencePace, now: MonotonicTime) {
        for name in touched {
            guard let time = neighbourhoods[name]?.plan(by: &pace, now: now) else { continue }
            departures.insert(Departure(time: time, neighbourhood: name))
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// The cells with news in one neighbourhood whose time has come; nil = in none it has. Called until it is nil.
    mutating func takeDue(now: MonotonicTime) -> [Member]? {
        while let first = departures.min, first.time <= now {
            departures.removeMin()
            if let due = neighbourhoods[first.neighbourhood]?.leave(at: first.time, now: now) { return due }
        }
        return nil
    }

    /// Whether nothing has happened for a while.
    var isEmpty: Bool { neighbourhoods.isEmpty }

    /// When the next cells leave. Forgets plans that others have replaced: each would be a wake-up for nothing.
    mutating func nextDeparture() -> MonotonicTime? {
        while let first = departures.min, neighbourhoods[first.neighbourhood]?.nextDeparture != first.time {
            departures.removeMin()
        }
        return departures.min?.time
    }

    /// Forgets neighbourhoods in which nothing has happened for a while. Called about once a second.
    mutating func sweep(now: MonotonicTime) {
        for (name, one) in neighbourhoods where one.due.isEmpty && !one.isTouched {
            if now - one.lastDeparture >= Self.memory { neighbourhoods[name] = nil }
        }
    }
}
