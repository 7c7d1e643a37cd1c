internal import CairnCore
internal import CairnStore
internal import CairnWire

/// One person: their devices, their keys, their quotas. Every change they ask for passes here on its way to the home
/// that decides.
actor Account {
    nonisolated let id: AccountID
    nonisolated let shard: Shard
    private(set) var world: World
    private var core: AccountCore
    private(set) var devices: Set<Participant> = []
    /// Sessions that can be taken over, and where they are.
    private var sessions: [SessionID: Participant] = [:]
    private var waiting: [HomeWaiter<Account>]? = []
    /// What is being done for the core, and what has come of it meanwhile.
    private var toCarryOut: [AccountCore.Action] = []
    private var isCarryingOut = false
    private var emptySince: UInt64
    /// What the person may see beyond what everyone does.
    var scopes: Set<Scope> = []
    /// Whether the shard looks from time to time if the account may sleep; it does at first.
    private var isResting = true
    /// What is decided by the account itself and in no cell; nil = nothing has been asked for yet, or it is being read.
    var home: HomeCore?
    /// Requests that wait for it.
    var undecided: [Request] = []
    /// What is stored of it is being read.
    var isHomeWaking = false

    /// A person without a device is kept awake this long, for the retries of whoever comes back.
    private static let sleepMicroseconds: UInt64 = 60_000_000
    private static let component = "account"

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }

    init(id: AccountID, shard: Shard, world: World, now: UInt64) {
        self.id = id
        self.shard = shard
        self.world = world
        emptySince = now
        core = AccountCore(
            account: id, register: world.register, settings: world.settings,
            keyLifetime: Int64(world.configuration.storage.keyHours) * 3_600_000,
            requestsMax: Self.requestsMax(world.configuration.connections))
    }

    // MARK: Waking and sleeping

    func wake(hasKeys: Bool, quotas: [[[Row]]]) {
        world.store.report(core.restore(hasKeys: hasKeys, quotas: quotas, now: world.clock.lasting))
        let backlog = waiting ?? []
        waiting = nil
        for waiter in backlog { waiter.work(self) }
    }

    private func whenAwake(for request: Request, _ work: @escaping @Sendable (isolated Account) -> Void) {
        if waiting == nil { work(self) } else { waiting?.append(HomeWaiter(request: request, work: work)) }
    }

    /// What is stored cannot be read: requests that have waited for long enough are refused.
    /// - Returns: whether something is still being read.
    func refuseLate(now: UInt64) -> Bool {
        for request in HomeWaiter.takeLate(from: &waiting, now: now) {
            shard.assumeIsolated { $0.reply(to: request, .refusal(HomeWaiter<Account>.unreadable)) }
        }
        let late = undecided.filter { HomeWaiter<Account>.isLate($0, now: now) }
        if home == nil, !late.isEmpty {
            undecided.removeAll { HomeWaiter<Account>.isLate($0, now: now) }
            for request in late { answer(request, .refusal(HomeWaiter<Account>.unreadable)) }
        }
        return waiting != nil || isHomeWaking
    }

    func rest(now: UInt64) -> Rest {
        guard isEmpty else {
            isResting = false
            return .isNeeded
        }
        guard waiting == nil, core.underWay == 0, undecided.isEmpty, home?.heldTurns ?? 0 == 0 else {
            emptySince = now
            return .goesOn
        }
        // `now` is the sweep's, which somebody may have left during.
        return now - min(now, emptySince) >= Self.sleepMicroseconds ? .isOver : .goesOn
    }

    private var isEmpty: Bool { devices.isEmpty && sessions.isEmpty }

    private func restIfEmpty() {
        guard isEmpty else { return }
        emptySince = shard.now
        guard !isResting else { return }
        isResting = true
        shard.assumeIsolated { $0.resting.accounts.append(self) }
    }

    func adopt(_ world: World) {
        self.world = world
        core.adopt(world.settings)
        core.requestsMax = Self.requestsMax(world.configuration.connections)
        home?.adopt(world.settings)
    }

    // MARK: Devices (SES-11, SES-12)

    /// A device has signed in. When it names a session that is still there, it takes that over, from whichever
    /// connection.
    func connect(_ participant: Participant, session: SessionID, resuming: SessionID?) {
        let devicesMax = world.configuration.connections.perAccountMax
        let old = resuming.flatMap { sessions[$0] }
        // Whoever takes over from a connection that is still open takes its place.
        let isAdmitted = devices.count < devicesMax || old.map(devices.contains) == true
        if isAdmitted, let resuming, let old {
            devices.remove(old)
            devices.insert(participant)
            sessions[resuming] = participant
            grantAll(to: participant)
            return shard.assumeIsolated { shard in
                shard.onShard(old.loop) { $0.surrender(resuming, of: old, to: participant) }
            }
        }
        if isAdmitted {
            devices.insert(participant)
            sessions[session] = participant
            if sessions.count > 2 * devicesMax { giveUpOldestCut() }
            grantAll(to: participant)
        }
        shard.assumeIsolated { shard in
            shard.onShard(participant.loop) { $0.welcome(participant, isAdmitted: isAdmitted) }
        }
    }

    /// The session that a connection wanted to take over was gone.
    func beganAnew(_ participant: Participant, session: SessionID) {
        guard devices.contains(participant) else { return }
        for (id, holder) in sessions where holder == participant { sessions[id] = nil }
        sessions[session] = participant
    }

    /// A connection was cut; its session may still be taken over.
    func detach(_ participant: Participant) {
        devices.remove(participant)
        restIfEmpty()
    }

    /// A session has ended.
    func disconnect(_ participant: Participant, session: SessionID) {
        devices.remove(participant)
        // By the connection: it may have gone before it learned that it goes on with another session.
        for (id, holder) in sessions where holder == participant || id == session { sessions[id] = nil }
        restIfEmpty()
    }

    /// Of the sessions that wait for their client to come back, the oldest waits no longer.
    private func giveUpOldestCut() {
        let cut = sessions.filter { !devices.contains($0.value) }
        guard let oldest = cut.min(by: { $0.key.rawValue < $1.key.rawValue }) else { return }
        sessions[oldest.key] = nil
        shard.assumeIsolated { shard in
            shard.onShard(oldest.value.loop) { $0.giveUp(oldest.key) }
        }
    }

    // MARK: Changes

    /// As many as all connections of one person may have under way.
    private static func requestsMax(_ settings: Configuration.Connections) -> Int {
        settings.perAccountMax * settings.requestsInFlightMax
    }

    func receive(_ request: Request) {
        // Those that wait for the account to wake are not the core's yet.
        guard waiting?.count ?? 0 < core.requestsMax else {
            return shard.assumeIsolated { $0.reply(to: request, .refusal(AccountCore.crowded)) }
        }
        guard request.isChange else { return whenAwake(for: request) { $0.decide(request) } }
        guard world.store.acceptsChanges else {
            let refusal = Refusal(
                .storageUnavailable, "too many changes wait for the disk", component: Self.component,
                retryAfter: .seconds(1))
            return shard.assumeIsolated { $0.reply(to: request, .refusal(refusal)) }
        }
        whenAwake(for: request) { account in
            account.core.doubt = account.world.clock.doubt
            account.carryOut(account.core.receive(request, now: account.world.clock.lasting))
        }
    }

    func settled(_ request: Request, _ answer: Answer) {
        carryOut(core.settled(request, answer, now: world.clock.lasting))
    }

    /// What follows from an action waits its turn: a refusal lets the next of many go, and so on.
    private func carryOut(_ actions: [AccountCore.Action]) {
        toCarryOut += actions
        guard !isCarryingOut else { return }
        isCarryingOut = true
        defer {
            isCarryingOut = false
            toCarryOut = []
        }
        var index = 0
        while index < toCarryOut.count {
            let action = toCarryOut[index]
            index += 1
            switch action {
            case .answer(let request, let answer):
                shard.assumeIsolated { $0.reply(to: request, answer) }
                tellOtherDevices(of: answer, to: request)
            case .forward(let request):
                forward(request)
            case .recall(let request):
                recall(request)
            case .look(let requests):
                look(for: requests)
            case .report(let row):
                world.store.report([row])
            }
        }
    }

    /// The person's other devices learn that what has come into their view is the person's own.
    private func tellOtherDevices(of answer: Answer, to request: Request) {
        guard devices.count > 1, case .success(let result) = answer,
            let instance = request.command.broughtIn(by: result)
        else { return }
        for device in devices where device != request.sender.participant {
            shard.assumeIsolated { shard in
                shard.onShard(device.loop) { $0.tellOwn(instance, to: device) }
            }
        }
    }

    private func forward(_ request: Request) {
        do {
            let home = try request.command.home(for: request.sender, settings: world.settings)
            if home == .account(id) { return decide(request) }
            shard.assumeIsolated { $0.hand(request, to: home) }
        } catch {
            settled(request, .refusal(error))
        }
    }

    /// Gives the first answer again (PLC-8).
    private func recall(_ request: Request) {
        let (shard, store) = (shard, world.store)
        store.read([KeptAnswer.answer(to: request.key, of: id)]) { result in
            var answer = Answer.refusal(KeptAnswer.unreadable)
            if let rows = try? result.get().first {
                answer = .refusal(KeptAnswer.lost)
                do throws(DamagedRow) {
                    if let row = rows.first {
                        answer = .success(try KeptAnswer.result(for: request, in: row))
                    }
                } catch {
                    store.report([error])
                }
            }
            shard.post { [answer] in $0.reply(to: request, answer) }
        }
    }

    /// Asks the store whether it knows keys that are not remembered here.
    private func look(for requests: [Request]) {
        world.store.read(requests.map { KeptAnswer.answer(to: $0.key, of: id) }) { [self] result in
            let rows = try? result.get().map(\.first)
            shard.post { _ in
                self.assumeIsolated { $0.carryOut($0.core.found(rows, now: $0.world.clock.lasting)) }
            }
        }
    }
}
