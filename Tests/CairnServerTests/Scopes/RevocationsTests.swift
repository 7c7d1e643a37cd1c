import CairnCore
import CairnTesting
import CairnTime
import CairnWire
import Synchronization
import Testing

@testable import CairnServer

/// A revocation is done when every loop has said so, and not before.
@Suite("Revocations")
struct RevocationsTests {
    private static func begun(answerers: Int) -> (Revocations, UInt64) {
        var revocations = Revocations()
        let number = revocations.begin(answerers: Set((0..<answerers).map(place)), now: 100) {}
        return (revocations, number)
    }

    private static func place(_ loop: Int) -> Place { Place(node: .only, loop: loop) }

    @Test func lastAnswer_endsTheBarrier() {
        var (revocations, number) = Self.begun(answerers: 3)
        #expect(revocations.answered(number, by: Self.place(0)) == nil)
        #expect(revocations.answered(number, by: Self.place(2)) == nil)
        #expect(revocations.answered(number, by: Self.place(1)) != nil)
        #expect(revocations.count == 0)
    }

    @Test func answerOfOneLoopTwice_countsOnce() {
        var (revocations, number) = Self.begun(answerers: 2)
        #expect(revocations.answered(number, by: Self.place(0)) == nil)
        #expect(revocations.answered(number, by: Self.place(0)) == nil)
        #expect(revocations.count == 1)
    }

    @Test func barrierThatWaitsTooLong_isNamedOnceWithTheLoopsThatAreMissing() {
        var (revocations, number) = Self.begun(answerers: 3)
        _ = revocations.answered(number, by: Self.place(1))
        #expect(revocations.takeLate(now: 100 + Revocations.patience).isEmpty)
        #expect(revocations.takeLate(now: 101 + Revocations.patience) == [[Self.place(0), Self.place(2)]])
        #expect(revocations.takeLate(now: 200 + Revocations.patience * 2).isEmpty)
    }

    @Test func lateBarrier_stillHoldsUntilAllHaveAnswered() {
        var (revocations, number) = Self.begun(answerers: 2)
        _ = revocations.takeLate(now: .distantFuture)
        #expect(revocations.answered(number, by: Self.place(0)) == nil)
        #expect(revocations.answered(number, by: Self.place(1)) != nil)
    }
}
