import CairnLogging
import CairnTime
import Foundation
import Testing

@testable import CairnOperators

@Suite("Stats: the course of figures")
struct HistoryTests {
    /// Second after second one value for all series, from the second 100 of the clock on.
    private struct Course {
        var history = History()
        private(set) var seconds = 100
        var counts: [UInt64] = OperatorReason.all.map { _ in 0 }

        var now: MonotonicTime { .epoch + .seconds(seconds) }

        mutating func add(_ value: Double) {
            seconds += 1
            let counts = counts
            history.add(Array(repeating: value, count: 16), now: now) { counts }
        }

        mutating func stand(seconds: Int) { self.seconds += seconds }

        func answer(_ range: History.Range) throws -> [String: Any] {
            let line = JSONLine.object { history.write(range, now: now, in: &$0) }
            return try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }

        func people(_ range: History.Range, _ part: String? = nil) throws -> [Double?] {
            let answer = try answer(range)
            let series = try part.map { try #require(answer[$0] as? [String: Any]) } ?? answer
            return try #require(series["people"] as? [Any]).map { $0 as? Double }
        }

        /// Counts of the first reason between two times, in seconds ago.
        func counted(_ seconds: ClosedRange<Int>) -> (UInt64, ClosedRange<Int>) {
            let counted = history.counted(seconds, now: now, counts: counts)
            return (counted.counts[0], counted.seconds)
        }
    }

    @Test func seconds_areTheLastFiveMinutes() throws {
        var course = Course()
        for value in 0..<400 { course.add(Double(value)) }
        #expect(try course.people(.minutes) == (100..<400).map { Double($0) })
    }

    @Test func minutes_haveLeastMeanAndMost_alsoTheOneUnderWay() throws {
        var course = Course()
        for value in 0..<90 { course.add(Double(value)) }
        #expect(try course.people(.hour) == [29.5, 74.5])
        #expect(try course.people(.hour, "least") == [0, 60])
        #expect(try course.people(.hour, "most") == [59, 89])
        #expect(try course.answer(.hour)["newestSeconds"] as? Int == 29)
    }

    @Test func aDay_isStepsOfFiveMinutes_thatStayWhileTimeGoesOn() throws {
        var course = Course()
        for minute in 0..<12 { for _ in 0..<60 { course.add(Double(minute)) } }
        #expect(try course.people(.day) == [2, 7, 10.5])
        for _ in 0..<120 { course.add(100) }
        #expect(try course.people(.day).prefix(2) == [2, 7])
        #expect(try course.people(.day, "most") == [4, 9, 100])
    }

    @Test func whatIsOlderThanADay_isForgotten() throws {
        var course = Course()
        for _ in 0..<(86_400 + 3_600) { course.add(1) }
        #expect(try course.people(.day).count == 288)
        #expect(try course.people(.hour).count == 60)
    }

    /// A process that was halted has no figures of that time, and shows none.
    @Test func aStandstill_isAGap() throws {
        var course = Course()
        for _ in 0..<60 { course.add(1) }
        course.stand(seconds: 130)
        for _ in 0..<10 { course.add(2) }
        #expect(try course.people(.hour) == [1, nil, nil, 2])
        let seconds = try course.people(.minutes)
        #expect(seconds.count == 200)
        #expect(seconds[60..<190].allSatisfy { $0 == nil })
        #expect(seconds.suffix(10).allSatisfy { $0 == 2 })
    }

    // MARK: Reasons

    @Test func counts_areOfTheMinuteInWhichTheyWereCounted() {
        var course = Course()
        for minute in 0..<12 {
            for second in 0..<60 {
                course.counts[0] += minute == 2 && (10..<40).contains(second) ? 2 : 0
                course.add(0)
            }
        }
        // Nine minutes ago the third minute was under way.
        let third = course.counted(560...560)
        #expect(third.0 == 60)
        #expect(third.1 == 539...599)
        #expect(course.counted(0...500).0 == 0)
        #expect(course.counted(0...3_600).0 == 60)
        #expect(course.counted(600...3_600).0 == 0)
    }

    /// The oldest minute does not stand for those before the start.
    @Test func beforeTheStart_nothingWasCounted() {
        var course = Course()
        for second in 0..<130 {
            course.counts[0] += second < 30 ? 1 : 0
            course.add(0)
        }
        #expect(course.counted(0...130).0 == 30)
        #expect(course.counted(3_600...3_600).0 == 0)
        #expect(course.counted(3_600...7_200).1 == 3_600...7_200)
    }

    @Test func counts_ofTheMinuteUnderWay_areThere() {
        var course = Course()
        for _ in 0..<61 { course.add(0) }
        for _ in 0..<20 {
            course.counts[0] += 1
            course.add(0)
        }
        #expect(course.counted(0...10).0 == 20)
        #expect(course.counted(0...10).1 == 0...20)
        #expect(course.counted(0...60).0 == 20)
    }

    @Test func lately_isOfTheLastMinute() {
        var course = Course()
        course.counts[0] = 1_000
        for _ in 0..<60 { course.add(0) }
        course.counts[0] += 3
        for _ in 0..<10 { course.add(0) }
        #expect(course.history.lately(course.counts)[0] == 3)
        for _ in 0..<70 { course.add(0) }
        #expect(course.history.lately(course.counts)[0] == 0)
    }
}
