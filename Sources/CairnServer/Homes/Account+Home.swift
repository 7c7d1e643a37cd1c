internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging

/// What an account decides by itself, as a cell does: features that need no place.
extension Account {
    func decide(_ request: Request) {
        guard home != nil else {
            undecided.append(request)
            if !isHomeWaking { wakeHome() }
            return
        }
        turn { $0.receive(request, now: $1, lasting: $2) }
    }

    /// Goes on with a request for which the home asked the store; one that has been read anew since begins anew.
    func resume(_ request: Request, rows: [Row]?) {
        guard home != nil else { return decide(request) }
        turn { $0.resume(request, rows: rows, now: $1, lasting: $2) }
    }

    /// The disk has decided about turns of the account's home; as `Cell.settled`.
    func settled(_ fate: HomeFate) {
        guard home != nil else { return }
        if fate.failed != nil { world.logger.critical("an account's change was refused by the store") }
        turn { home, _, _ in
            if let turn = fate.failed { home.lose(from: turn) }
            return home.committed(through: fate.last)
        }
        forgetIfLost()
    }

    private func forgetIfLost() {
        guard let home, home.isLost, home.isQuiet else { return }
        self.home = nil
        world.store.readmit(.account(id))
    }

    /// Reads what is stored of the account's home, and then decides what waits.
    private func wakeHome() {
        isHomeWaking = true
        let questions = world.register.stored(in: .account(id))
        shard.assumeIsolated { [self] shard in
            shard.waking.accounts.append(self)
            shard.read(questions) { answers in self.assumeIsolated { $0.wakeHome(answers) } }
        }
    }

    private func wakeHome(_ answers: [[[Row]]]) {
        var core = HomeCore(
            address: .account(id), register: world.register, settings: world.settings, identifiers: world.identifiers,
            now: world.clock.now, lasting: world.clock.lasting, start: Cursor(epoch: 0, sequence: 0), recentMax: 0)
        world.store.report(core.restore(answers))
        home = core
        isHomeWaking = false
        let requests = undecided
        undecided = []
        for request in requests { decide(request) }
    }

    private func turn(_ decide: (inout HomeCore, Int64, Int64) -> [HomeCore.Action]) {
        // Taken out, so that nothing of it is copied.
        guard var core = home.take() else { return }
        let actions = decide(&core, world.clock.now, world.clock.lasting)
        home = core
        for action in actions { carryOut(action) }
    }

    private func carryOut(_ action: HomeCore.Action) {
        switch action {
        case .commit(let statements, let turn):
            let ticket = CommitTicket(loop: shard.index, home: .account(id), turn: turn)
            world.store.submit(CommitUnit(statements: statements, ticket: ticket))
        case .answer(let request, let answer):
            self.answer(request, answer)
        case .tell(let home, let message):
            shard.assumeIsolated { $0.tell(home, message) }
        case .ask(let query, let request):
            shard.assumeIsolated { $0.ask(query, request, for: .account(id)) }
        case .hand(let home, let request):
            shard.assumeIsolated { $0.hand(request, to: home) }
        case .count(let what):
            shard.assumeIsolated { $0.count(what.text) }
        case .report(let rows):
            world.store.report(rows)
        case .broadcast:
            preconditionFailure("an account has no topic")
        }
    }

    func answer(_ request: Request, _ answer: Answer) {
        if request.isChange {
            settled(request, answer)
        } else {
            shard.assumeIsolated { $0.reply(to: request, answer) }
        }
    }
}
