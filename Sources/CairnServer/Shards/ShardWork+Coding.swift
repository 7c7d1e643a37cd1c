internal import CairnCore
internal import CairnWire

// The form that work for another loop has between nodes. A case is its number and its values; a number is never used
// again.

extension ShardWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .home(let address, let work): encoder.put(0 as UInt8, address, work)
        case .cell(let id, let work): encoder.put(1 as UInt8, id, work)
        case .account(let id, let work): encoder.put(2 as UInt8, id, work)
        case .topic(let topic, let work): encoder.put(3 as UInt8, topic, work)
        case .connection(let participant, let work): encoder.put(4 as UInt8, participant, work)
        case .session(let work): encoder.put(5 as UInt8, work)
        case .sessions(let work): encoder.put(6 as UInt8, work)
        case .rightChanged(let barrier, let place): encoder.put(7 as UInt8, barrier, place)
        case .timerSet(let home, let due): encoder.put(8 as UInt8, home, due)
        case .rightsDone(let number): encoder.put(9 as UInt8, number)
        case .space(let id, let work): encoder.put(10 as UInt8, id, work)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .home(try decoder.get(), try decoder.get())
        case 1: self = .cell(try decoder.get(), try decoder.get())
        case 2: self = .account(try decoder.get(), try decoder.get())
        case 3: self = .topic(try decoder.get(), try decoder.get())
        case 4: self = .connection(try decoder.get(), try decoder.get())
        case 5: self = .session(try decoder.get())
        case 6: self = .sessions(try decoder.get())
        case 7: self = .rightChanged(barrier: try decoder.get(), by: try decoder.get())
        case 8: self = .timerSet(try decoder.get(), due: try decoder.get())
        case 9: self = .rightsDone(number: try decoder.get())
        case 10: self = .space(try decoder.get(), try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension HomeWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .arrive(let request): encoder.put(0 as UInt8, request)
        case .decide(let request): encoder.put(1 as UInt8, request)
        case .hear(let message):
            encoder.put(2 as UInt8, type(of: message).kind.text)
            encoder.put(bytes: message.payload)
        case .fire: encoder.put(3 as UInt8)
        case .follow(let request): encoder.put(4 as UInt8, request)
        case .unfollow(let scope, let participant): encoder.put(5 as UInt8, scope, participant)
        case .resynchronise(let request): encoder.put(6 as UInt8, request)
        case .change(let request, let number): encoder.put(7 as UInt8, request, number)
        case .present(let request, let place): encoder.put(8 as UInt8, request, place)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .arrive(try decoder.get())
        case 1: self = .decide(try decoder.get())
        case 2: self = .hear(try Self.message(from: &decoder))
        case 3: self = .fire
        case 4: self = .follow(try decoder.get())
        case 5: self = .unfollow(try decoder.get(), try decoder.get())
        case 6: self = .resynchronise(try decoder.get())
        case 7: self = .change(try decoder.get(), number: try decoder.get())
        case 8: self = .present(try decoder.get(), nearest: try decoder.get())
        default: throw .outOfRange
        }
    }

    private static func message(from decoder: inout NodeDecoder) throws(NodeFault) -> any HomeMessage {
        let kind = try decoder.get(String.self)
        let payload = try decoder.bytes()
        guard let type = decoder.register.message(kind),
            let message = try? type.init(payload: payload, register: decoder.register)
        else { throw .unreadable }
        return message
    }
}

extension FollowRequest: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        encoder.put(scope, participant, account, absent, cursor, number)
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            scope: try decoder.get(), participant: try decoder.get(), account: try decoder.get(),
            absent: try decoder.get(), cursor: try decoder.get(), number: try decoder.get())
    }
}

