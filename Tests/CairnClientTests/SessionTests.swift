import CairnClient
import CairnTime
import CairnWire
import Testing

/// SES-2, SES-11, PLC-8, SYN-2: greeting, requests, cuts and coming back.
@Suite struct SessionTests {
    @Test func hello_isTheFirstMessage_andNothingElseGoesBeforeTheWelcome() throws {
        var script = Script.make(
            profile: ClientProfile(name: "ada", frontEnd: "bot", sharesPosition: true, shareAccuracyMetres: 0))
        _ = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        script.core.move(to: WirePosition())
        #expect(script.takeSent().isEmpty)
        script.core.connectionOpened(now: .epoch)
        let sent = script.takeSent()
        #expect(sent.count == 1)
        #expect(sent.first?.hello.name == "ada" && sent.first?.hello.version == 1)
        #expect(sent.first?.hello.sharePosition == true && sent.first?.hello.shareAccuracy == 0)
    }

    @Test func welcome_isFollowedByThePosition_thenByWhatWaits() throws {
        var script = Script.make()
        _ = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        var position = WirePosition()
        position.lat = 51.5
        script.core.move(to: position)
        _ = script.open()
        let sent = script.takeSent()
        #expect(sent.map { $0.position.lat } == [51.5, 0])
        #expect(sent.last?.place.object == "preset:heart")
        #expect(sent.first?.id == 0)
    }

    /// A device that stands has no direction, and one without a fix no accuracy.
    @Test func whatADeviceDoesNotKnow_isLeftOutOfItsPosition() throws {
        var script = Script.live()
        var position = WirePosition()
        (position.lat, position.accuracy, position.heading, position.speed) = (51.5, .nan, .nan, .nan)
        script.core.move(to: position)
        _ = try script.core.locate(at: position, now: .epoch)
        position.heading = 90
        script.core.move(to: position)
        let sent = script.takeSent().map(\.position)
        #expect(sent.map(\.lat) == [51.5, 51.5, 51.5])
        #expect(sent.map(\.hasHeading) == [false, false, true])
        #expect(sent.allSatisfy { !$0.hasAccuracy && !$0.hasSpeed })
    }

    @Test func reply_settlesTheRequestItNames() throws {
        var script = Script.live()
        let first = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        let second = try script.core.react(to: .make(.number(1)), with: "love", now: .epoch)
        let sent = script.takeSent()
        #expect(Set(sent.map(\.id)).count == 2 && Set(sent.map(\.key)).count == 2)
        #expect(sent.allSatisfy { !$0.key.isEmpty && $0.key.utf8.count <= 64 })
        let events = script.receive(
            .reply(id: sent[1].id, .done(WireDone())), .reply(id: sent[0].id, .done(WireDone())))
        #expect(events.answers == [second, first])
        #expect(script.core.unansweredCount == 0)
        #expect(script.receive(.reply(id: sent[0].id, .done(WireDone()))).violations == [.unknownRequest])
    }

    @Test(arguments: WireFormat.allCases)
    func notice_isToldAsItWasWritten(format: WireFormat) {
        var script = Script.live(format: format)
        var item = WireItem()
        item.notice.text = "The fair closes at six ✓"
        item.notice.sent = 42
        guard case .notice(let notice)? = script.receive(item).first else {
            Issue.record("no notice")
            return
        }
        #expect(notice == item.notice)
    }

    @Test func refusal_endsTheRequest() throws {
        var script = Script.live()
        let ticket = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        let id = script.takeSent()[0].id
        let events = script.receive(.refusal(id: id, .quotaArea))
        guard case .answered(ticket, .refusal(let refusal))? = events.first else {
            Issue.record("no refusal in \(events)")
            return
        }
        #expect(refusal.code == .quotaArea)
    }

    @Test(arguments: [Refusal.Code.tryAgain, .rateLimited, .storageUnavailable, .overloaded])
    func refusal_thatIsPassing_isRetriedWithTheSameKeyAfterTheHint(code: Refusal.Code) throws {
        var script = Script.live()
        _ = try script.core.place("preset:heart", pose: .make(), now: script.now)
        let first = script.takeSent()[0]
        #expect(script.receive(.refusal(id: first.id, code, retryAfter: .milliseconds(100))).isEmpty)
        let wake = try #require(script.core.nextWake)
        #expect(wake >= script.now + .milliseconds(100) && wake <= script.now + .milliseconds(150))
        _ = script.core.wake(now: wake - .microseconds(1))
        #expect(script.takeSent().isEmpty)
        _ = script.core.wake(now: wake)
        let second = script.takeSent()[0]
        #expect(second.key == first.key && second.id != first.id && second.place == first.place)
        #expect(script.core.nextWake == nil)
    }

    @Test func refusal_withoutARequest_isTold() {
        var script = Script.live()
        let events = script.receive(.refusal(id: 0, .badPosition))
        guard case .refused(let refusal)? = events.first else {
            Issue.record("nothing told")
            return
        }
        #expect(refusal.code == .badPosition)
    }

    @Test func requests_beyondTheBound_areRefusedHere() throws {
        var limits = ClientLimits()
        limits.requestsMax = 2
        var script = Script.live(limits: limits)
        _ = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        _ = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        #expect(throws: Refusal.self) { try script.core.place("preset:heart", pose: .make(), now: .epoch) }
    }

