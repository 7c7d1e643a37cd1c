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
        let entered = script.receive(.event(there, 1, .enter(.make(.number(1), version: 2, cell: there), from: here)))
        #expect(entered.steps == ["~1"])
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2, to: there))).steps.isEmpty)
        #expect(script.core.view.instance(.number(1))?.cell == there)
    }

    @Test func move_toldByTheOldCellFirst_isOneStep() {
        var script = followingBoth(.make(.number(1)))
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2, to: there))).steps.isEmpty)
        #expect(script.core.view.instance(.number(1)) != nil)
        let entered = script.receive(.event(there, 1, .enter(.make(.number(1), version: 2, cell: there), from: here)))
        #expect(entered.steps == ["~1"])
        #expect(entered.violations.isEmpty)
    }

    @Test func move_outOfView_isDisappearing() {
        var script = Script.live()
        _ = script.receive(.snapshot(here, [.make(.number(1))]))
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2, to: there))).steps == ["-1"])
    }

    @Test func move_intoView_isAppearing() {
        var script = Script.live()
        _ = script.receive(.snapshot(there))
        let events = script.receive(.event(there, 1, .enter(.make(.number(1), version: 2, cell: there), from: here)))
        #expect(events.steps == ["+1"])
    }

    @Test func move_thereAndBack_endsWithTheHighestVersion() {
        var script = followingBoth(.make(.number(1)))
        let events = script.receive(
            .event(here, 1, .moveOut(.number(1), version: 2, to: there)),
            .event(here, 2, .enter(.make(.number(1), version: 3, cell: here), from: there)),
            .event(there, 1, .enter(.make(.number(1), version: 2, cell: there), from: here)),
            .event(there, 2, .moveOut(.number(1), version: 3, to: here)))
        #expect(events.steps == ["~1"])
        #expect(events.violations.isEmpty)
        #expect(script.core.view.instance(.number(1))?.version == 3)
    }

    @Test func removal_inTheNewCell_isNotUndoneByTheOldOne() {
        var script = followingBoth(.make(.number(1)))
        let events = script.receive(
            .event(there, 1, .enter(.make(.number(1), version: 2, cell: there), from: here)),
            .event(there, 2, .leave(.number(1))))
        #expect(events.steps == ["~1", "-1"])
        #expect(script.core.view.instance(.number(1)) == nil)
        #expect(script.receive(.event(here, 1, .moveOut(.number(1), version: 2, to: there))).steps.isEmpty)
    }

    @Test func traveller_whoseNewCellGoesOutOfView_disappears() {
        var script = followingBoth(.make(.number(1)))
        _ = script.receive(.event(here, 1, .moveOut(.number(1), version: 2, to: there)))
        #expect(script.receive(.unfollowed(there)).steps == ["-1"])
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