extension CellWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .enter(let participant, let account, let person, let sample, let standing):
            encoder.put(0 as UInt8, participant, account, person, sample, standing)
        case .move(let participant, let sample, let standing): encoder.put(1 as UInt8, participant, sample, standing)
        case .watch(let participant, let account, let standing):
            encoder.put(2 as UInt8, participant, account, standing)
        case .replace(let old, let new): encoder.put(3 as UInt8, old, new)
        case .leave(let participant): encoder.put(4 as UInt8, participant)
        case .sendKeyframe(let scope, let participant, let account, let number):
            encoder.put(5 as UInt8, scope, participant, account, number)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0:
            self = .enter(
                try decoder.get(), of: try decoder.get(), as: try decoder.get(), at: try decoder.get(),
                standing: try decoder.get())
        case 1: self = .move(try decoder.get(), to: try decoder.get(), standing: try decoder.get())
        case 2: self = .watch(try decoder.get(), of: try decoder.get(), standing: try decoder.get())
        case 3: self = .replace(try decoder.get(), with: try decoder.get())
        case 4: self = .leave(try decoder.get())
        case 5:
            self = .sendKeyframe(
                try decoder.get(), to: try decoder.get(), of: try decoder.get(), number: try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension SpaceWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .move(let movement): encoder.put(0 as UInt8, movement)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .move(try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension AccountWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .receive(let request): encoder.put(0 as UInt8, request)
        case .decided(let request, let answer): encoder.put(1 as UInt8, request, answer)
        case .connect(let participant, let session, let resuming):
            encoder.put(2 as UInt8, participant, session, resuming)
        case .beganAnew(let participant, let session): encoder.put(3 as UInt8, participant, session)
        case .detach(let participant): encoder.put(4 as UInt8, participant)
        case .disconnect(let participant, let session): encoder.put(5 as UInt8, participant, session)
        case .change(let right, let number, let place): encoder.put(6 as UInt8, right, number, place)
        case .notified(let person): encoder.put(8 as UInt8, person)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .receive(try decoder.get())
        case 1: self = .decided(try decoder.get(), try decoder.get())
        case 2: self = .connect(try decoder.get(), session: try decoder.get(), resuming: try decoder.get())
        case 3: self = .beganAnew(try decoder.get(), session: try decoder.get())
        case 4: self = .detach(try decoder.get())
        case 5: self = .disconnect(try decoder.get(), session: try decoder.get())
        case 6: self = .change(try decoder.get(), number: try decoder.get(), at: try decoder.get())
        case 8: self = .notified(about: try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension TopicWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .event(let item): encoder.put(0 as UInt8, item)
        case .presence(let item): encoder.put(1 as UInt8, item)
        case .crowd(let items): encoder.put(2 as UInt8, items)
        case .count(let news, let items): encoder.put(3 as UInt8, news, items)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .event(try decoder.get())
        case 1: self = .presence(try decoder.get())
        case 2: self = .crowd(try decoder.get())
        case 3: self = .count(try decoder.get(), try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension ConnectionWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .welcome(let isAdmitted): encoder.put(0 as UInt8, isAdmitted)
        case .answer(let answer): encoder.put(1 as UInt8, answer)
        case .follow(let topic, let number, let group, let isExcerpt, let items):
            encoder.put(2 as UInt8, topic, number, group, isExcerpt, items)
        case .keyframe(let keyframe, let topic, let number): encoder.put(3 as UInt8, keyframe, topic, number)
        case .group(let cell, let group): encoder.put(4 as UInt8, cell, group)
        case .ownInstance(let instance):
            encoder.put(5 as UInt8)
            encoder.put(message: instance)
        case .grant(let scopes, let account): encoder.put(6 as UInt8, scopes, account)
        case .notified: encoder.put(7 as UInt8)
        case .beginExcerpt(let topic, let number, let items): encoder.put(8 as UInt8, topic, number, items)
        case .excerpt(let topic, let work): encoder.put(9 as UInt8, topic, work)
        case .absencesKnown(let number): encoder.put(10 as UInt8, number)
        case .shiftPositions(let duration): encoder.put(12 as UInt8, duration)
        case .presented(let topic, let number, let part):
            encoder.put(11 as UInt8, topic, number)
            encoder.put(message: part)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .welcome(isAdmitted: try decoder.get())
        case 1: self = .answer(try decoder.get())
        case 2:
            self = .follow(
                try decoder.get(), number: try decoder.get(), group: try decoder.get(),
                isExcerpt: try decoder.get(), items: try decoder.get())
        case 3: self = .keyframe(try decoder.get(), of: try decoder.get(), number: try decoder.get())
        case 4: self = .group(try decoder.get(), try decoder.get())
        case 5: self = .ownInstance(try decoder.message())
        case 6: self = .grant(try decoder.get(), of: try decoder.get())
        case 7: self = .notified
        case 8: self = .beginExcerpt(try decoder.get(), number: try decoder.get(), try decoder.get())
        case 9: self = .excerpt(try decoder.get(), try decoder.get())
        case 10: self = .absencesKnown(number: try decoder.get())
        case 11: self = .presented(try decoder.get(), number: try decoder.get(), try decoder.message())
        case 12: self = .shiftPositions(try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension ExcerptItems: NodeCodable {
    func encode(to encoder: inout NodeEncoder) { encoder.put(events, presence, revokes) }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(events: try decoder.get(), presence: try decoder.get(), revokes: try decoder.get())
    }
}

extension AnswerToRequest: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        encoder.put(requestID, field, answer)
        encoder.put(moment: receivedAt)
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let (id, field) = (try decoder.get(UInt32.self), try decoder.get(UInt32.self))
        let answer = try decoder.get(Answer.self)
        self.init(requestID: id, field: field, receivedAt: try decoder.moment(), answer: answer)
    }
}

extension SessionWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .surrender(let id, let old, let new): encoder.put(0 as UInt8, id, old, new)
        case .adopt(let state, let old, let new): encoder.put(1 as UInt8, state, old, new)
        case .giveUp(let id): encoder.put(2 as UInt8, id)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .surrender(try decoder.get(), of: try decoder.get(), to: try decoder.get())
        case 1: self = .adopt(try decoder.get(), from: try decoder.get(), to: try decoder.get())
        case 2: self = .giveUp(try decoder.get())
        default: throw .outOfRange
        }
    }
}

extension SessionsWork: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        switch self {
        case .signOut(let account, let time): encoder.put(0 as UInt8, account, time)
        case .renewFollowers(let home): encoder.put(1 as UInt8, home)
        case .change(let right, let barrier, let place): encoder.put(2 as UInt8, right, barrier, place)
        }
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.get(UInt8.self) {
        case 0: self = .signOut(try decoder.get(), issuedBefore: try decoder.get())
        case 1: self = .renewFollowers(of: try decoder.get())
        case 2:
            self = .change(try decoder.get(), barrier: try decoder.get(), at: try decoder.get())
        default: throw .outOfRange
        }
    }
}
