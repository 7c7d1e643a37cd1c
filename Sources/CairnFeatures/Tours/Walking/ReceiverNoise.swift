internal import Foundation

/// How far off the fixes of a receiver are, measured by the fixes alone, and what that means for a way (TRT-10,
/// decision 0074).
///
/// Walkers go straight on most of the time, so the differences of second order between places are noise. The shorter
/// ones of a window are: corners make the longer ones. Noise that is new in each second is the same at every lag; noise
/// that wanders grows with the lag. Neither is larger than the differences of neighbours of high order, which are small
/// for a walker on a small round, and large for a receiver.
struct ReceiverNoise: Sendable {
    /// The newest lengths of a kind of difference, up to 128.
    private struct Window: Sendable {
        private static let countMax = 128
        private var metres: [Float] = []
        private var next = 0

        var count: Int { metres.count }

        mutating func put(_ length: Double) {
            guard metres.count == Self.countMax else { return metres.append(Float(length)) }
            metres[next] = Float(length)
            next = (next + 1) % Self.countMax
        }

        /// The variance on one axis of normal differences, of which this share is shorter than what it goes by.
        func variance(share: Double) -> Double {
            guard !metres.isEmpty else { return 0 }
            let length = Double(metres.sorted()[Int(Double(metres.count) * share)])
            return length * length / (-2 * log(1 - share))
        }
    }

    /// How long it takes the receiver's error to wander, in seconds.
    private static let wanderingSeconds = 20.0
    /// What is taken for a receiver of which too few fixes have come: wandering, in metres on an axis.
    private static let usualMetres = 5.7
    /// So many differences say how good a receiver is.
    private static let differencesMin = 8
    /// How long somebody stands before a gate is at its farthest.
    static let standingSeconds = 60.0
    /// Somebody who is nearer than this share of a gate's distance has not left it.
    static let nearShare = 0.35

    /// Differences of second, third and fourth order between the first fixes of neighbouring nodes.
    private var second = Window()
    private var third = Window()
    private var fourth = Window()
    /// Differences of second order between nodes one, four and eight apart.
    private var near = Window()
    private var middle = Window()
    private var far = Window()
    /// Number of nodes so far.
    private var nodes = 0
    private var isMeasured = false

    /// Standard deviations on an axis, in metres: of what wanders, of what is new in each node, and of what smoothing
    /// leaves of that.
    private var wandering = Self.usualMetres
    private var fresh = 0.0
    private var rest = 0.0
    /// The largest of late: gates go by them, so that one low estimate opens none.
    private var wanderingLately = Self.usualMetres
    private var restLately = 0.0

    /// Whether each fix counts as it is.
    private(set) var isExact = false
    /// How many nodes before and after a node smooth it.
    private(set) var smoothingNodes = 0

    /// Takes the last of these nodes.
    mutating func take(_ nodes: [Odometer.Node]) {
        self.nodes += 1
        let points = nodes.suffix(5).map(\.first)
        put(Self.difference(points, [1, -2, 1]), in: \.second)
        put(Self.difference(points, [1, -3, 3, -1]), in: \.third)
        put(Self.difference(points, [1, -4, 6, -4, 1]), in: \.fourth)
        put(Self.bend(nodes, 1), in: \.near)
        // The longer ones change slowly.
        guard self.nodes <= 128 || self.nodes % 2 == 0 else { return }
        put(Self.bend(nodes, 4), in: \.middle)
        put(Self.bend(nodes, 8), in: \.far)
    }

    private mutating func put(_ metres: Double?, in window: WritableKeyPath<Self, Window>) {
        if let metres { self[keyPath: window].put(metres) }
    }

    /// The length of a difference of the newest points; nil = there are too few, or they are too far apart.
    private static func difference(_ points: [WalkPoint], _ weights: [Double]) -> Double? {
        let points = points.suffix(weights.count)
        guard points.count == weights.count, let first = points.first, let last = points.last,
            last.seconds - first.seconds <= 2.1 * Double(weights.count - 1)
        else { return nil }
        var (east, north) = (0.0, 0.0)
        for (point, weight) in zip(points, weights) {
            east += weight * point.east
            north += weight * point.north
        }
        return hypot(east, north)
    }

    /// The difference of second order of three nodes so many apart.
    private static func bend(_ nodes: [Odometer.Node], _ apart: Int) -> Double? {
        let last = nodes.count - 1
        guard last >= 2 * apart else { return nil }
        let (from, middle, to) = (nodes[last - 2 * apart].mean, nodes[last - apart].mean, nodes[last].mean)
        guard to.seconds - from.seconds <= 2.1 * Double(2 * apart) else { return nil }
        return hypot(from.east - 2 * middle.east + to.east, from.north - 2 * middle.north + to.north)
    }

    /// Estimates the noise by the differences so far.
    mutating func measure() {
        guard second.count >= Self.differencesMin, fourth.count > 0 else { return }
        let single = min(
            second.variance(share: 0.15) / 2, third.variance(share: 0.15) / 6, fourth.variance(share: 0.15) / 20)
        let short = near.variance(share: 0.3)
        // Of noise that wanders for 20 s, with the variance 1: 0.2 in a bend of a second, 0.79 and 1.54 in longer ones.
        var wanders = 12.25 * single
        if middle.count >= Self.differencesMin {
            wanders = min(wanders, 1.3 * max(0, middle.variance(share: 0.3) - 1.4 * short) / (0.791 - 0.199 * 1.4))
        }
        if far.count >= Self.differencesMin {
            wanders = min(wanders, max(0, far.variance(share: 0.3) - 1.4 * short) / (1.536 - 0.199 * 1.4))
        }
        fresh = min(max(0, short - 0.2 * wanders) / 6, single / 2).squareRoot()
        wandering = wanders.squareRoot()
        isExact = wandering < 1 && fresh < 0.15
        smoothingNodes = min(9, Int((3 * pow(fresh, 0.8)).rounded()))
        // A parabola over so many nodes leaves so much.
        rest = smoothingNodes == 0 ? fresh : fresh * (2.25 / Double(2 * smoothingNodes + 1)).squareRoot()
        wanderingLately = isMeasured ? max(wandering, 0.97 * wanderingLately) : wandering
        restLately = isMeasured ? max(rest, 0.97 * restLately) : rest
        isMeasured = true
    }

    // MARK: What it means

    /// How far noise brings a phone from the last gate, so long after it was last on the way.
    func gateMetres(after seconds: Double) -> Double {
        nearestGateMetres * (1 + min(max(0, (seconds - 30) / (Self.standingSeconds - 30)), 1))
    }

    private var nearestGateMetres: Double { 4.6 * wanderingLately + 6 * restLately }

    /// How far the newest place has to be from the last gate for the way there to count at the end.
    func restMetres(after seconds: Double) -> Double {
        seconds < 45 ? 0.3 * nearestGateMetres : 0.7 * gateMetres(after: seconds)
    }

    /// How long chords are.
    var chordMetres: Double {
        isExact ? 0.05 + 2 * fresh : max(0.3, 2.9 * wandering + 3.5 * rest)
    }

    /// The length of a chord less what noise adds to it.
    func wayMetres(from: WalkPoint, to: WalkPoint) -> Double {
        let (metres, seconds) = (from.metres(to: to), to.seconds - from.seconds)
        let wanders = wandering * wandering * (1 - exp(-seconds / Self.wanderingSeconds))
        let rests = rest * rest * 0.7 * min(1, seconds / Double(smoothingNodes + 1))
        return max(0, metres * metres - 2 * (wanders + rests)).squareRoot()
    }
}
