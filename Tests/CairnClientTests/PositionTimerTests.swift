import CairnTime
import Testing

@testable import CairnClient

/// The moments of positions, as `PositionTimer` of cairn.js has them (parts.test.mjs).
@Suite("Moments of positions")
struct PositionTimerTests {
    private let start = MonotonicTime.epoch + .seconds(10)
    private var timer: PositionTimer { PositionTimer(perSecond: 5, from: start) }

    private func after(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

    @Test func moments_areAPeriodApart_alsoWhenTimersAreLate() {
        var timer = timer
        timer.sent(at: start)
        #expect(timer.due == after(200))
        timer.sent(at: after(230))
        #expect(timer.due == after(400))
        timer.sent(at: after(520))
        #expect(timer.due == after(800), "600 is less than half a period away")
    }

    @Test func moments_stayTheSameOverAPause() {
        var timer = timer
        timer.sent(at: start)
        timer.sent(at: after(60_050))
        #expect(timer.due == after(60_200))
    }

    @Test(arguments: [(30, 230), (-30, 170), (230, 230), (-430, 170)])
    func shift_isLessThanAPeriod(milliseconds: Int, due: Int) {
        var timer = timer
        timer.sent(at: start)
        timer.shift(by: .milliseconds(milliseconds))
        #expect(timer.due == after(due))
    }
}
