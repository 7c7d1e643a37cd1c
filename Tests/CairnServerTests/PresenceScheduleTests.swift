import CairnGeo
import CairnTesting
import CairnTime
import Testing
@testable import CairnCore
@testable import CairnServer

@Suite struct PresenceScheduleTests {
    /// Notes the poses of a neighbourhood by the clock of the test, and how long each waits.
    private struct Street {
        var schedule = PresenceSchedule<String>()
        var pace = PresencePace(interval: .milliseconds(50), quietInterval: .milliseconds(25))
        let neighbourhood: CellID
        var waiting: [MonotonicTime] = []
        var waits: [Duration] = []
        var batches = 0
        /// The shift that the last pose's person was asked for; nil = none.
        var shift: Duration?
        private var isDue = false

        init() throws {
            let place = try #require(Coordinate(latitude: 45.5, longitude: -73.57))
            neighbourhood = PresenceSchedule<String>.neighbourhood(of: CellID(place, level: 16))
        }

        mutating func pose(_ arrival: PoseArrival, now: MonotonicTime) {
            // Many receivers: the loop has sends to save.
            pace.offer(receivers: 10_000, now: now)
            shift = schedule.note(arrival, in: neighbourhood, wait: pace.longest, now: now)
            if !isDue { schedule.add("cell", in: neighbourhood) }
            (isDue, waiting) = (true, waiting + [now])
        }

        mutating func turn(now: MonotonicTime) {
            schedule.plan(by: &pace, now: now)
            while schedule.takeDue(now: now) != nil {
                waits += waiting.map { now - $0 }
                (waiting, isDue, batches) = ([], false, batches + 1)
            }
        }

        /// Some seconds of people whose poses come at these times of each period; all in milliseconds but `seconds`.
        mutating func run(_ offsets: [Int], period: Int, seconds: Int) {
            for millisecond in 0..<seconds * 1_000 {
                let now = MonotonicTime(microseconds: UInt64(10_000_000 + millisecond * 1_000))
                for offset in offsets where millisecond % period == offset {
                    let isKnown = millisecond > period
                    let next = now + .milliseconds(period)
                    pose(PoseArrival(expected: isKnown ? now : nil, isOnTime: isKnown, next: next), now: now)
                }
                turn(now: now)
            }
        }
    }

    /// Three people at 5/s whose poses come within 10 ms, then nothing for 190 ms.
    @Test func posesThatComeTogether_leaveTogetherBehindTheLast() throws {
        var street = try Street()
        street.run([20, 24, 30], period: 200, seconds: 4)
        #expect(street.batches < 24 && street.batches >= 20, "\(street.batches)")
        #expect(street.waits.suffix(30).allSatisfy { $0 <= .milliseconds(10) })
        #expect(street.waits.suffix(30).filter { $0 == .zero }.count == 10)
    }

    @Test func poseThatIsFarFromOthers_doesNotWait() throws {
        var street = try Street()
        street.run([10, 110], period: 200, seconds: 4)
        #expect(street.waits.suffix(30).allSatisfy { $0 == .zero })
    }

    /// Evenly spread poses, 500 a second: nothing to plan for, and no pose waits for longer than the longest wait.
    @Test func manyEvenPoses_leaveAsInATick() throws {
        var street = try Street()
        street.run(Array(stride(from: 0, to: 100, by: 2)), period: 100, seconds: 3)
        #expect((120...260).contains(street.batches), "\(street.batches)")
        #expect(street.waits.allSatisfy { $0 <= .milliseconds(25) })
    }

    /// 50 people at 10/s, evenly spread, who send their poses at other moments when they are asked to.
    @Test func peopleWhoShiftTheirPoses_areToldInOneBatchEachTime() throws {
        var street = try Street()
        var due = (0..<50).map { MonotonicTime(microseconds: UInt64(10_000_000 + $0 * 2_000)) }
        var rhythms = Array(repeating: PoseRhythm(), count: 50)
        var (before, shifts, batchesAtHalf, waitsAtHalf) = ([MonotonicTime?](repeating: nil, count: 50), 0, 0, 0)
        for millisecond in 0..<4_000 {
            let now = MonotonicTime(microseconds: UInt64(10_000_000 + millisecond * 1_000))
            if millisecond == 2_000 { (batchesAtHalf, waitsAtHalf) = (street.batches, street.waits.count) }
            for index in due.indices where due[index] <= now {
                due[index] += .milliseconds(100)
                defer { before[index] = now }
                guard let last = before[index] else { continue }
                var arrival = rhythms[index].note(now, after: last)
                arrival.slot = UInt16(index)
                street.pose(arrival, now: now)
                guard let shift = street.shift else { continue }
                rhythms[index].expectShift(by: shift)
                due[index] += shift
                shifts += 1
            }
            street.turn(now: now)
        }
        #expect((40...100).contains(shifts), "\(shifts)")
        #expect(street.batches - batchesAtHalf <= 22, "\(street.batches - batchesAtHalf)")
        #expect(street.waits.dropFirst(waitsAtHalf).allSatisfy { $0 <= .milliseconds(14) })
    }

    @Test func plansThatWereReplaced_doNotLeave() throws {
        var street = try Street()
        let start: MonotonicTime = 20_000_000
        street.pose(PoseArrival(next: start + .milliseconds(8)), now: start)
        street.turn(now: start)
        let planned = street.schedule.nextDeparture()
        #expect(street.batches == 0 && planned != nil)
        street.pose(PoseArrival(expected: start + .milliseconds(8), isOnTime: true), now: start + .milliseconds(7))
        street.turn(now: start + .milliseconds(7))
        #expect(street.batches == 1, "all have come")
        let stale = street.schedule.nextDeparture()
        #expect(stale == nil, "no wake-up for the plan that was replaced")
        street.turn(now: start + .milliseconds(30))
        #expect(street.batches == 1)
    }

    /// Poses that did not fit into a batch do not leave at once again, and they do leave.
    @Test func whatIsLeftOver_waitsForAMoment() throws {
        var street = try Street()
        let start: MonotonicTime = 20_000_000
        street.pose(PoseArrival(), now: start)
        street.turn(now: start)
        #expect(street.batches == 1)
        street.schedule.add("cell", in: street.neighbourhood)
        street.turn(now: start)
        #expect(street.batches == 1)
        let due = street.schedule.nextDeparture()
        let next = try #require(due)
        #expect(next > start + .milliseconds(10) && next <= start + .milliseconds(50))
        street.turn(now: next)
        #expect(street.batches == 2)
    }

    @Test func neighbourhoodWithoutNews_isForgotten() throws {
        var street = try Street()
        street.run([10], period: 200, seconds: 1)
        street.schedule.sweep(now: 11_500_000)
        #expect(!street.schedule.isEmpty)
        street.schedule.sweep(now: 14_000_000)
        #expect(street.schedule.isEmpty)
    }

    /// Neighbouring cells are mostly in one neighbourhood: a viewer of both is sent their batches together.
    @Test func mostNeighbours_leaveTogether() throws {
        var together = 0
        for number in 0..<400 {
            let (latitude, longitude) = (45.5 + Double(number) * 0.0137, -73.57 + Double(number % 20) * 0.031)
            let names = try [latitude, latitude + 0.0013].map { latitude in
                let there = try #require(Coordinate(latitude: latitude, longitude: longitude))
                return PresenceSchedule<String>.neighbourhood(of: CellID(there, level: 16))
            }
            together += names[0] == names[1] ? 1 : 0
        }
        #expect(together >= 320, "\(together) of 400")
    }
}
