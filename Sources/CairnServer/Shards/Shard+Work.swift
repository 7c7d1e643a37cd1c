internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// Work that comes from other loops, and from this one.
extension Shard {
    /// Has a loop do something: at once when it is this one, else at the end of the turn, in the order of the calls.
    func dispatch(_ work: ShardWork, to target: Place) {
        if target == place { perform(work) } else { queue(work, for: target) }
    }

    func perform(_ work: ShardWork) {
        switch work {
        case .home(let address, let work): home(address).receive(work)
        case .cell(let id, let work): cell(id).receive(work)
        case .space(let id, let work): space(id).receive(work)
        case .account(let id, let work):
            if work.isForAnyAccount || homes.account(id) != nil {
                account(id).receive(work)
            } else if case .change(_, let number, let asker) = work {
                // No device holds a right that its account does not know.
                dispatch(.rightsDone(number: number), to: asker)
            }
        case .topic(let topic, let work): tell(work, to: FanOutKey(topic))
        case .connection(let participant, let work): perform(work, for: participant)
        case .session(let work): perform(work)
        case .sessions(let work): perform(work)
        case .rightChanged(let barrier, let place): revocations.answered(barrier, by: place)?()
        case .rightsDone(let number): changesOfRights.removeValue(forKey: number)?()
        case .timerSet(let home, let due): noteTimer(of: home, due: due)
        }
    }

    private func tell(_ work: TopicWork, to key: FanOutKey) {
        switch work {
        case .event(let item): loop.broadcastEvent(key, binary: item.proto, text: item.json)
        case .presence(let item): loop.broadcastVolatile(key, binary: item.proto, short: item.short, text: item.json)
        case .crowd(let items):
            loop.broadcastVolatile(
                key, binary: items.map { $0?.proto }, short: items.map { $0?.short }, text: items.map { $0?.json })
        case .count(let news, let items): broadcastCount(key, news, items)
        }
    }

    private func perform(_ work: ConnectionWork, for participant: Participant) {
        switch work {
        case .welcome(let isAdmitted): welcome(participant, isAdmitted: isAdmitted)
        case .answer(let answer): reply(answer, to: participant)
        case .follow(let topic, let number, let group, let isExcerpt, let items):
            begin(
                following: topic, participant, number: number, group: group, isExcerpt: isExcerpt, items: items)
        case .beginExcerpt(let topic, let number, let items):
            begin(excerptOf: topic, participant, number: number, items)
        case .excerpt(let topic, let work): tell(work, to: FanOutKey(topic, for: participant.connection))
        case .presented(let topic, let number, let part): presented(part, of: topic, to: participant, number: number)
        case .absencesKnown(let number): absencesUnderWay.removeValue(forKey: number)?()
        case .keyframe(let keyframe, let topic, let number):
            sendKeyframe(keyframe, of: topic, to: participant, number: number)
        case .group(let cell, let group): setGroup(group, in: cell, of: participant)
        case .shiftPositions(let duration): shiftPositions(of: participant, by: duration)
        case .ownInstance(let instance): tellOwn(instance, to: participant)
        case .grant(let scopes, let account): grant(scopes, of: account, to: participant)
        case .notified: deliverNotifications(to: participant)
        }
    }

    private func perform(_ work: SessionWork) {
        switch work {
        case .surrender(let id, let old, let new): surrender(id, of: old, to: new)
        case .adopt(let state, let old, let new): adopt(state, from: old, to: new)
        case .giveUp(let id): giveUp(id)
        }
    }

    private func perform(_ work: SessionsWork) {
        switch work {
        case .signOut(let account, let time): signOut(account, issuedBefore: time)
        case .renewFollowers(let home): renewFollowers(here: home)
        case .change(let right, let barrier, let asker):
            change(right) { $0.dispatch(.rightChanged(barrier: barrier, by: $0.place), to: asker) }
        }
    }
}

extension Cell {
    nonisolated func receive(_ work: CellWork) { enter(with: work) { $0.perform($1) } }

    private func perform(_ work: CellWork) {
        switch work {
        case .enter(let participant, let account, let person, let sample, let standing):
            enter(participant, of: account, as: person, at: sample, standing: standing)
        case .move(let participant, let sample, let standing): move(participant, to: sample, standing: standing)
        case .watch(let participant, let account, let standing):
            watch(participant, of: account, standing: standing)
        case .replace(let old, let new): replace(old, with: new)
        case .leave(let participant): leave(participant)
        case .sendKeyframe(let scope, let participant, let account, let number):
            sendKeyframe(of: scope, to: participant, of: account, number: number)
        }
    }
}

extension Space {
    nonisolated func receive(_ work: SpaceWork) { enter(with: work) { $0.perform($1) } }

    private func perform(_ work: SpaceWork) {
        switch work {
        case .move(let movement): move(movement)
        }
    }
}

extension Account {
    nonisolated func receive(_ work: AccountWork) { enter(with: work) { $0.perform($1) } }

    private func perform(_ work: AccountWork) {
        switch work {
        case .receive(let request): receive(request)
        case .decided(let request, let answer): decided(request, answer)
        case .connect(let participant, let session, let resuming):
            connect(participant, session: session, resuming: resuming)
        case .beganAnew(let participant, let session): beganAnew(participant, session: session)
        case .detach(let participant): detach(participant)
        case .disconnect(let participant, let session): disconnect(participant, session: session)
        case .change(let right, let number, let asker):
            let shard = shard
            let done = { @Sendable in shard.assumeIsolated { $0.dispatch(.rightsDone(number: number), to: asker) } }
            if right.isGrant { grant(right.scope, done: done) } else { revoke(right.scope, done: done) }
        case .notified(let person): notifyDevices(about: person)
        }
    }
}