    @Test func cut_sendsWhatIsUnansweredAgain_inOrderAndWithTheSameKeys() throws {
        var script = Script.live()
        for _ in 0..<5 { _ = try script.core.place("preset:heart", pose: .make(), now: .epoch) }
        let sent = script.takeSent()
        _ = script.receive(.reply(id: sent[2].id, .done(WireDone())))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        _ = try script.core.place("preset:late", pose: .make(), now: .epoch)
        _ = script.open(.make(session: "session-2"))
        let again = script.takeSent()
        #expect(again.map(\.key).prefix(4) == [sent[0].key, sent[1].key, sent[3].key, sent[4].key])
        #expect(again.last?.place.object == "preset:late")
    }

    @Test func hello_afterACut_namesSessionTokenAndCursors() {
        var script = Script.live()
        _ = script.receive(.snapshot("487604c43", epoch: 9, sequence: 4, [.make(.number(1))]))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        script.core.connectionOpened(now: script.now)
        let hello = script.takeSent()[0].hello
        #expect(hello.session == "session-1" && hello.token == "token-1")
        #expect(hello.cursors.map(\.epoch) == [9] && hello.cursors.map(\.sequence) == [4])
    }

    @Test func resumedTopic_goesOnFromItsCursor_withTheViewKept() {
        var script = Script.live()
        _ = script.receive(.snapshot("487604c43", sequence: 4, [.make(.number(1))]))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        #expect(script.core.view.instance(.number(1)) != nil)
        _ = script.open(.make(resumed: true))
        #expect(script.core.view.unconfirmedTopics == ["487604c43"])
        let events = script.receive(
            .continued("487604c43", sequence: 4), .event("487604c43", 5, .enter(.make(.number(2)))))
        #expect(events.violations.isEmpty && events.steps == ["+2"])
        #expect(script.core.view.unconfirmedTopics.isEmpty)
    }

    @Test func topicContinuedFromSomewhereElse_isAGap() {
        var script = Script.live()
        _ = script.receive(.snapshot("487604c43", sequence: 4))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        _ = script.open()
        #expect(script.receive(.continued("487604c43", sequence: 3)).violations == [.gap])
        #expect(script.receive(.continued("487604c45", sequence: 3)).violations == [.gap])
    }

    @Test func topicWithEventsButNotContinued_isAViolation() {
        var script = Script.live()
        _ = script.receive(.snapshot("487604c43", sequence: 4))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        _ = script.open()
        let events = script.receive(.event("487604c43", 5, .enter(.make(.number(2)))))
        #expect(events.violations == [.eventBeforeSnapshot])
    }

    @Test func topicThatTheNewConnectionDoesNotContinue_goesAfterAWhile() throws {
        var script = Script.live()
        _ = script.receive(.snapshot("487604c43", [.make(.number(1))]), .snapshot("487604c45"))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        _ = script.open()
        _ = script.receive(.continued("487604c45", sequence: 0))
        let wake = try #require(script.core.nextWake)
        #expect(script.core.wake(now: wake - .microseconds(1)).isEmpty)
        #expect(script.core.wake(now: wake).steps == ["-1"])
        #expect(script.core.view.topics.keys.sorted() == ["487604c45"])
        #expect(script.core.nextWake == nil)
    }

    @Test func snapshotAfterACut_showsOnlyTheDifference() {
        var script = Script.live()
        _ = script.receive(.snapshot("487604c43", sequence: 4, [.make(.number(1)), .make(.number(2))]))
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        _ = script.open()
        let events = script.receive(.snapshot("487604c43", epoch: 2, [.make(.number(2)), .make(.number(3))]))
        #expect(Set(events.steps) == ["-1", "+3"] && events.violations.isEmpty)
    }

    @Test func view_beforeTheWelcome_isOutOfPlace() {
        var script = Script.make()
        script.core.connectionOpened(now: .epoch)
        #expect(script.receive(.snapshot("487604c43")).violations == [.outOfPlace])
    }

    @Test func json_isSpokenLikeProto() throws {
        var script = Script.live(format: .json)
        _ = script.receive(.snapshot("487604c43", [.make(.number(1))]))
        let events = script.receive(.event("487604c43", 1, .enter(.make(.number(2)))))
        #expect(events.steps == ["+2"])
        _ = try script.core.place("preset:heart", pose: .make(), now: .epoch)
        let payload = try #require(script.takeEnvelopes().first?.payload)
        var body = WireClientMessage().place
        body = try WireBody.decode(from: payload)
        #expect(body.object == "preset:heart")
    }

    @Test(arguments: [WireFormat.proto, .json])
    func rubbish_isAViolationAndNoTrap(format: WireFormat) {
        var script = Script.live(format: format)
        var random = SeededGenerator(seed: 3)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = bytes.withUnsafeBytes { script.core.receive($0, now: .epoch) }
        }
        let events = [UInt8]([0x0A, 0x7F]).withUnsafeBytes { script.core.receive($0, now: .epoch) }
        #expect(events.violations == [.unreadable])
    }
}

extension [ClientEvent] {
    var answers: [RequestTicket] {
        compactMap { if case .answered(let ticket, _) = $0 { ticket } else { nil } }
    }
}
