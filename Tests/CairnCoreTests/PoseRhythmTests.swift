import CairnTime
import Testing
@testable import CairnCore

@Suite struct PoseRhythmTests {
    /// The arrivals of poses at these times, in milliseconds.
    private func arrivals(_ milliseconds: [Int]) -> [PoseArrival] {
        var rhythm = PoseRhythm()
        let times = milliseconds.map { MonotonicTime(microseconds: UInt64(1_000_000 + $0 * 1_000)) }
        return zip(times.dropFirst(), times).map { rhythm.note($0, after: $1) }
    }

    private func milliseconds(_ time: MonotonicTime?) -> Int? {
        time.map { (Int($0.microseconds) - 1_000_000 + 500) / 1_000 }
    }

    @Test func steadyPoses_areExpectedAPeriodLater() {
        let all = arrivals([0, 100, 200, 300])
        #expect(all.map { milliseconds($0.next) } == [200, 300, 400])
        #expect(all.map(\.isOnTime) == [false, true, true])
        #expect(all.map { milliseconds($0.expected) } == [nil, 200, 300])
    }

    @Test func lateness_isFollowedInPart() throws {
        let last = try #require(arrivals([0, 100, 200, 302]).last)
        #expect(last.isOnTime)
        #expect(milliseconds(last.next) == 401)
    }

    @Test func onePoseThatIsLateOrLost_doesNotShiftTheOthers() {
        let late = arrivals([0, 100, 200, 340, 400, 500])
        #expect(late.map(\.isOnTime) == [false, true, false, true, true])
        let lost = arrivals([0, 100, 200, 400, 500])
        #expect(lost.map { milliseconds($0.next) } == [200, 300, 500, 600])
        #expect(lost.last?.isOnTime == true)
    }

    /// The first interval is two thirds of the others, so that every second pose comes when it is expected.
    @Test func firstIntervalThatIsNoPeriod_isForgotten() {
        let all = arrivals([0, 67, 167, 267, 367, 467])
        #expect(all.map { milliseconds($0.next) } == [134, 201, 367, 467, 567])
        #expect(all.suffix(2).allSatisfy { $0.isOnTime && $0.steadyMicroseconds == 100_000 })
    }

    @Test func posesThatComeLaterFromSomeTimeOn_areExpectedLater() {
        let all = arrivals([0, 100, 200, 330, 430, 530, 630])
        #expect(all.map(\.isOnTime) == [false, true, false, false, false, true])
        #expect(milliseconds(all.last?.next) == 730)
    }

    @Test func anotherRate_isLearntAfterTwoPoses() {
        let all = arrivals([0, 100, 200, 237, 274, 311, 348, 385, 422])
        let isOnTime = all.map(\.isOnTime)
        #expect(isOnTime.suffix(4) == [true, true, true, true], "\(isOnTime)")
    }

    @Test func afterASecondOfSilence_nothingIsExpected() {
        let all = arrivals([0, 100, 200, 1_300, 1_400])
        #expect(all[2] == PoseArrival())
        #expect(milliseconds(all[3].next) == 1_500)
    }

    /// A person is asked to send poses 30 ms later, and does so with the second pose after that.
    @Test func shiftThatWasAskedFor_isFollowedAtOnce() {
        var rhythm = PoseRhythm()
        var (time, arrivals) = (MonotonicTime(microseconds: 1_000_000), [PoseArrival]())
        for number in 0..<8 {
            let before = time
            time += .milliseconds(number == 4 ? 130 : 100)
            arrivals.append(rhythm.note(time, after: before))
            if number == 2 { rhythm.expectShift(by: .milliseconds(30)) }
        }
        #expect(arrivals.dropFirst().allSatisfy { $0.isOnTime })
        #expect(arrivals.map { milliseconds($0.next) } == [200, 300, 400, 500, 630, 730, 830, 930])
    }

    @Test func shiftThatIsNotMade_costsNoForecastAndIsAskedForEverMoreRarely() {
        var rhythm = PoseRhythm()
        var (time, asked, late) = (MonotonicTime(microseconds: 1_000_000), [Int](), 0)
        for number in 0..<4_000 {
            let before = time
            time += .milliseconds(100)
            let arrival = rhythm.note(time, after: before)
            if number > 1, !arrival.isOnTime { late += 1 }
            guard arrival.steadyMicroseconds != nil else { continue }
            asked.append(number)
            rhythm.expectShift(by: .milliseconds(30))
        }
        #expect(late == 0)
        #expect(Array(asked.prefix(5)) == [1, 9, 25, 57, 121])
        #expect(asked.count <= 14, "\(asked)")
    }

    /// Any times at all: a hostile client only spoils its own forecast.
    @Test func wildTimes_neverExpectAnythingInThePast() {
        var generator = SystemRandomNumberGenerator()
        var (rhythm, time) = (PoseRhythm(), MonotonicTime(microseconds: 5_000_000))
        for _ in 0..<10_000 {
            let before = time
            time += .microseconds(Int64.random(in: 1...2_000_000, using: &generator) >> Int64.random(in: 0...20))
            guard time > before else { continue }
            let arrival = rhythm.note(time, after: before)
            let shift = Int64.random(in: -600...600, using: &generator)
            if arrival.steadyMicroseconds != nil { rhythm.expectShift(by: .milliseconds(shift)) }
            if let next = arrival.next { #expect(next > time - .milliseconds(4) && next < time + .seconds(3)) }
        }
    }
}
