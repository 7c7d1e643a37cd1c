import CairnClient
import CairnGeo
import CairnWire
import Testing

/// VIS-1, SES-6, PLC-10: topics merged into one view.
@Suite struct LiveViewTests {
    private let here = "487604c43"
    private let there = "487604c45"

    private func followingBoth(_ instances: WireInstance...) -> Script {
        var script = Script.live()
        _ = script.receive(.snapshot(here, instances), .snapshot(there))
        return script
    }

    @Test func move_toldByTheNewCellFirst_isOneStep() {
        var script = followingBoth(.make(.number(1)))
        let entered = script.receive(.event(there, 1, .enter(.make(.number(1), version: 2, cell: there))))
        #expect(entered.steps == ["~1"])
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2))).steps.isEmpty)
        #expect(script.core.view.instance(.number(1))?.cell == there)
    }

    /// What the new cell told was dropped; its snapshot comes after the old cell's event.
    @Test func move_toldByTheOldCellWhileTheNewOneIsToldAnew_isOneStep() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(.resync(there))
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2))).steps.isEmpty)
        #expect(script.core.view.instance(.number(1)) != nil)
        let told = script.receive(.snapshot(there, sequence: 7, [.make(.number(1), version: 2, cell: there)]))
        #expect(told.steps == ["~1"])
        #expect(told.violations.isEmpty)
    }

    @Test func thingThatIsNotInTheSnapshotAwaited_disappearsWithIt() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(.resync(there), .event(here, 1, .moveOut(.number(1), version: 2)))
        #expect(script.receive(.snapshot(there, sequence: 7)).steps == ["-1"])
        #expect(script.core.view.instance(.number(1)) == nil)
    }

    @Test func move_toldByTheOldCellFirst_isDisappearingAndAppearing() {
        var script = followingBoth(.make(.number(1)))
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2))).steps == ["-1"])
        let entered = script.receive(.event(there, 1, .enter(.make(.number(1), version: 2, cell: there))))
        #expect(entered.steps == ["+1"])
        #expect(entered.violations.isEmpty)
    }

    @Test func move_outOfView_isDisappearing() {
        var script = Script.live()
        _ = script.receive(.snapshot(here, [.make(.number(1))]))
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2))).steps == ["-1"])
    }

    @Test func move_intoView_isAppearing() {
        var script = Script.live()
        _ = script.receive(.snapshot(there))
        let events = script.receive(.event(there, 1, .enter(.make(.number(1), version: 2, cell: there))))
        #expect(events.steps == ["+1"])
    }

    @Test func move_thereAndBack_endsWithTheHighestVersion() {
        var script = followingBoth(.make(.number(1)))
        let events = script.receive(
            .event(there, 1, .enter(.make(.number(1), version: 2, cell: there))),
            .event(here, 1, .moveOut(.number(1), version: 2)),
            .event(here, 2, .enter(.make(.number(1), version: 3, cell: here))),
            .event(there, 2, .moveOut(.number(1), version: 3)))
        #expect(events.steps == ["~1", "~1"])
        #expect(events.violations.isEmpty)
        #expect(script.core.view.instance(.number(1))?.version == 3)
    }

    @Test func removal_inTheNewCell_isNotUndoneByTheOldOne() {
        var script = followingBoth(.make(.number(1)))
        let events = script.receive(
            .event(there, 1, .enter(.make(.number(1), version: 2, cell: there))),
            .event(there, 2, .leave(.number(1))))
        #expect(events.steps == ["~1", "-1"])
        #expect(script.core.view.instance(.number(1)) == nil)
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2))).steps.isEmpty)
    }

    @Test func traveller_whoseNewCellGoesOutOfView_disappears() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(.resync(there), .event(here, 1, .moveOut(.number(1), version: 2)))
        #expect(script.receive(.unfollowed(there)).steps == ["-1"])
    }

    @Test func ownThing_ofAnotherDevice_isAddedToThoseOfTheSnapshot() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(
            .own(here, .number(1)), .own(here, .number(2)), .event(here, 1, .enter(.make(.number(2), cell: here))))
        #expect(script.core.view.topics[here]?.own == [.number(1), .number(2)])
        _ = script.receive(.event(here, 2, .leave(.number(1))))
        #expect(script.core.view.topics[here]?.own == [.number(2)])
    }

    @Test func ownThings_beginAnewWithASnapshot() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(.own(here, .number(1)), .snapshot(here, sequence: 4, [.make(.number(1))]))
        #expect(script.core.view.topics[here]?.own == [])
    }

    @Test func whatOnlyItsOwnerSees_comesWithTheOwnThings() {
        var script = followingBoth(.make(.number(1)))
        var item = WireItem.own(here)
        item.own.hidden = [.make(.number(5), cell: here)]
        #expect(script.receive(item).steps == ["+5"])
        #expect(script.core.view.topics[here]?.own == [.number(5)])
        #expect(script.receive(.snapshot(here, sequence: 4, [.make(.number(1))])).steps == ["-5"])
    }

    @Test func unfollowing_takesAwayWhatOnlyThatTopicHeld() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(.event(there, 1, .enter(.make(.number(2), cell: there))))
        #expect(script.receive(.unfollowed(here)).steps == ["-1"])
        #expect(script.core.view.instances.map(\.id) == [InstanceID.number(2).description])
    }

    @Test func view_trimmedToARadius_leavesOutWhatIsFurther() throws {
        var script = Script.live()
        _ = script.receive(
            .snapshot(here, [.make(.number(1), latitude: 51.5007), .make(.number(2), latitude: 51.5027)]))
        let centre = try #require(Coordinate(latitude: 51.5007, longitude: -0.1246))
        #expect(
            script.core.view.instances(withinMetres: 100, of: centre).map(\.id) == [InstanceID.number(1).description])
        #expect(script.core.view.instances(withinMetres: 300, of: centre).count == 2)
    }
}
