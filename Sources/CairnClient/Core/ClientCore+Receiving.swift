internal import CairnGeo
public import CairnTime
public import CairnWire

extension ClientCore {
    /// Receives one WebSocket message.
    ///
    /// - Parameters:
    ///   - bytes: of the message; not kept.
    ///   - onPresence: gets every presence batch, in place, before it is applied to a roster.
    ///   - onItem: gets every other item, before it is applied.
    /// - Returns: its events. Empty, and without an allocation, for a message of presence alone in
    ///   `PresenceMode.raw`.
    public mutating func receive(
        _ bytes: UnsafeRawBufferPointer, now: MonotonicTime,
        onPresence: (borrowing PresenceBatch) -> Void = { _ in }, onItem: (WireItem) -> Void = { _ in }
    ) -> [ClientEvent] {
        var events: [ClientEvent] = []
        switch format {
        case .proto:
            scan(bytes, now: now, onPresence, onItem, &events)
        case .json:
            guard let message = try? ServerMessageDecoder.decode([UInt8](bytes), format: .json) else {
                events.append(.violation(Violation(.unreadable, "a message of \(bytes.count) bytes")))
                break
            }
            // JSON is for people and consoles, so simplicity is worth more than speed here.
            for var item in message.items {
                if case .presence(let batch) = item.body {
                    guard let batch = batch.inRecords() else {
                        events.append(.violation(Violation(.unreadable, "a presence batch of \(batch.cell)")))
                        continue
                    }
                    item.presence = batch
                }
                ServerItemEncoder.encode(item, format: .proto).withUnsafeBytes {
                    scan($0, now: now, onPresence, onItem, &events)
                }
            }
        }
        return events
    }

    private mutating func scan(
        _ message: UnsafeRawBufferPointer, now: MonotonicTime, _ onPresence: (borrowing PresenceBatch) -> Void,
        _ onItem: (WireItem) -> Void, _ events: inout [ClientEvent]
    ) {
        let isWhole = ServerMessageScanner.forEachItem(in: message) { piece in
            switch piece {
            case .presence(let body): receivePresence(body, now: now, onPresence, &events)
            case .other(let framed):
                guard let decoded = try? ServerMessageDecoder.decode([UInt8](framed), format: .proto) else {
                    events.append(.violation(Violation(.unreadable, "an item of \(framed.count) bytes")))
                    return
                }
                for item in decoded.items {
                    onItem(item)
                    receive(item, now: now, &events)
                }
            }
        }
        if !isWhole { events.append(.violation(Violation(.unreadable, "a message of \(message.count) bytes"))) }
    }

    private mutating func receivePresence(
        _ body: UnsafeRawBufferPointer, now: MonotonicTime, _ onPresence: (borrowing PresenceBatch) -> Void,
        _ events: inout [ClientEvent]
    ) {
        guard let batch = PresenceBatch(body, of: { headings[$0] }) else {
            events.append(.violation(Violation(.unreadable, "a presence batch of \(body.count) bytes")))
            return
        }
        if batch.stepMetres > 0 { headings[batch.cell.shortNumber] = batch.heading }
        onPresence(batch)
        guard presence == .full else { return }
        let cell = batch.cell
        let (change, strays) = rosters[cell, default: Roster(cell: cell)].apply(batch, now: now)
        events.append(.presence(change))
        if !strays.isEmpty {
            events.append(.violation(Violation(.unknownSlot, topic: cell.token, "poses of slots \(strays)")))
        }
    }

    private mutating func receive(_ item: WireItem, now: MonotonicTime, _ events: inout [ClientEvent]) {
        var violations: [Violation] = []
        switch item.body {
        case .reply(let reply): receiveReply(reply, now: now, &events, &violations)
        case .event(let event):
            if let step = view.apply(event, violations: &violations) { events.append(ClientEvent(step)) }
            if let other = ClientFeatures.event(of: event.change) {
                if case .run(let run) = other { self.run = run }
                events.append(other)
            }
        case .snapshot(let page):
            let (steps, isComplete) = view.apply(page, violations: &violations)
            events.append(contentsOf: steps.map(ClientEvent.init))
            if isComplete { events.append(.followed(topic: page.cursor.topic)) }
        case .continued(let continued):
            view.goOn(from: continued.cursor, violations: &violations)
            events.append(.followed(topic: continued.cursor.topic))
        case .own(let own): events.append(contentsOf: view.apply(own).map(ClientEvent.init))
        case .presence: break  // Never here: the scanner hands it out.
        case .unfollowed(let unfollowed):
            // A right may end before the topic's first snapshot is sent.
            events.append(contentsOf: unfollow(unfollowed.topic))
        case .resync(let resync):
            view.startOver(resync.topic, violations: &violations)
            events.append(.resynchronising(topic: resync.topic))
        case .closing(let closing):
            self.closing = closing
            events.append(.closing(closing))
        case .notice(let notice): events.append(.notice(notice))
        case .settings(let list):
            let news = keep(list.settings)
            if !news.isEmpty { events.append(.settings(news)) }
        case .standing(let standing):
            follow(standing)
            events.append(.standing(standing))
        case .realmSelected(let selected):
            profile.realm = selected.realm
            events.append(.selectionReset)
        case .run(let run):
            self.run = run
            events.append(.run(run))
        case .guidance(let guidance): events.append(.guidance(guidance))
        case .fellowWalkers(let fellows): events.append(.fellowWalkers(fellows))
        case .group(let group): events.append(.group(group))
        case .nearbyTours(let nearby): events.append(.nearbyTours(ids: nearby.tours.map(\.id)))
        case .notifications(let item): events.append(receive(item, now: now))
        case .shiftPositions(let shift):
            events.append(.positionsShifted(by: .milliseconds(Int64(shift.milliseconds))))
        case .signedOut(let signedOut):
            forgetSignIn()
            events.append(.signedOut(signedOut))
        // An item that a newer server knows.
        case nil: break
        }
        if phase != .live, item.body?.needsWelcome ?? false {
            violations.append(Violation(.outOfPlace, "a view before the welcome"))
        }
        events.append(contentsOf: violations.map(ClientEvent.violation))
    }

