import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// SES-7: numbered without gaps, resumable exactly, never read across epochs.
@Suite("TopicStream")
struct TopicStreamTests {
    private static func make(epoch: UInt64 = 9, recentMax: Int = 8) -> TopicStream {
        TopicStream(
            topic: Topic(Ground.here.cell), start: Cursor(epoch: epoch, sequence: 0),
            recentMax: recentMax)
    }

    private static func publication(_ number: UInt64, version: UInt32? = 1) -> Publication {
        guard let version else {
            let change = WireEvent.OneOf_Change.made { $0.left.instance = InstanceID.make(number).description }
            return Publication(audience: .everyone, change: change, object: .make(number), owner: nil, state: nil)
        }
        let change = WireEvent.OneOf_Change.made { event in
            event.changed.instance = InstanceID.make(number).description
            event.changed.version = version
        }
        let state = ObjectRecord.make(.make(number), version: version).wire
        return Publication(audience: .everyone, change: change, object: .make(number), owner: nil, state: state)
    }

    private static func filled(_ events: Int, recentMax: Int = 8) -> TopicStream {
        var stream = make(recentMax: recentMax)
        for number in 0..<events { _ = stream.publish(publication(UInt64(number))) }
        return stream
    }

    @Test func largeEvents_areKeptByTheirBytes() {
        var stream = Self.make(recentMax: 100)
        let start = stream.cursor
        var text = WireInstance()
        text.text = String(repeating: "x", count: 30 << 10)
        for number in 0..<100 as Range<UInt64> {
            let change = WireEvent.OneOf_Change.made { $0.entered.instance = text }
            let publication = Publication(
                audience: .everyone, change: change, object: .make(number), owner: nil, state: nil)
            _ = stream.publish(publication)
        }
        #expect(stream.events(after: start) == nil)
        // 100 KiB are three of them.
        #expect(stream.events(after: Cursor(epoch: start.epoch, sequence: stream.cursor.sequence - 3))?.count == 3)
        #expect(stream.events(after: Cursor(epoch: start.epoch, sequence: stream.cursor.sequence - 4)) == nil)
    }

    @Test func events_areNumberedFrom1WithoutAGap() {
        var stream = Self.make()
        let numbers = (0..<100).map { stream.publish(Self.publication($0)).event.sequence }
        #expect(numbers == Array(1...100))
        #expect(stream.cursor == Cursor(epoch: 9, sequence: 100))
    }

    @Test func event_namesItsTopic() {
        var stream = Self.make()
        #expect(stream.publish(Self.publication(1)).event.topic == Ground.here.cell.token)
    }

    @Test(arguments: 0...8)
    func resuming_givesExactlyWhatWasMissed(missed: UInt64) throws {
        let stream = Self.filled(20)
        let events = try #require(stream.events(after: Cursor(epoch: 9, sequence: 20 - missed)))
        #expect(events.map(\.event.sequence) == Array((20 - missed + 1)..<21))
    }

    @Test func resuming_beyondTheRing_isRefused() {
        #expect(Self.filled(20).events(after: Cursor(epoch: 9, sequence: 11)) == nil)
    }

    @Test func resuming_fromTheFuture_isRefused() {
        #expect(Self.filled(20).events(after: Cursor(epoch: 9, sequence: 21)) == nil)
    }

    @Test func resuming_atTheEnd_givesNothingRatherThanASnapshot() {
        #expect(Self.filled(3).events(after: Cursor(epoch: 9, sequence: 3))?.isEmpty == true)
    }

    @Test func resuming_fromBeforeTheFirstEvent_givesAll() {
        #expect(Self.filled(3).events(after: Cursor(epoch: 9, sequence: 0))?.count == 3)
    }

    @Test(arguments: [UInt64(0), 3, 5, 8])
    func resuming_withAnotherEpoch_isRefusedWhateverTheNumber(sequence: UInt64) {
        #expect(Self.filled(5).events(after: Cursor(epoch: 8, sequence: sequence)) == nil)
    }

    @Test func emptyRing_servesAFollowerThatMissedNothing() {
        let stream = Self.filled(5, recentMax: 0)
        #expect(stream.events(after: Cursor(epoch: 9, sequence: 5))?.isEmpty == true)
        #expect(stream.events(after: Cursor(epoch: 9, sequence: 4)) == nil)
    }

    @Test func snapshotOfNothing_isOnePageThatIsFirstAndLast() {
        let pages = Self.make().snapshot(pageSize: 10)
        #expect(pages.count == 1)
        #expect(pages[0].snapshot.first && pages[0].snapshot.last)
        #expect(pages[0].snapshot.instances.isEmpty)
    }

    @Test func snapshotPages_shareOneCursorAndAreMarkedFirstAndLast() {
        let pages = Self.filled(25, recentMax: 4).snapshot(pageSize: 10).map(\.snapshot)
        #expect(pages.map(\.instances.count) == [10, 10, 5])
        #expect(Set(pages.map(\.cursor)).count == 1)
        #expect(pages[0].cursor.sequence == 25)
        #expect(pages.map(\.first) == [true, false, false])
        #expect(pages.map(\.last) == [false, false, true])
    }

    @Test func snapshotOfWholePages_hasNoEmptyPageAtItsEnd() {
        #expect(Self.filled(20).snapshot(pageSize: 10).count == 2)
    }

    @Test func snapshot_holdsEachInstanceOnceInItsLastState() {
        var stream = Self.make()
        for version in 1...3 { _ = stream.publish(Self.publication(1, version: UInt32(version))) }
        _ = stream.publish(Self.publication(2))
        _ = stream.publish(Self.publication(2, version: nil))
        let instances = stream.snapshot(pageSize: 10)[0].snapshot.instances
        #expect(instances.map(\.version) == [3])
        #expect(stream.instanceCount == 1)
    }

    @Test func restoring_putsInstancesThereWithoutAnEvent() {
        var stream = Self.make()
        stream.restore(ObjectRecord.make().wire, id: .make())
        #expect(stream.cursor.sequence == 0)
        #expect(stream.snapshot(pageSize: 10)[0].snapshot.instances.count == 1)
    }

    /// A snapshot and the events after it lead to the same state as all events from the start.
    @Test(arguments: 0..<20)
    func snapshotPlusLaterEvents_isTheWholeState(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var stream = Self.make(recentMax: 500)
        var joined: (cursor: Cursor, state: [String: UInt32])?
        for turn in 1...200 {
            let number = UInt64.random(in: 1...10, using: &random)
            let version = Int.random(in: 0..<4, using: &random) == 0 ? nil : UInt32(turn)
            _ = stream.publish(Self.publication(number, version: version))
            if turn == Int(seed) * 7 + 20 { joined = (stream.cursor, Self.state(stream)) }
        }
        let start = try #require(joined)
        var state = start.state
        for item in try #require(stream.events(after: start.cursor)) {
            switch item.event.change {
            case .changed(let changed): state[changed.instance] = changed.version
            case .left(let left): state[left.instance] = nil
            default: Issue.record("an event that was not published")
            }
        }
        #expect(state == Self.state(stream))
    }

    private static func state(_ stream: TopicStream) -> [String: UInt32] {
        let all = stream.snapshot(pageSize: 3).flatMap(\.snapshot.instances)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.version) })
    }
}
