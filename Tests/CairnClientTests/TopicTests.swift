import CairnClient
import CairnWire
import Testing

/// SES-7: what a server promises about one topic, and that breaking it is noticed.
@Suite struct TopicTests {
    private let topic = "487604c43"

    private func following(_ instances: WireInstance...) -> Script {
        var script = Script.live()
        _ = script.receive(.snapshot(topic, sequence: 5, instances))
        return script
    }

    @Test func events_inOrder_areAppliedWithoutAViolation() {
        var script = following(.make(.number(1)))
        let events = script.receive(
            .event(topic, 6, .enter(.make(.number(2)))), .event(topic, 7, .change(.number(1), version: 2)),
            .event(topic, 8, .change(.number(2), version: 2)), .event(topic, 9, .leave(.number(1))))
        #expect(events.violations.isEmpty)
        #expect(events.steps == ["+2", "~1", "~2", "-1"])
        #expect(script.core.view.topics[topic]?.cursor == TopicCursor(epoch: 1, sequence: 9))
        #expect(script.core.view.instance(.number(2))?.version == 2)
    }

    @Test func event_thatIsSkipped_isAGap() {
        var script = following()
        #expect(script.receive(.event(topic, 7, .enter(.make(.number(1))))).violations == [.gap])
    }

    @Test func event_thatComesAgain_isARepeat() {
        var script = following()
        _ = script.receive(.event(topic, 6, .enter(.make(.number(1)))))
        let events = script.receive(.event(topic, 6, .enter(.make(.number(1)))))
        #expect(events.violations == [.repeated])
        #expect(events.steps.isEmpty)
    }

    @Test func event_thatComesLate_isAReorder() {
        var script = following()
        let events = script.receive(
            .event(topic, 7, .enter(.make(.number(2)))), .event(topic, 6, .enter(.make(.number(1)))))
        #expect(events.violations == [.gap, .reordered])
    }

    @Test func event_beforeTheLastPage_isAViolation() {
        var script = Script.live()
        let events = script.receive(
            .snapshot(topic, last: false), .event(topic, 1, .enter(.make(.number(1)))))
        #expect(events.violations == [.eventBeforeSnapshot])
    }

    @Test func event_ofATopicNotInView_isAViolation() {
        var script = following()
        #expect(script.receive(.event("487604c45", 1, .leave(.number(1)))).violations == [.unknownTopic])
        // A right may end before the topic's first snapshot is sent.
        #expect(script.receive(.unfollowed("487604c45")).violations.isEmpty)
        #expect(script.receive(.resync("487604c45")).violations == [.unknownTopic])
    }

    @Test func change_ofAnInstanceThatIsNotThere_isAViolation() {
        var script = following()
        let events = script.receive(
            .event(topic, 6, .change(.number(1), version: 2)), .event(topic, 7, .leave(.number(1))),
            .event(topic, 8, .moveOut(.number(1), version: 2))
        )
        #expect(events.violations == [.unknownInstance, .unknownInstance, .unknownInstance])
    }

    @Test func instance_thatEntersTwice_isAViolation() {
        var script = following(.make(.number(1)))
        #expect(script.receive(.event(topic, 6, .enter(.make(.number(1))))).violations == [.enteredTwice])
    }

    @Test func version_thatDoesNotGrow_isAViolation() {
        var script = following(.make(.number(1), version: 4))
        #expect(script.receive(.event(topic, 6, .change(.number(1), version: 4))).violations == [.versionBack])
    }

    @Test func snapshot_inPages_isOneView() {
        var script = Script.live()
        let first = script.receive(.snapshot(topic, sequence: 9, last: false, [.make(.number(1))]))
        #expect(first.isEmpty)
        let last = script.receive(.snapshot(topic, sequence: 9, first: false, [.make(.number(2))]))
        #expect(Set(last.steps) == ["+1", "+2"])
        #expect(script.receive(.event(topic, 10, .leave(.number(1)))).violations.isEmpty)
    }

    @Test func snapshot_ofPagesThatDoNotBelongTogether_isAViolation() {
        var script = Script.live()
        #expect(script.receive(.snapshot(topic, first: false)).violations == [.brokenSnapshot])
        _ = script.receive(.snapshot(topic, sequence: 1, last: false))
        #expect(script.receive(.snapshot(topic, sequence: 2, first: false)).violations == [.brokenSnapshot])
        _ = script.receive(.snapshot(topic, sequence: 9))
        #expect(script.receive(.snapshot(topic, sequence: 8)).violations == [.brokenSnapshot])
    }

    @Test func resync_keepsTheViewUntilTheFreshSnapshot() {
        var script = following(.make(.number(1)), .make(.number(2)))
        #expect(script.receive(.resync(topic)).steps.isEmpty)
        #expect(script.receive(.event(topic, 9, .leave(.number(1)))).violations == [.eventBeforeSnapshot])
        let events = script.receive(.snapshot(topic, sequence: 12, [.make(.number(2)), .make(.number(3))]))
        #expect(Set(events.steps) == ["-1", "+3"])
        #expect(events.violations.isEmpty)
    }

    @Test func idThatIsNone_isAViolation() {
        var script = following()
        var instance = WireInstance.make(.number(1))
        instance.id = "nonsense"
        #expect(script.receive(.event(topic, 6, .enter(instance))).violations == [.badIdentifier])
    }

    @Test func cursors_nameCompleteTopicsOnly() {
        var script = following()
        _ = script.receive(.snapshot("487604c45", sequence: 3, last: false))
        #expect(script.core.view.cursors.map(\.topic) == [topic])
        #expect(script.core.view.cursors.map(\.sequence) == [5])
    }
}