    private mutating func receiveReply(
        _ reply: WireReply, now: MonotonicTime, _ events: inout [ClientEvent], _ violations: inout [Violation]
    ) {
        if phase == .greeting, reply.id == helloID {
            receiveWelcome(reply, now: now, &events, &violations)
            return
        }
        if reply.id == 0, case .refusal(let refusal) = reply.result {
            let refusal = Refusal(refusal)
            events.append(.refused(refusal))
            putOffLooking(refusal, now: now)
            return
        }
        guard let (ticket, entry) = ledger.request(answeredBy: reply.id) else {
            violations.append(Violation(.unknownRequest, "a reply to request \(reply.id)"))
            return
        }
        switch reply.result {
        case .refusal(let refusal):
            let refusal = Refusal(refusal)
            if isTemporary(refusal) {
                ledger.putOff(ticket, until: now + pause(after: refusal, delays: entry.delays))
            } else {
                ledger.remove(ticket)
                if acknowledgements.remove(ticket) == nil { events.append(.answered(ticket, .refusal(refusal))) }
            }
        case let result?:
            ledger.remove(ticket)
            guard acknowledgements.remove(ticket) == nil else { return }
            if let own = ClientFeatures.own(in: result) { view.apply(own: own) }
            if let welcome = follow(result) {
                events.append(.welcomed(welcome))
                lookAsPerson()
            }
            events.append(.answered(ticket, .success(result)))
        case nil:
            ledger.remove(ticket)
            let refusal = Refusal(.internal, "an answer of a kind that this client does not know", component: "client")
            events.append(.answered(ticket, .refusal(refusal)))
        }
    }

    private mutating func receiveWelcome(
        _ reply: WireReply, now: MonotonicTime, _ events: inout [ClientEvent], _ violations: inout [Violation]
    ) {
        switch reply.result {
        case .welcome(let welcome):
            phase = .live
            self.welcome = welcome
            if !welcome.token.isEmpty || welcome.tokenExpired { profile.token = welcome.token }
            if welcome.tokenExpired { forgetSharing() }
            events.append(.welcomed(welcome))
            if !view.unconfirmedTopics.isEmpty { dropUnconfirmedAt = now + Self.confirmationMax }
            // The view depends on the position, and so does much of what is waiting.
            if let position { move(to: position) }
            for message in ledger.takeDue(now: now) { emit(message) }
        case .refusal(let refusal):
            events.append(.refused(Refusal(refusal)))
        default:
            violations.append(Violation(.outOfPlace, "hello answered with something else than welcome"))
        }
    }

    /// Whether the same request may succeed soon, and is sent again after a pause. A refusal with a longer wait than
    /// `ClientLimits.waitMax` is the request's answer.
    func isTemporary(_ refusal: Refusal) -> Bool {
        [.tryAgain, .rateLimited, .storageUnavailable, .overloaded].contains(refusal.code)
            && refusal.retryAfter ?? .zero <= limits.waitMax
    }

    /// The pause before the next attempt: the server's hint, doubled with each attempt, plus a random part.
    mutating func pause(after refusal: Refusal, delays: Int) -> Duration {
        let hint = max(refusal.retryAfter ?? .zero, .milliseconds(10))
        let grown = min(hint * Double(UInt64(1) << UInt64(min(delays, 10))), max(hint, limits.retryPauseMax))
        return grown + hint * Double.random(in: 0...0.5, using: &generator)
    }

    /// Drops a topic that is no longer in view, with its people, unless another topic of the cell is: the guests' topic
    /// ends when the person's has begun.
    mutating func unfollow(_ topic: String) -> [ClientEvent] {
        let steps = view.unfollow(topic).map(ClientEvent.init)
        let token = TopicReplica.cellToken(of: topic)
        let isInView = view.topics.keys.contains { TopicReplica.cellToken(of: $0) == token }
        if !isInView, let cell = CellID(token: token) { rosters[cell] = nil }
        guard let run, run.topic == topic else { return steps + [.unfollowed(topic: topic)] }
        self.run = nil
        return steps + [.unfollowed(topic: topic), .runEnded(id: run.id)]
    }
}

extension WireItem.OneOf_Body {
    /// Whether it only makes sense in an open session.
    fileprivate var needsWelcome: Bool {
        switch self {
        case .event, .snapshot, .own, .presence, .unfollowed, .resync, .continued, .nearbyTours, .run, .guidance,
            .fellowWalkers, .group, .shiftPositions:
            true
        case .reply, .closing, .notice, .signedOut, .settings, .realmSelected, .notifications, .standing: false
        }
    }
}

extension ClientEvent {
    fileprivate init(_ step: LiveView.Step) {
        switch step {
        case .appeared(let instance): self = .appeared(instance)
        case .changed(let instance, let was): self = .changed(instance, was: was)
        case .disappeared(let instance): self = .disappeared(instance)
        }
    }
}
