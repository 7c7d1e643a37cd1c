import CairnWire
import Testing

@Suite struct IdentifierTests {
    /// 2026-09-21 14:13:20 UTC.
    private let now: Int64 = 1_790_000_000_000

    @Test func textOrder_isNumericOrder() {
        var generator = SeededGenerator(seed: 5)
        var values: [UInt64] = [0, 1, 31, 32, 1 << 22, 1 << 62, .max - 1, .max]
        // All magnitudes, not only numbers near 2^64.
        for shift in 0..<64 { for _ in 0..<30 { values.append(generator.next() >> UInt64(shift)) } }
        let ids = values.map(InstanceID.init(rawValue:))
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }

    @Test func text_comesBack() {
        var generator = SeededGenerator(seed: 6)
        for value in [0, 1, .max] + (0..<1_000).map({ _ in generator.next() }) {
            let id = AccountID(rawValue: value)
            #expect(id.description.utf8.count == 13)
            #expect(AccountID(id.description) == id)
        }
        #expect(InstanceID(rawValue: 0).description == "0000000000000")
        #expect(InstanceID(rawValue: .max).description == "fzzzzzzzzzzzz")
    }

    @Test(arguments: [
        "", "0", "000000000000", "00000000000000", "g000000000000", "zzzzzzzzzzzzz", "000000000000i", "000000000000l",
        "000000000000o", "000000000000u", "000000000000A", "000000000000-", " 000000000000", "00000000000é",
        "000000000000\0",
    ])
    func textThatNoIdentifierHas_isNone(_ text: String) {
        #expect(SessionID(text) == nil)
    }

    @Test func identifiers_increase_whateverTheClockDoes() {
        var generator = SeededGenerator(seed: 7)
        var source = IdentifierSource()
        var previous = InstanceID(rawValue: 0)
        for step in 0..<50_000 {
            let jump: Int64 = step % 100 == 0 ? -3_600_000 : step % 77 == 0 ? 86_400_000 : Int64(step % 2)
            let id = source.next(InstanceTag.self, at: now + jump, using: &generator)
            #expect(id > previous)
            previous = id
        }
    }

    @Test func identifier_knowsWhenItWasMade() {
        var generator = SeededGenerator(seed: 8)
        var source = IdentifierSource()
        let id: SessionID = source.next(at: now, using: &generator)
        #expect(id.milliseconds == now)
        #expect(Int64(exactly: id.rawValue) != nil)
        #expect(source.last == id.rawValue)
    }

    @Test func source_goesOnAfterTheGreatestThatIsTaken() {
        var generator = SeededGenerator(seed: 9)
        let taken: UInt64 = 1 << 62 | 0b1_1111_1111_01
        var source = IdentifierSource(after: taken)
        #expect(source.next(InstanceTag.self, at: now, using: &generator).rawValue == 1 << 62 | 1 << 11)
    }

    @Test func identifier_endsWithItsNode() {
        var generator = SeededGenerator(seed: 11)
        for number in [0, 1, 512, 1_023] as [UInt16] {
            var source = IdentifierSource(node: NodeID(number))
            for step in 0..<100 {
                let id: InstanceID = source.next(at: now + Int64(step % 3), using: &generator)
                #expect(id.rawValue & 1_023 == UInt64(number))
            }
        }
    }

    /// Each makes 20 a millisecond for a second. With 22 random bits in place of the node's they would collide.
    @Test func identifiers_ofTwoNodesNeverMeet() {
        var generator = SeededGenerator(seed: 12)
        var seen: Set<UInt64> = []
        var sources = (0..<3).map { IdentifierSource(node: NodeID($0)) }
        for step in 0..<20_000 {
            for index in sources.indices {
                let id: InstanceID = sources[index].next(at: now + Int64(step / 20), using: &generator)
                #expect(seen.insert(id.rawValue).inserted)
            }
        }
    }

    /// 4,096 fit in one; the clock stands still.
    @Test func identifiers_beyondAMillisecondsSequence_areOfLaterOnes() {
        var generator = SeededGenerator(seed: 13)
        var source = IdentifierSource(node: NodeID(7))
        var last = InstanceID(rawValue: 0)
        for _ in 0..<20_000 {
            let id: InstanceID = source.next(at: now, using: &generator)
            #expect(id > last && id.rawValue & 1_023 == 7)
            last = id
        }
        #expect((now + 4...now + 5).contains(last.milliseconds))
    }

    /// Given out by the release before there were nodes, in this order; the last 22 bits are random.
    @Test func identifiers_ofBeforeThereWereNodes_keepTheirTextAndComeFirst() {
        let old = ["01cb1rzb4vq0w", "01cb1rzb7k09z", "01cb1rzb7zzzz"]
        let ids = old.compactMap { InstanceID($0) }
        #expect(ids.map(\.description) == old)
        #expect(ids == ids.sorted())
        var generator = SeededGenerator(seed: 14)
        var source = IdentifierSource(after: ids[2].rawValue)
        // Also while the clock still says when they were made.
        let next: InstanceID = source.next(at: ids[2].milliseconds, using: &generator)
        #expect(next > ids[2])
    }

    @Test func timesThatDoNotFit_areCut() {
        var generator = SeededGenerator(seed: 10)
        var early = IdentifierSource(), late = IdentifierSource()
        let first: InstanceID = early.next(at: .min, using: &generator)
        let last: InstanceID = late.next(at: .max, using: &generator)
        #expect(first.milliseconds == 1_735_689_600_000)
        #expect(last.rawValue <= UInt64(Int64.max))
        #expect(first < last)
    }
}
