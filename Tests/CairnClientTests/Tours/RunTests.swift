import CairnWire
import Testing

@testable import CairnClient

@Suite("Client: runs of tours")
struct RunTests {
    private static let topic = "space:8j19dkjhda4gd/s8j19dkjhda4gd"

    private static func run(reached: UInt32) -> WireRun {
        var run = WireRun()
        (run.id, run.topic, run.reached, run.stops) = ("8j19dkjhda4gd", topic, reached, 2)
        return run
    }

    private static func item(_ run: WireRun) -> WireItem {
        var item = WireItem()
        item.run = run
        return item
    }

    private static func reached(_ count: UInt32) -> WireEvent.OneOf_Change {
        .made { $0.stopReached.run = run(reached: count) }
    }

    @Test func run_isKnown_andGoesOnWithItsEvents() {
        var script = Script.live()
        _ = script.receive(.snapshot(Self.topic, []), Self.item(Self.run(reached: 0)))
        #expect(script.core.run?.reached == 0)
        let events = script.receive(.event(Self.topic, 1, Self.reached(1)), .event(Self.topic, 2, Self.reached(2)))
        #expect(events.violations.isEmpty)
        #expect(script.core.run?.reached == 2)
    }

    @Test func run_isOver_whenItsTopicIsFollowedNoMore() {
        var script = Script.live()
        _ = script.receive(.snapshot(Self.topic, []), Self.item(Self.run(reached: 0)))
        var unfollowed = WireItem()
        unfollowed.unfollowed.topic = Self.topic
        let events = script.receive(unfollowed)
        #expect(script.core.run == nil)
        #expect(events.contains { if case .runEnded(let id) = $0 { id == "8j19dkjhda4gd" } else { false } })
    }
}
