import CairnCore
import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

/// The ends of sign-ins with a token of the app (ACC-12).
@Suite("App terms") struct AppTermsTests {
    @Test func connectionThatCloses_leavesNothing() {
        var terms = AppTerms()
        for connection in 1...10_000 as ClosedRange<UInt64> {
            terms.set(connection, until: 1_000_000)
            terms.remove(connection)
        }
        #expect(terms.count == 0 && terms.entryCount <= 64)
        #expect(terms.takeDue(now: 2_000_000).isEmpty)
    }

    @Test func connectionThatRefreshes_hasOneEnd() {
        var terms = AppTerms()
        for second in 1...10_000 as ClosedRange<Int64> { terms.set(7, until: WallTime(milliseconds: second * 1_000)) }
        for _ in 0..<10_000 { terms.set(7, until: 10_000_000) }
        #expect(terms.count == 1 && terms.entryCount <= 66)
        #expect(terms.takeDue(now: 9_999_999).isEmpty)
        #expect(terms.takeDue(now: 10_000_000) == [7])
        #expect(terms.takeDue(now: 10_000_000).isEmpty)
    }

    @Test func earlierEnd_counts() {
        var terms = AppTerms()
        terms.set(1, until: 2_000)
        terms.set(1, until: 1_000)
        #expect(terms.takeDue(now: 1_000) == [1])
        #expect(terms.takeDue(now: 3_000).isEmpty)
    }

    @Test func manyEndsAtOnce_areTakenInParts() {
        var terms = AppTerms()
        let count = 2 * AppTerms.stepsMax + 1
        for connection in 1...UInt64(count) { terms.set(connection, until: 1_000) }
        #expect((1...4).map { _ in terms.takeDue(now: 1_000).count } == [1_000, 1_000, 1, 0])
    }
}
