import CairnTesting
import CairnTime
import Testing

@testable import CairnCore

/// How fast a connection may send, and how long it may exceed the limit (SES-12).
@Suite("MessagePace") struct MessagePaceTests {
    private static func make(messages: Int = 50, burst: Int = 100, bytes: Int = 65_536) -> MessagePace {
        MessagePace(
            messagesPerSecond: messages, messagesBurst: burst, bytesPerSecond: bytes, bytesBurst: 4 * bytes, now: 0)
    }

    @Test func messagesBeyondTheBurst_areRefusedWithATimeToWait() {
        var pace = Self.make(messages: 10, burst: 2)
        #expect(pace.take(bytes: 10, now: 0) == .taken && pace.take(bytes: 10, now: 0) == .taken)
        #expect(pace.take(bytes: 10, now: 0) == .refused(wait: .milliseconds(100)))
        #expect(pace.take(bytes: 10, now: 100_000) == .taken)
    }

    @Test func senderThatWaitsForHalf_isNeverRefused() {
        var pace = Self.make()
        var now: MonotonicTime = 0
        for _ in 0..<100 {
            #expect(pace.take(bytes: 45_000, now: now) == .taken)
            #expect(pace.take(bytes: 200, now: now) == .taken, "there is room for another message")
            now = now + pace.waitForHalf(now: now)
        }
        // 131,072 at once were there to begin with, 65,536 a second come.
        #expect(now.microseconds(since: 0) / 1_000_000 == (100 * 45_200 - 131_072) / 65_536)
    }

    @Test func bytesBeyondTheBurst_areRefusedThoughTheMessagesAreFew() {
        var pace = Self.make()
        for _ in 0..<4 { #expect(pace.take(bytes: 65_536, now: 0) == .taken) }
        guard case .refused(let wait) = pace.take(bytes: 10, now: 0) else {
            Issue.record("the bytes are used up")
            return
        }
        #expect(wait <= .microseconds(20), "a single byte is enough to go on")
        #expect(pace.take(bytes: 65_536, now: 1_000_000) == .taken)
    }

    @Test func longRun_takesNoMoreThanTheRate() {
        var pace = Self.make()
        var taken = 0
        for tick in 0..<6_000 where pace.take(bytes: 60_000, now: .epoch + .milliseconds(10 * tick)) == .taken {
            taken += 60_000
        }
        #expect(taken <= 65_536 * 64 + 60_000)
    }

    @Test func floodOfSmallMessages_isClosedAfterTenSecondsWorthOfRefusals() {
        var pace = Self.make()
        var verdicts: [MessagePace.Verdict] = []
        for _ in 0..<700 { verdicts.append(pace.take(bytes: 10, now: 0)) }
        #expect(verdicts.firstIndex(of: .closing).map { (550...620).contains($0) } == true)
    }

    @Test func hasteThatNeverEnds_isClosedThoughItIsNotMuch() {
        // One and a half times the limit: at e58221d such a client was never closed.
        var pace = Self.make()
        let verdict = (0..<75 * 60).lazy.map { pace.take(bytes: 10, now: .epoch + .seconds(1) * $0 / 75) }
            .first { $0 == .closing }
        #expect(verdict == .closing)
    }

    @Test func aLittleHaste_isPutUpWithForEver() {
        var pace = Self.make()
        for step in 0..<54 * 600 {
            #expect(pace.take(bytes: 10, now: .epoch + .seconds(1) * step / 54) != .closing)
        }
    }

    @Test func longMessages_areRefusedFewTimesBeforeTheEnd() {
        var pace = Self.make()
        var verdicts: [MessagePace.Verdict] = []
        for _ in 0..<40 { verdicts.append(pace.take(bytes: 65_536, now: 0)) }
        #expect(verdicts.firstIndex(of: .closing).map { $0 < 20 } == true)
    }

    @Test func unreadableMessages_endInAClose() {
        var pace = Self.make()
        let isClosed = (0..<90).contains { _ in pace.noteUnreadable(now: 0) }
        #expect(isClosed)
    }

    @Test func anUnreadableMessageNowAndThen_isPutUpWith() {
        var pace = Self.make()
        let isClosed = (0..<600).contains { pace.noteUnreadable(now: .epoch + .seconds(2 * $0)) }
        #expect(!isClosed)
    }
}
