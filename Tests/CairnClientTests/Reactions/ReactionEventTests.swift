import CairnWire
import Testing

@testable import CairnClient

@Suite("Client: reactions")
struct ReactionEventTests {
    private static func react(_ id: InstanceID, _ count: UInt32) -> WireEvent.OneOf_Change {
        var total = WireReactionCount()
        total.reaction = "love"
        total.count = count
        return .made { event in
            event.reacted.instance = id.description
            event.reacted.reactions = [total]
        }
    }

    @Test func totals_replaceThoseOfBefore() {
        let topic = "487604c43"
        var script = Script.live()
        _ = script.receive(.snapshot(topic, [.make(.number(2))]))
        let events = script.receive(
            .event(topic, 1, Self.react(.number(2), 3)), .event(topic, 2, Self.react(.number(2), 4)))
        #expect(events.violations.isEmpty && events.steps == ["~2", "~2"])
        #expect(script.core.view.instance(.number(2))?.reactions.map(\.count) == [4])
    }

    @Test func totals_ofAnInstanceThatIsNotHere_areAViolation() {
        let topic = "487604c43"
        var script = Script.live()
        _ = script.receive(.snapshot(topic, [.make(.number(2))]))
        #expect(script.receive(.event(topic, 1, Self.react(.number(3), 1))).violations == [.unknownInstance])
    }
}
