import CairnCore
import CairnFeatures
import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

/// What a session is may go to another node, while it is taken over and while it waits for its client.
@Suite("Cut session")
struct CutSessionTests {
    private static let now: MonotonicTime = 3_600_000_000
    private static let later: MonotonicTime = 7_200_000_000

    @Test func cutSession_isTheSameOnAnotherNode() throws {
        var samples = NodeSamples(seed: 7)
        for _ in 0..<500 {
            let cut = samples.cut(before: Self.now)
            let come = try CutSession(encoded: cut.encoded(now: Self.now), register: Features.register, now: Self.now)
            #expect(spelledOut(come) == spelledOut(cut))
        }
    }

    @Test func cutSession_waitsNoLongerOnAnotherNode() throws {
        var samples = NodeSamples(seed: 8)
        let cut = samples.cut(before: Self.now)
        let come = try CutSession(encoded: cut.encoded(now: Self.now), register: Features.register, now: Self.later)
        #expect(Self.later - come.cutAt == Self.now - cut.cutAt)
    }

    @Test func viewThatGoesOnElsewhere_movesAsItWouldHaveHere() throws {
        let reach = ViewTracker.Reach(level: 16, radius: 120, hysteresis: 0.2, border: 10)
        var samples = NodeSamples(seed: 9)
        for _ in 0..<100 {
            let state = samples.state(before: Self.now)
            let come = try Session.State(
                encoded: state.encoded(now: Self.now), register: Features.register, now: Self.now)
            var (here, there) = (state.tracker, come.tracker)
            let next = samples.coordinate()
            let (one, other) = (here.move(to: next, reach: reach), there.move(to: next, reach: reach))
            #expect(one.entered == other.entered && one.heldBack == other.heldBack)
            #expect(Set(one.followed) == Set(other.followed) && Set(one.unfollowed) == Set(other.unfollowed))
        }
    }

    @Test func spelling_tellsValuesApart() {
        var samples = NodeSamples(seed: 10)
        let (one, other) = (samples.cut(before: Self.now), samples.cut(before: Self.now))
        #expect(spelledOut(one) != spelledOut(other))
        var moved = one
        moved.state.isPresent.toggle()
        #expect(spelledOut(one) != spelledOut(moved))
    }
}
