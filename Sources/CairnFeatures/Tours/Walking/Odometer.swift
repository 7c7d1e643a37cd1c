internal import Foundation

/// A place on the plane of a track, at a second of its filter's clock.
struct WalkPoint: Sendable {
    var seconds: Double
    var east: Double
    var north: Double

    func metres(to other: WalkPoint) -> Double { hypot(other.east - east, other.north - north) }
}

/// How far somebody has walked, by fixes whose noise it measures itself (TRT-10, decision 0074). A value without clock
/// and chance.
///
/// Fixes are gathered into nodes of a second. They wait for a minute, so that what comes after them smooths them and
/// says how far off they are. Way counts from *gate* to gate: a walker is on the way when they are farther from the
/// last gate than the noise brings a phone that stands. Between two gates the way is added in chords, which are as
/// short as the noise admits, less what the noise adds to each. Fixes that are as good as exact are added one by one,
/// round each corner.
///
/// Up to 65 nodes wait, 20 more are kept to smooth them, and 64 chords wait for a gate.
struct Odometer: Sendable {
    /// The fixes of a second.
    struct Node: Sendable {
        var first: WalkPoint
        var mean: WalkPoint
        private var count = 1.0

        init(_ fix: WalkPoint) { (first, mean) = (fix, fix) }

        mutating func take(_ fix: WalkPoint) {
            count += 1
            mean.seconds += (fix.seconds - mean.seconds) / count
            mean.east += (fix.east - mean.east) / count
            mean.north += (fix.north - mean.north) / count
        }
    }

    /// The end of a chord, and by how much the way was longer than it.
    private struct Step: Sendable {
        var end: WalkPoint
        var extraMetres = 0.0
    }

    private struct Gate: Sendable {
        var place: WalkPoint
        /// When the walker was last seen to be on the way.
        var onWaySeconds: Double
        /// The chords since, without the first one's beginning.
        var steps: [Step] = []
        /// Way that is in no chord yet.
        var extraMetres = 0.0
        /// The newest node that was taken.
        var newest: WalkPoint
    }

    /// A node is this long. A little less than a second, for fixes that come a little early.
    private static let nodeSeconds = 0.95
    /// Nodes wait until the oldest is so old, or there are more than so many; half of this time they wait on.
    private static let (waitingSeconds, waitingMax) = (64.0, 64)
    /// How many nodes that were taken are kept beside those that wait, and how many chords wait for a gate.
    private static let (keptNodes, stepsMax) = (20, 64)
    /// Somebody who comes less far than this in a second stands, up to the distance below it.
    private static let (standingMetresPerSecond, standingMetres) = (0.2, 12.0)
    /// Where so many metres lie before the first gate, the walker was on the way, whatever the noise.
    private static let plainMetres = 100.0

    private var node: Node
    private var nodes: [Node] = []
    /// How many of the nodes were taken.
    private var taken = 0
    private var noise = ReceiverNoise()
    private var gate: Gate?
    /// Metres up to the last gate. It never falls.
    private(set) var metres = 0.0

    init(at fix: WalkPoint) { node = Node(fix) }

    /// Metres from the last gate to the newest fix, as the crow flies; 0 = the walker may stand.
    var metresAhead: Double {
        let newest = node.first
        guard let gate else {
            guard let first = nodes.first else { return 0 }
            let metres = first.mean.metres(to: newest)
            return metres >= Self.plainMetres ? metres : 0
        }
        let metres = gate.place.metres(to: newest)
        return metres >= max(noise.gateMetres(after: newest.seconds - gate.onWaySeconds), 1) ? metres : 0
    }

    mutating func take(_ fix: WalkPoint) {
        guard fix.seconds - node.first.seconds >= Self.nodeSeconds else { return node.take(fix) }
        close()
        node = Node(fix)
        guard nodes.count > taken else { return }
        let waiting = nodes[taken].mean.seconds
        if nodes.count - taken > Self.waitingMax || fix.seconds - waiting >= Self.waitingSeconds {
            advance(to: fix.seconds - Self.waitingSeconds / 2)
        }
    }

    /// Adds what has waited: the walker has arrived for good, or goes on elsewhere.
    mutating func finish() {
        close()
        advance(to: .infinity)
        addRest()
        gate = nil
        nodes = []
        taken = 0
    }

    /// The walker goes on at a fix, behind a jump. How good the receiver is stays known.
    mutating func restart(at fix: WalkPoint) {
        finish()
        node = Node(fix)
    }

    private mutating func close() {
        nodes.append(node)
        noise.take(nodes)
    }

    /// Takes the nodes that are as old as this.
    private mutating func advance(to seconds: Double) {
        noise.measure()
        while taken < nodes.count, nodes[taken].mean.seconds <= seconds {
            step(to: smoothed(taken), extraMetres: cornerMetres(at: taken))
            taken += 1
        }
        let old = taken - Self.keptNodes
        guard old > 0 else { return }
        nodes.removeFirst(old)
        taken -= old
    }

    // MARK: Gates and chords

