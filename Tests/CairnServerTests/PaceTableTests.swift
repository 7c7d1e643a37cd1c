import CairnCore
import CairnWebSocket
import Testing

@testable import CairnServer

/// How fast somebody sends, known beyond their connections (SES-12).
@Suite("PaceTable") struct PaceTableTests {
    private static let second: UInt64 = 1_000_000

    private static func makePace(messages: Int = 10, now: UInt64 = 0) -> MessagePace {
        MessagePace(
            messagesPerSecond: messages, messagesBurst: messages, bytesPerSecond: 65_536, bytesBurst: 65_536, now: now)
    }

    private static func makePace(afterTaking count: Int) -> MessagePace {
        var pace = makePace()
        for _ in 0..<count { _ = pace.take(bytes: 10, now: 0) }
        return pace
    }

    @Test func paceThatIsUsedUp_isUsedUpForTheNextConnection() throws {
        let table = PaceTable<Int>(countMax: 10)
        table.note(Self.makePace(afterTaking: 10), of: 1, now: 0)
        var next = try #require(table.pace(of: 1, now: 0))
        #expect(next.take(bytes: 10, now: 0) == .refused(wait: 100_000))
    }

    @Test func ofTwoConnections_thePoorerCounts() throws {
        let table = PaceTable<Int>(countMax: 10)
        table.note(Self.makePace(afterTaking: 10), of: 1, now: 0)
        table.note(Self.makePace(afterTaking: 3), of: 1, now: 0)
        var next = try #require(table.pace(of: 1, now: 0))
        #expect(next.take(bytes: 10, now: 0) == .refused(wait: 100_000))
    }

    @Test func paceThatHasRecovered_isForgotten() {
        let table = PaceTable<Int>(countMax: 10)
        table.note(Self.makePace(afterTaking: 10), of: 1, now: 0)
        #expect(table.pace(of: 1, now: 60 * Self.second) == nil)
    }

    @Test func keysBeyondTheBound_makeRoomForThemselves() {
        let table = PaceTable<Int>(countMax: 4)
        for key in 0..<5 { table.note(Self.makePace(afterTaking: 10), of: key, now: 0) }
        #expect((0..<5).filter { table.pace(of: $0, now: 0) != nil } == [4])
    }

    @Test func keysWithNothingUsedUp_goFirst() {
        let table = PaceTable<Int>(countMax: 4)
        for key in 0..<3 { table.note(Self.makePace(afterTaking: 1), of: key, now: 0) }
        let later = 60 * Self.second
        var busy = Self.makePace(now: later)
        _ = busy.take(bytes: 10, now: later)
        for key in 3..<5 { table.note(busy, of: key, now: later) }
        #expect((0..<5).filter { table.pace(of: $0, now: later) != nil } == [3, 4])
    }

    @Test func strangersOfOneAddress_shareOnePace() {
        let paces = Paces()
        let (here, there) = (PeerAddress(high: 0, low: 0xFFFF_0A00_0001), PeerAddress(high: 0, low: 0xFFFF_0A00_0002))
        func take(_ address: PeerAddress?) -> MessagePace.Verdict {
            paces.takeOfStranger(bytes: 100, at: address, handshakesPerSecond: 5, now: 0)
        }
        for _ in 0..<20 { #expect(take(here) == .taken) }
        #expect(take(here) == .refused(wait: 50_000))
        #expect(take(there) == .taken && take(nil) == .taken)
    }

    @Test func whereConnectionsHaveNoLimit_strangersHaveNone() {
        let paces = Paces()
        let here = PeerAddress(high: 0, low: 0xFFFF_0A00_0001)
        let verdicts = (0..<1_000).map { _ in
            paces.takeOfStranger(bytes: 60_000, at: here, handshakesPerSecond: 0, now: 0)
        }
        #expect(verdicts.allSatisfy { $0 == .taken })
    }
}
