import CairnGeo
import CairnTesting
import CairnTime
import Testing
@testable import CairnServer

@Suite struct PosePhaseTests {
    private static let wait = Duration.milliseconds(25)

    private let phase: PosePhase

    init() throws { phase = PosePhase(of: try #require(CellID(token: "4cc91a4"))) }

    /// When in the period a person's poses come after the shift, in microseconds.
    private func moment(
        of time: MonotonicTime, perSecond rate: Double, slot: UInt16 = 0, people: Double = 2, wait: Duration = wait
    ) -> Int {
        let period = UInt32(1_000_000 / rate)
        let shift = phase.shift(
            from: time, periodMicroseconds: period, slot: slot, posesPerSecond: people * rate, wait: wait)
        return Int((time + (shift ?? .zero)).microseconds) % Int(period)
    }

    private func distance(_ one: Int, _ other: Int, of period: Int) -> Int {
        let apart = abs(one - other) % period
        return min(apart, period - apart)
    }

    @Test(arguments: [1.0, 2, 5, 10, 20])
    func poses_comeAtTheSameMoment_wheneverTheyCameBefore(rate: Double) {
        let period = Int(1_000_000 / rate)
        let first = moment(of: 7_000_000, perSecond: rate)
        for start in stride(from: 7_000_000, to: 7_000_000 + 2 * period, by: period / 13) {
            let other = moment(of: MonotonicTime(microseconds: UInt64(start)), perSecond: rate, slot: 9)
            // Poses that come within two milliseconds of the moment stay where they are.
            #expect(distance(first, other, of: period) <= 4_000)
        }
    }

    @Test func momentsOfARate_areAmongThoseOfItsMultiples() {
        for start in stride(from: UInt64(8_000_000), to: 8_200_000, by: 12_345) {
            let time = MonotonicTime(microseconds: start)
            let (slow, fast) = (moment(of: time, perSecond: 5), moment(of: time, perSecond: 10))
            #expect(distance(slow % 100_000, fast, of: 100_000) <= 4_000)
        }
    }

    /// At 10/s, from times all over a period. Poses that are near enough to their moment are not shifted.
    @Test func shift_isAtMostHalfAPeriod() throws {
        for start in stride(from: UInt64(9_000_000), to: 9_100_000, by: 1_234) {
            let shift = phase.shift(
                from: MonotonicTime(microseconds: start), periodMicroseconds: 100_000, slot: 0, posesPerSecond: 20,
                wait: Self.wait)
            #expect(abs(shift ?? .zero) <= .milliseconds(50))
            #expect(shift.map { abs($0) >= .milliseconds(2) } ?? true)
        }
    }

    @Test(arguments: [150_000, 40_000, 1_700_000, 1])
    func otherRates_haveNoMoments(period: UInt32) {
        let shifts = stride(from: UInt64(9_000_000), to: 9_200_000, by: 5_000).map {
            phase.shift(
                from: MonotonicTime(microseconds: $0), periodMicroseconds: period, slot: 0, posesPerSecond: 20,
                wait: Self.wait)
        }
        #expect(shifts.allSatisfy { $0 == nil })
    }

    /// 2,000 people at 5/s: four lanes 50 ms apart, with as many in each.
    @Test func manyPeople_areDividedEvenly() {
        let moments = (0..<2_000).map { moment(of: 9_000_000, perSecond: 5, slot: UInt16($0), people: 2_000) }
        let lanes = Dictionary(grouping: moments) { $0 }
        #expect(lanes.count == 4)
        #expect(lanes.values.allSatisfy { (480...520).contains($0.count) }, "\(lanes.mapValues(\.count))")
        let few = (0..<400).map { moment(of: 9_000_000, perSecond: 5, slot: UInt16($0), people: 400) }
        #expect(Set(few).count == 1)
    }

    /// Lanes that are nearer together than the longest wait would leave together anyway.
    @Test func lanes_areNoNearerThanTheLongestWait() {
        let moments = (0..<5_000).map {
            moment(of: 9_000_000, perSecond: 5, slot: UInt16($0), people: 5_000, wait: .milliseconds(60))
        }
        #expect(Set(moments).count == 3)
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
