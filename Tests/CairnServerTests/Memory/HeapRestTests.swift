import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

/// Free pages go back once, when a storm is over.
@Suite("Heap at rest") struct HeapRestTests {
    private var worked: Duration = .zero
    private var now: MonotonicTime = 0
    private var rest = HeapRest(memory(megabytes: 50), now: 0)

    private static func memory(megabytes: Int, worked: Duration = .zero) -> ProcessMemory {
        ProcessMemory(ownBytes: megabytes << 20, worked: worked)
    }

    /// Looks after a second in which the process has worked for a share of the time.
    private mutating func look(_ megabytes: Int, share: Double = 0.01) -> Bool {
        now += .seconds(1)
        worked += .seconds(1) * share
        return rest.look(Self.memory(megabytes: megabytes, worked: worked), now: now)
    }

    @Test mutating func processThatHasNotGrown_givesNothingBack() {
        for _ in 0..<60 { #expect(!look(50)) }
    }

    @Test mutating func processThatHasGrown_givesBackOnce_fourSecondsLater() {
        for megabytes in 51...80 { #expect(!look(megabytes)) }
        for _ in 0..<3 { #expect(!look(80)) }
        #expect(look(80))
        rest.rested(Self.memory(megabytes: 70))
        for _ in 0..<60 { #expect(!look(70)) }
        for _ in 0..<4 { #expect(!look(75)) }
        #expect(look(75), "it has grown again")
    }

    @Test mutating func processThatWorks_isLeftAlone() {
        for _ in 0..<60 { #expect(!look(80, share: 0.2)) }
        for _ in 0..<3 { #expect(!look(80)) }
        #expect(look(80))
    }

    @Test mutating func processThatBecomesSmallByItself_growsFromThere() {
        for _ in 0..<10 { #expect(!look(40)) }
        for _ in 0..<4 { #expect(!look(45)) }
        #expect(look(45))
    }
}
