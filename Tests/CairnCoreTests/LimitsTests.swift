import CairnTesting
import CairnTime
import Testing

@testable import CairnCore

@Suite("RollingWindow")
struct RollingWindowTests {
    private static func make(limit: Int = 3, length: Duration = .seconds(1), times: LastingTime...) -> RollingWindow {
        var window = RollingWindow(limit: limit, length: length)
        for time in times { window.add(time) }
        return window
    }

    @Test func emptyWindow_hasRoom() {
        var window = Self.make()
        #expect(window.count(now: 0) == 0)
        #expect(window.wait(now: 0) == .zero)
    }

    @Test func event_countsUntilItsLengthIsOver() {
        var window = Self.make(times: 100)
        #expect(window.count(now: 1_099) == 1)
        #expect(window.count(now: 1_100) == 0)
    }

    @Test func fullWindow_waitsForItsOldest() {
        var window = Self.make(times: 100, 300, 900)
        #expect(window.wait(now: 900) == .milliseconds(200))
    }

    @Test func waitingForTheHintedTimeMakesRoom() {
        var window = Self.make(times: 100, 300, 900)
        let room: LastingTime = 950 + window.wait(now: 950)
        #expect(window.wait(now: room - .milliseconds(1)) == .milliseconds(1))
        #expect(window.wait(now: room) == .zero)
    }

    @Test func windowOverItsLimit_waitsForAsManyAsAreTooMany() {
        // A limit that was lowered while the server was down.
        var window = Self.make(limit: 2, times: 100, 200, 300, 400)
        #expect(window.wait(now: 500) == .milliseconds(800))
    }

    @Test func clockStandingStill_forgetsNothing() {
        var window = Self.make(times: 500, 500, 500)
        for _ in 0..<10 { #expect(window.count(now: 500) == 3) }
        #expect(window.wait(now: 500) == .seconds(1))
    }

    @Test func hugeJump_emptiesTheWindow() {
        var window = Self.make(times: 1, 2, 3)
        #expect(window.count(now: .distantFuture) == 0)
    }

    @Test func clockSetBack_forgetsNothing() {
        var window = Self.make(times: 5_000)
        #expect(window.count(now: 10) == 1)
    }

    /// PLC-6: no span of the window's length ever holds more than the limit.
    @Test(arguments: 0..<20)
    func randomUse_neverExceedsTheLimitInAnySpan(seed: UInt64) {
        var random = SeededRandom(seed)
        let length = Duration.milliseconds(100)
        var window = RollingWindow(limit: 5, length: length)
        var granted: [LastingTime] = []
        var now = LastingTime.epoch
        for _ in 0..<500 {
            now = now + .milliseconds(Int.random(in: 0...15, using: &random))
            if window.wait(now: now) == .zero {
                window.add(now)
                granted.append(now)
            }
        }
        for end in granted { #expect(granted.filter { $0 > end - length && $0 <= end }.count <= 5) }
    }
}

@Suite("TokenBucket")
struct TokenBucketTests {
    @Test func fullBucket_givesItsBurstAndNoMore() {
        var bucket = TokenBucket(rate: 10, burst: 3, now: 0)
        #expect((0..<3).allSatisfy { _ in bucket.take(now: 0) == nil })
        #expect(bucket.take(now: 0) != nil)
    }

    @Test func emptyBucket_saysWhenTheNextTokenIsThere() throws {
        var bucket = TokenBucket(rate: 10, burst: 1, now: 0)
        _ = bucket.take(now: 0)
        let answer = bucket.take(now: 0)
        let wait = try #require(answer)
        #expect(wait == .milliseconds(100))
        #expect(bucket.take(now: .epoch + wait - .microseconds(1)) != nil)
        #expect(bucket.take(now: .epoch + wait + .microseconds(1)) == nil)
    }

    @Test func clockStandingStill_refillsNothing() {
        var bucket = TokenBucket(rate: 1_000_000, burst: 1, now: 5)
        _ = bucket.take(now: 5)
        #expect((0..<100).allSatisfy { _ in bucket.take(now: 5) != nil })
    }

    @Test func clockRunningBack_refillsNothingAndDoesNotTrap() {
        var bucket = TokenBucket(rate: 1_000, burst: 1, now: 1_000_000)
        _ = bucket.take(now: 1_000_000)
        #expect(bucket.take(now: 0) != nil)
    }

    @Test func hugeJump_fillsToTheBurstOnly() {
        var bucket = TokenBucket(rate: 50, burst: 4, now: 0)
        for _ in 0..<4 { _ = bucket.take(now: 0) }
        #expect((0..<4).allSatisfy { _ in bucket.take(now: .distantFuture) == nil })
        #expect(bucket.take(now: .distantFuture) != nil)
    }

    @Test func refusal_costsNothing() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: 0)
        _ = bucket.take(now: 0)
        for _ in 0..<1_000 { _ = bucket.take(now: 50_000) }
        #expect(bucket.take(now: 100_001) == nil)
    }

    @Test func steadyUse_getsTheRate() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: 0)
        let granted = (0..<10_000).filter { bucket.take(now: .epoch + .milliseconds($0)) == nil }.count
        #expect((100...101).contains(granted))
    }
}
