import Testing

@testable import CairnWebSocket

/// SES-8: bounded in bytes, thinned before it is dropped, in order.
@Suite("Outbox")
struct OutboxTests {
    private var outbox = Outbox()

    private static func item(_ number: UInt8, bytes: Int = 10) -> [UInt8] { Array(repeating: number, count: bytes) }

    private mutating func taken(_ limit: Int = .max) -> [UInt8] {
        var numbers: [UInt8] = []
        outbox.take(limit: limit) { numbers = $0.map { $0.bytes[0] } }
        return numbers
    }

    @Test mutating func items_leaveInOrderWhateverTheirLane() {
        outbox.append(Self.item(1), lane: .direct)
        outbox.append(Self.item(2), lane: .events(.make()))
        outbox.append(Self.item(3), lane: .volatile(.make(9)))
        outbox.append(Self.item(4), lane: .direct)
        #expect(taken() == [1, 2, 3, 4])
        #expect(outbox.isEmpty && outbox.bytes == 0)
    }

    @Test mutating func bytes_areThoseOfAllItems() {
        outbox.append(Self.item(1, bytes: 7), lane: .direct)
        outbox.append(Self.item(2, bytes: 5), lane: .volatile(.make(9)))
        outbox.append(Self.item(3, bytes: 3), lane: .catchUp(.make()))
        outbox.append(Self.item(4, bytes: 2), lane: .events(.make()))
        #expect(outbox.bytes == 17)
        #expect(outbox.directBytes == 7 && outbox.volatileBytes == 5)
        #expect(outbox.catchUpBytes == 3 && outbox.eventBytes == 2)
    }

    @Test mutating func taking_stopsAtTheLimit() {
        for number in 1...5 { outbox.append(Self.item(UInt8(number)), lane: .direct) }
        #expect(taken(25) == [1, 2])
        #expect(outbox.bytes == 30)
        #expect(taken(30) == [3, 4, 5])
    }

    @Test mutating func itemBeyondTheLimit_leavesAlone() {
        outbox.append(Self.item(1, bytes: 100), lane: .direct)
        outbox.append(Self.item(2), lane: .direct)
        #expect(taken(25) == [1])
        #expect(taken(25) == [2])
    }

    @Test mutating func droppingEvents_dropsThoseOfAllTopicsAndNothingElse() {
        outbox.append(Self.item(1), lane: .direct)
        outbox.append(Self.item(2), lane: .events(.make(1)))
        outbox.append(Self.item(3), lane: .events(.make(2)))
        outbox.append(Self.item(4), lane: .direct)
        let dropped = outbox.dropEvents()
        #expect(dropped.topics == [.make(1), .make(2)] && dropped.count == 2)
        #expect(outbox.bytes == 20)
        #expect(taken() == [1, 4])
    }

    @Test mutating func droppingEventsOfNone_namesNoTopic() {
        outbox.append(Self.item(1), lane: .direct)
        let dropped = outbox.dropEvents()
        #expect(dropped.topics.isEmpty && dropped.count == 0)
    }

    @Test mutating func droppingVolatile_dropsNothingElse() {
        outbox.append(Self.item(1), lane: .events(.make()))
        outbox.append(Self.item(2), lane: .volatile(.make(9)))
        outbox.append(Self.item(3), lane: .volatile(.make(9)))
        let dropped = outbox.dropVolatile()
        #expect(dropped.topics == [.make(9)] && dropped.count == 2)
        #expect(outbox.bytes == 10)
        #expect(taken() == [1])
    }

    @Test mutating func droppingTopics_dropsTheirsOfAllLanesAtOnce_andNamesThoseThatLostSome() {
        outbox.append(Self.item(1), lane: .direct)
        outbox.append(Self.item(2), lane: .events(.make(1)))
        outbox.append(Self.item(3), lane: .catchUp(.make(2)))
        outbox.append(Self.item(4), lane: .volatile(.make(2)))
        outbox.append(Self.item(5), lane: .events(.make(3)))
        let dropped = outbox.dropAll(of: [.make(1), .make(2), .make(9)])
        #expect(dropped.topics == [.make(1), .make(2)] && dropped.count == 3)
        #expect(outbox.bytes == 20)
        #expect(taken() == [1, 5])
    }

    @Test func randomUse_keepsCountOfItsBytes() {
        var random = SystemRandomNumberGenerator()
        var outbox = Outbox()
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: outbox.take(limit: .random(in: 0...200, using: &random)) { _ in }
            case 1: _ = outbox.dropEvents()
            case 2: _ = outbox.dropVolatile()
            case 3, 4: outbox.append(Self.item(1, bytes: .random(in: 0...50, using: &random)), lane: .direct)
            case 5: outbox.append(Self.item(2, bytes: .random(in: 0...50, using: &random)), lane: .volatile(.make(9)))
            default: outbox.append(Self.item(3), lane: .events(.make(.random(in: 0...3, using: &random))))
            }
            #expect(outbox.bytes == outbox.entries.reduce(0) { $0 + $1.bytes.count })
            #expect(outbox.isEmpty == outbox.entries.isEmpty)
        }
    }
}

extension FanOut {
    fileprivate static func make(_ number: UInt64 = 1) -> FanOut { FanOut(.make(number)) }
}