    private mutating func step(to place: WalkPoint, extraMetres: Double) {
        guard var gate else {
            // A phone that has just been switched on is more likely to stand, unless its fixes say where it is.
            let onWaySeconds = place.seconds - (noise.isExact ? 0 : ReceiverNoise.standingSeconds)
            self.gate = Gate(place: place, onWaySeconds: onWaySeconds, newest: place)
            return
        }
        gate.newest = place
        gate.extraMetres += extraMetres
        let last = gate.steps.last?.end ?? gate.place
        if last.metres(to: place) >= noise.chordMetres {
            gate.steps.append(Step(end: place, extraMetres: gate.extraMetres))
            gate.extraMetres = 0
        }
        let far = max(
            1, min(Self.standingMetres, Self.standingMetresPerSecond * (place.seconds - gate.place.seconds)),
            noise.gateMetres(after: place.seconds - gate.onWaySeconds))
        if gate.place.metres(to: place) >= far {
            add(&gate, far: far, at: place.seconds)
        } else if gate.steps.count > Self.stepsMax {
            gate.steps.removeFirst(Self.stepsMax / 2)
        }
        self.gate = gate
    }

    /// Adds the way to the last chord's end, which is the next gate. All chords about the last gate, before the walker
    /// left it, are one.
    private mutating func add(_ gate: inout Gate, far: Double, at seconds: Double) {
        let left = gate.steps.lastIndex { gate.place.metres(to: $0.end) <= ReceiverNoise.nearShare * far }
        var last = gate.place
        for step in gate.steps[(left ?? 0)...] {
            metres += noise.wayMetres(from: last, to: step.end) + step.extraMetres
            last = step.end
        }
        gate = Gate(place: last, onWaySeconds: seconds, extraMetres: gate.extraMetres, newest: gate.newest)
    }

    /// Adds the way from the last gate to the newest place, if it is more than noise.
    private mutating func addRest() {
        guard let gate else { return }
        let away = gate.place.metres(to: gate.newest)
        guard away >= noise.restMetres(after: gate.newest.seconds - gate.onWaySeconds) else { return }
        var (last, rest) = (gate.place, gate.extraMetres)
        for step in gate.steps {
            rest += noise.wayMetres(from: last, to: step.end) + step.extraMetres
            last = step.end
        }
        rest += noise.wayMetres(from: last, to: gate.newest)
        metres += min(rest, 1.5 * away + 5)
    }

    // MARK: Places

    /// A node's place, by the parabola that fits it and its neighbours best; near an end, by a line.
    private func smoothed(_ index: Int) -> WalkPoint {
        let node = nodes[index]
        guard !noise.isExact else { return node.first }
        let reach = noise.smoothingNodes
        let (low, high) = (max(0, index - reach), min(nodes.count - 1, index + reach))
        // Nodes that are far apart say little about one another.
        guard nodes[high].mean.seconds - nodes[low].mean.seconds <= 1.5 * Double(high - low) else { return node.mean }
        let isEven = index - low == high - index
        guard high - low >= (isEven ? 3 : 2) else { return node.mean }
        var (count, sum, squares, fourths) = (0.0, 0.0, 0.0, 0.0)
        var (east, north) = (Moments(), Moments())
        for other in low...high {
            let (away, place) = (Double(other - index), nodes[other].mean)
            count += 1
            sum += away
            squares += away * away
            fourths += away * away * away * away
            east.add(place.east, away)
            north.add(place.north, away)
        }
        if isEven {
            let all = count * fourths - squares * squares
            return WalkPoint(
                seconds: node.mean.seconds, east: (fourths * east.sum - squares * east.square) / all,
                north: (fourths * north.sum - squares * north.square) / all)
        }
        let all = count * squares - sum * sum
        return WalkPoint(
            seconds: node.mean.seconds, east: (squares * east.sum - sum * east.slope) / all,
            north: (squares * north.sum - sum * north.slope) / all)
    }

    private struct Moments {
        var sum = 0.0
        var slope = 0.0
        var square = 0.0

        mutating func add(_ value: Double, _ away: Double) {
            sum += value
            slope += away * value
            square += away * away * value
        }
    }

    /// What the chord to a node cuts off: of a walker who turns within it, and is as fast before and after. 0 where the
    /// fixes are not exact.
    private func cornerMetres(at index: Int) -> Double {
        guard noise.isExact, index >= 2, index + 1 < nodes.count else { return 0 }
        let (before, within, after) = (leg(to: index - 1), leg(to: index), leg(to: index + 1))
        let speed = min(before.speed, after.speed)
        guard within.speed < speed, within.seconds <= 2 else { return 0 }
        let along = (before.east * after.east + before.north * after.north) / (before.seconds * after.seconds)
        guard along <= 0.94 * before.speed * after.speed else { return 0 }
        return (speed - within.speed) * within.seconds
    }

    private struct Leg {
        var seconds: Double
        var east: Double
        var north: Double
        var speed: Double { hypot(east, north) / seconds }
    }

    private func leg(to index: Int) -> Leg {
        let (from, to) = (nodes[index - 1].first, nodes[index].first)
        return Leg(
            seconds: max(to.seconds - from.seconds, 0.001), east: to.east - from.east, north: to.north - from.north)
    }
}
