import CairnCore
import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

/// Homes whose stored state cannot be read: when they are asked for again, and what the log says.
@Suite("Read failures") struct ReadFailuresTests {
    private static let line: Duration = .seconds(10)

    @Test func pauses_doubleFrom200Milliseconds_upTo30Seconds() {
        let pauses = (0..<10).map { ReadFailures.pause(after: $0).milliseconds }
        #expect(pauses == [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000])
    }

    @Test(arguments: [60, 64, 100_000, .max])
    func pause_afterAnyNumberOfFailures_is30Seconds(attempt: Int) {
        #expect(ReadFailures.pause(after: attempt) == .seconds(30))
    }

    @Test func firstFailure_isLoggedAtOnce() {
        var failures = ReadFailures()
        #expect(failures.note(now: 5) == 1)
    }

    @Test func failuresOfTenSeconds_areOneLine_withTheirNumber() {
        var failures = ReadFailures()
        _ = failures.note(now: 5)
        for step in 1...40 { #expect(failures.note(now: 5 + .milliseconds(100 * step)) == nil) }
        #expect(failures.note(now: 5 + Self.line) == 41)
        #expect(failures.note(now: 6 + Self.line) == nil)
        #expect(failures.note(now: 5 + Self.line * 2) == 2)
    }
}
