import CairnCore
import CairnFeatures
import CairnTesting
import CairnTime
import CairnWire

@testable import CairnServer

/// Work for another loop by chance.
extension NodeSamples {
    /// One of each case.
    mutating func work(before now: MonotonicTime) -> [ShardWork] {
        homeWork(before: now).map { .home(home(), $0) } + cellWork(before: now).map { .cell(cell(), $0) }
            + accountWork(before: now).map { .account(account(), $0) } + topicWork().map { .topic(topic(), $0) }
            + connectionWork(before: now).map { .connection(participant(), $0) }
            + sessionWork(before: now).map { .session($0) } + sessionsWork().map { .sessions($0) }
            + [
                .rightChanged(barrier: number(), by: place()), .rightsDone(number: number()),
                .timerSet(home(), due: time()),
                .space(SpaceID(rawValue: number()), .move(movement(before: now))),
            ]
    }

    private mutating func homeWork(before now: MonotonicTime) -> [HomeWork] {
        [
            .arrive(request(before: now)), .decide(request(before: now)),
            .hear(InstanceWithdrawal(id: InstanceID(rawValue: number()))), .fire, .follow(follow()),
            .unfollow(scope(), participant()), .resynchronise(follow()),
            .change(follow(), number: number()), .present(follow(), nearest: coordinate()),
        ]
    }

    private mutating func cellWork(before now: MonotonicTime) -> [CellWork] {
        let person = maybe { samples in
            PresenceBoard.Person(id: samples.text(), name: samples.text(), gridMetres: Double(samples.below(1_000)))
        }
        return [
            .enter(participant(), of: account(), as: person, at: sample(before: now), standing: coordinate()),
            .move(participant(), to: sample(before: now), standing: coordinate()),
            .watch(participant(), of: account(), standing: coordinate()),
            .replace(participant(), with: participant()), .leave(participant()),
            .sendKeyframe(scope(), to: participant(), of: account(), number: number()),
        ]
    }

    private mutating func movement(before now: MonotonicTime) -> Movement {
        let sample = sample(before: now)
        return Movement(
            account: account(), place: sample.coordinate, accuracyMetres: sample.accuracyMetres, at: sample.at)
    }

    private mutating func accountWork(before now: MonotonicTime) -> [AccountWork] {
        [
            .receive(request(before: now)), .decided(request(before: now), answer()),
            .connect(participant(), session: session(), resuming: maybe { $0.session() }),
            .beganAnew(participant(), session: session()), .detach(participant()),
            .disconnect(participant(), session: session()),
            .change(right(), number: number(), at: place()), .notified(about: account()), .notified(about: nil),
        ]
    }

    private mutating func topicWork() -> [TopicWork] {
        let items = Dictionary(some { ($0.below(99), $0.item()) }) { one, _ in one }
        return [
            .event(item()), .presence(item()), .crowd(some { samples in samples.maybe { $0.item() } }),
        ] + (news().map { [.count($0, items)] } ?? [])
    }

    /// People who hide have come since the count was told.
    private mutating func news() -> HiddenCount.News? {
        var board = PresenceBoard(cell: cell(), countHiddenBelow: below(3))
        for _ in 0..<(3 + below(9)) {
            board.enter(participant(), of: account(), as: nil, at: .make(), standing: coordinate())
            if bool() { _ = board.takeCountNews() }
        }
        board.enter(participant(), of: AccountID(rawValue: .max), as: nil, at: .make(), standing: coordinate())
        return board.takeCountNews()
    }

    private mutating func connectionWork(before now: MonotonicTime) -> [ConnectionWork] {
        let answer = AnswerToRequest(
            requestID: UInt32(below(99)), field: UInt32(below(99)), receivedAt: now - .microseconds(below(9_000_000)),
            answer: answer())
        return [
            .welcome(isAdmitted: bool()), .answer(answer),
            .follow(
                topic(), number: number(), group: UInt16(below(65_536)), isExcerpt: bool(),
                items: some { $0.bytes() }),
            .keyframe(bytes(), of: topic(), number: number()), .group(cell(), UInt16(below(65_536))),
            .ownInstance(instance()), .grant(Set(some { $0.scope() }), of: account()), .notified,
            .beginExcerpt(
                topic(), number: number(),
                ExcerptItems(
                    events: maybe { $0.some { $0.bytes() } }, presence: maybe { $0.bytes() }, revokes: bool())),
            .excerpt(topic(), .event(item())), .absencesKnown(number: number()),
            .presented(topic(), number: number(), part()), .shiftPositions(.milliseconds(below(1_000) - 500)),
        ]
    }

    private mutating func part() -> WireWorldSnapshot {
        var part = WireWorldSnapshot()
        part.instances = some { $0.instance() }
        part.leftOut = UInt32(below(99))
        return part
    }

    private mutating func sessionWork(before now: MonotonicTime) -> [SessionWork] {
        [
            .surrender(session(), of: participant(), to: participant()),
            .adopt(maybe { $0.state(before: now) }, from: participant(), to: participant()), .giveUp(session()),
        ]
    }

    private mutating func sessionsWork() -> [SessionsWork] {
        [
            .signOut(account(), issuedBefore: time()), .renewFollowers(of: home()),
            .change(right(), barrier: number(), at: place()),
        ]
    }
}
