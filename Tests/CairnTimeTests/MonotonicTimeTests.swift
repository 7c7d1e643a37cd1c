import CairnTime
import Testing

@Suite("Monotonic time")
struct MonotonicTimeTests {
    private let time = MonotonicTime(microseconds: 5_000_000)

    @Test func aTimeAndASpan_giveATime() {
        #expect(time + .milliseconds(1) == MonotonicTime(microseconds: 5_001_000))
        #expect(time - .seconds(2) == MonotonicTime(microseconds: 3_000_000))
        #expect(time + .seconds(-2) == time - .seconds(2))
        #expect(time - .seconds(-2) == time + .seconds(2))
    }

    @Test func twoTimes_giveASpan() {
        #expect(time - MonotonicTime(microseconds: 1) == .microseconds(4_999_999))
        #expect(MonotonicTime.epoch - time == .seconds(-5))
    }

    @Test func aSpanBeyondTheEnds_stopsThere() {
        #expect(time - .seconds(6) == .epoch)
        #expect(MonotonicTime.distantFuture + .seconds(1) == .distantFuture)
        #expect(MonotonicTime.distantFuture - .seconds(1) < .distantFuture)
    }

    @Test func aReadingOfTheFuture_isNoTimeAgo() {
        #expect(time.microseconds(since: .epoch) == 5_000_000)
        #expect(time.microseconds(since: time + .seconds(1)) == 0)
    }

    @Test(arguments: [0, 1, -1, 999, 1_000_000, 86_400_000_000, -86_400_000_000, Int64.max])
    func microsecondsOfASpan_areThoseThatMadeIt(count: Int64) {
        #expect(Duration.microseconds(count).microseconds == count)
        #expect((Duration.microseconds(count) + .nanoseconds(count < 0 ? -999 : 999)).microseconds == count)
    }
}
