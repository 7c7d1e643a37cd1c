internal import CairnGeo
internal import CairnTime

/// The moments at which the people of a neighbourhood send their poses best.
///
/// Poses that arrive together leave in one batch and do not wait for each other. Each whole number of poses a second
/// has its moments, and those of a rate are among those of its multiples. Many people are divided into lanes, evenly
/// over the time between two poses, so that a loop never has too much to read and to send at once.
struct PosePhase: Sendable {
    /// A moment that all rates have in common, in microseconds from the start of each second. Neighbourhoods differ in
    /// it, so that their poses do not arrive at once.
    private let start: Int64

    /// Poses that arrive at one moment of a lane, about. It takes a loop some 5 ms to read them.
    private static let lanePoses = 500.0
    /// Rates that have moments, in poses a second. More frequent poses wait little anyway.
    private static let rates = 1.0...20.0
    /// How far a measured rate may be from a whole one, as a share of it.
    private static let rateTolerance = 0.04
    /// How far poses may be from their moment, in microseconds, before the person is asked for a shift.
    private static let tolerance = 2_000.0
    /// In microseconds.
    private static let second: Int64 = 1_000_000

    init(of neighbourhood: CellID) {
        start = Int64((neighbourhood.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 32) % Self.second
    }

    /// By how much a person should shift their poses, in whole milliseconds; positive = later. Nil = the poses are near
    /// enough to their moment, or come at no rate that has moments.
    /// - Parameters:
    ///   - time: when the next pose is expected.
    ///   - periodMicroseconds: between two poses of the person.
    ///   - slot: the person's, which decides on the lane.
    ///   - posesPerSecond: of the whole neighbourhood; they decide on the number of lanes.
    ///   - wait: the longest wait of a pose. Lanes that are nearer together would leave together.
    func shift(
        from time: MonotonicTime, periodMicroseconds: UInt32, slot: UInt16, posesPerSecond: Double, wait: Duration
    ) -> Duration? {
        let period = Double(periodMicroseconds)
        let rate = (Double(Self.second) / period).rounded()
        guard Self.rates.contains(rate), abs(period * rate / Double(Self.second) - 1) <= Self.rateTolerance else {
            return nil
        }
        let lanesMost = max(1, (period / Double(wait.microseconds)).rounded(.down))
        let lanes = min(lanesMost, max(1, (posesPerSecond / rate / Self.lanePoses).rounded(.up)))
        let late = microseconds(from: Self.lane(of: slot, lanes) / lanes, to: time, rate: Int64(rate))
        guard abs(late) > Self.tolerance else { return nil }
        return .milliseconds(-Int64((late / 1_000).rounded()))
    }

    /// A person's lane, from 0 on. Slots in a row are spread evenly over the lanes, by multiples of the golden ratio.
    /// When the number of lanes changes by one, people shift their poses by little.
    private static func lane(of slot: UInt16, _ lanes: Double) -> Double {
        (Double(slot &* 40_503) / 65_536 * lanes).rounded(.down)
    }

    /// By how many microseconds a time is later than the nearest moment of a lane; negative = sooner.
    /// - Parameter lane: where in the period the lane has its moment, as a share of it.
    private func microseconds(from lane: Double, to time: MonotonicTime, rate: Int64) -> Double {
        let half = Self.second / 2
        let sinceStart = (Int64(time.microseconds % UInt64(Self.second)) + Self.second - start) % Self.second
        // In millionths of a period, from half a period before the moment on.
        let passed = (sinceStart * rate + Self.second + half - Int64(Double(Self.second) * lane)) % Self.second
        return Double(passed - half) / Double(rate)
    }
}
