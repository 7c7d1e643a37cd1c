internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWire
internal import Logging

/// Turns and their actions, the same for every kind of home.
extension Home {
    func perform(_ task: HomeTask) {
        switch task {
        case .work(let work): perform(work)
        case .resume(let request, let rows): turn { $0.resume(request, rows: rows, now: $1, lasting: $2) }
        case .learn(let inquiry, let rows): turn { $0.learn(inquiry, rows: rows, now: $1, lasting: $2) }
        case .order(let message, let done): carryOut(message, done: done)
        }
    }

    private func perform(_ work: HomeWork) {
        switch work {
        case .arrive(let request): arrive(request)
        case .decide(let request): decide(request)
        case .hear(let message):
            turn { $0.hear(message, now: $1, lasting: $2) }
            beginAnewIfLost()
        case .fire: fireTimers()
        case .follow(let request):
            host.add(request.participant, to: request.scope)
            admit(request)
        case .unfollow(let scope, let participant):
            host.remove(participant, from: scope)
            restIfEmpty()
        case .resynchronise(let request): admit(request)
        case .change(let request, let number): goByAbsences(of: request, number: number)
        case .present(let request, let place): present(request, nearest: place)
        }
    }

    func decide(_ request: Request) {
        turn { $0.receive(request, now: $1, lasting: $2) }
    }

    private func turn(_ decide: (inout HomeCore, WallTime, LastingTime) -> [HomeCore.Action]) {
        let began = shard.now
        carryOut(decide(&host.core.value, host.context.clock.now, host.context.clock.lasting))
        turnTook(microseconds: shard.now.microseconds(since: began))
    }

    /// Queues the home at the shard for firing its due timers; homes take turns.
    func fireTimers() {
        guard !host.isFiring, host.core.value.hasDueTimer(lasting: host.context.clock.lasting) else { return }
        host.isFiring = true
        shard.assumeIsolated { $0.fire(self) }
    }

    /// Fires the timer that is due for longest.
    /// - Returns: whether another may be due.
    func fireTimer() -> Bool {
        let clock = host.context.clock
        guard case .awake = host.stage,
            let actions = host.core.value.fireTimer(
                now: clock.now, lasting: clock.lasting, steadySince: clock.steadySince)
        else {
            host.isFiring = false
            return false
        }
        carryOut(actions)
        return true
    }

    private func carryOut(_ order: any HomeMessage, done: @escaping @Sendable (Bool) -> Void) {
        guard !host.core.value.isLost else { return done(false) }
        let actions = host.core.value.hear(order, now: host.context.clock.now, lasting: host.context.clock.lasting)
        if case .commit(_, let turn)? = actions.first { host.orders[turn] = done } else { done(false) }
        carryOut(actions)
    }

    /// The store has decided about turns. After a refusal for good the home runs no further turn and is loaded again
    /// once nothing is under way.
    func commitDecided(_ fate: HomeFate) {
        touched()
        if let turn = fate.failed {
            // The log does not name people.
            let name = address.kind == .account ? "account" : address.name
            host.context.logger.critical("a home's change was refused by the store", metadata: ["home": "\(name)"])
            // First, so that outputs of the lost turns do not leave with the others.
            host.core.value.lose(from: turn)
        }
        carryOut(host.core.value.committed(through: fate.last))
        for turn in host.orders.keys where turn <= fate.last {
            host.orders.removeValue(forKey: turn)?(fate.failed.map { turn < $0 } ?? true)
        }
        beginAnewIfLost()
    }

    /// Loads the stored state again after a lost change; followers start from a new snapshot.
    private func beginAnewIfLost() {
        guard host.core.value.isLost, host.core.value.isQuiet else { return }
        let messages = host.core.value.messagesUnderWay
        shard.assumeIsolated { $0.figures.homes.messagesWaiting -= messages }
        host.forget()
        host.context.store.readmit(address)
        shard.assumeIsolated { [address] in $0.renewFollowers(of: address) }
        wake()
    }

    func carryOut(_ actions: [HomeCore.Action]) {
        for action in actions {
            switch action {
            case .commit(let statements, let turn):
                let ticket = CommitTicket(loop: shard.index, home: address, turn: turn)
                host.context.store.submit(CommitUnit(statements: statements, ticket: ticket))
            case .answer(let request, let answer):
                shard.enter(with: (request, answer)) { $0.answer($1.0, $1.1) }
            case .broadcast(let scope, let item):
                broadcast(item, to: scope)
            case .tellExcerpt(let account, let scope, let item): tell(item, of: scope, toReadersOf: account)
            case .beginExcerpt(let account, let scope): beginExcerpts(of: scope, for: account)
            case .show(let scope, let item): show(item, to: scope)
            case .tell(let home, let message):
                shard.assumeIsolated { $0.tell(home, message) }
            case .ask(let queries, let request):
                shard.assumeIsolated { [address] in $0.ask(queries, request, for: address) }
            case .read(let asset, let reading, let request):
                shard.assumeIsolated { [address] in $0.read(asset, by: reading, request, for: address) }
            case .inquire(let query, let inquiry):
                shard.assumeIsolated { [address] in $0.ask(query, inquiry, for: address) }
            case .hand(let home, let request):
                shard.assumeIsolated { $0.give(.decide(request), to: home) }
            case .changeRights(let changes, let answers):
                shard.assumeIsolated { $0.change(changes, then: answers) }
            case .notify(let account, let person):
                shard.assumeIsolated {
                    $0.noteNotified()
                    $0.figures.notificationsStored += 1
                    $0.dispatch(.account(account, .notified(about: person)), to: .account(account))
                }
            case .recount(let account, let person):
                shard.assumeIsolated {
                    $0.dispatch(.account(account, .notified(about: person)), to: .account(account))
                }
            case .note(let event):
                shard.assumeIsolated { $0.figures.homes.note(event) }
            case .count(let what):
                shard.enter(with: what.text) { $0.count($1) }
            case .schedule(let due):
                shard.assumeIsolated { [address] in $0.schedule(address, at: due) }
            case .report(let rows):
                host.context.store.report(rows)
            }
        }
    }

    private func broadcast(_ item: WireItem, to scope: Scope) {
        published()
        guard let followers = host.followers(of: scope), !followers.isEmpty else { return }
        let encoded = EncodedItem(item, json: followers.readsJSON)
        dispatch(.event(encoded), of: scope, to: followers)
    }

    /// Shows followers something that is not numbered and may be left out.
    private func show(_ item: WireItem, to scope: Scope) {
        guard let followers = host.followers(of: scope), !followers.isEmpty else { return }
        dispatch(.presence(EncodedItem(item, json: followers.readsJSON)), of: scope, to: followers)
    }

    /// Sends work on a topic to every loop with followers of it.
    func dispatch(_ work: TopicWork, of scope: Scope, to followers: Followers) {
        let work = ShardWork.topic(Topic(address, scope), work)
        shard.enter(with: (work, followers)) { shard, told in
            for place in told.1.places { shard.dispatch(told.0, to: place) }
        }
    }
}
