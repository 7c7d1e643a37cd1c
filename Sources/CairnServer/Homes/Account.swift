internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWire

/// A core by itself: an account whose person only looks has none, and takes that much less memory.
final class LoadedAccountCore {
    var core: AccountCore

    init(_ core: AccountCore) { self.core = core }
}

/// The home of one person: devices, idempotency keys and quotas. Every change of the person passes here on its way to
/// the home that decides it; changes that need no place are decided here. The person's devices follow its topics.
actor Account: Home {
    nonisolated let id: AccountID
    nonisolated let shard: Shard
    let host: HomeHost
    private var loaded: LoadedAccountCore?
    private(set) var devices = Devices()
    /// Actions of the core that wait: those that result from carrying out others are added at the end.
    private var toCarryOut: [AccountCore.Action] = []
    private var isCarryingOut = false
    /// Whether keys and quotas are loaded. They are loaded once, even if the features' state is loaded again.
    private var isRestored = false
    /// The scopes that the person has a right to, beside everyone's.
    var rights = Rights()
    /// Devices that have signed in while the rights are being read.
    private var arriving: [Arrival] = []

    /// A device that has signed in.
    private struct Arrival {
        let participant: Participant
        let session: SessionID
        let resuming: SessionID?
    }

    private static let component = "account"

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }
    nonisolated var address: HomeAddress { .account(id) }
    private var context: ServerContext { host.context }

    init(id: AccountID, shard: Shard, context: ServerContext, now: MonotonicTime) {
        self.id = id
        self.shard = shard
        host = HomeHost(.account(id), context: context, now: now)
    }

    /// The state of keys and quotas; made on first need.
    private var known: LoadedAccountCore {
        if let loaded { return loaded }
        let made = LoadedAccountCore(
            AccountCore(
                account: id, register: context.register, settings: context.settings,
                keyLifetime: context.settings.keyLifetime, requestsMax: requestsMax))
        loaded = made
        return made
    }

    // MARK: Home

    var isEmpty: Bool { devices.isEmpty && arriving.isEmpty && host.hasNoFollowers }
    var isBusy: Bool { loaded.map { $0.core.underWay > 0 } ?? false || rights.isReading }
    /// An account without a device stays awake for this time, because reconnecting clients retry requests.
    var sleepDelay: Duration { .seconds(60) }
    /// No limit: some quotas are forgotten when an account sleeps, so no one may cause other accounts to sleep early.
    static var restingMax: Int { .max }

    /// Queries for whether there are stored replies, and for the use of each quota.
    var questions: [[Query]] {
        isRestored ? [] : AccountCore.questions(of: id, context.register, now: context.clock.lasting)
    }

    func restore(_ answers: [[[Row]]]) {
        guard !answers.isEmpty else { return }
        isRestored = true
        context.store.report(known.core.restore(answers, now: context.clock.lasting))
    }

    func settingsApplied() {
        loaded?.core.apply(context.settings)
        loaded?.core.requestsMax = requestsMax
    }

    // MARK: Devices (SES-11, SES-12)

    /// A device has signed in. If it names a session that still exists, it takes that session over from the connection
    /// that holds it.
    func connect(_ participant: Participant, session: SessionID, resuming: SessionID?) {
        readRights()
        let arrival = Arrival(participant: participant, session: session, resuming: resuming)
        if rights.isReading { arriving.append(arrival) } else { connect(arrival) }
    }

    /// The rights are read.
    func connectThoseWhoWait() {
        let arrivals = arriving
        arriving = []
        for arrival in arrivals { connect(arrival) }
        restIfEmpty()
    }

    private func connect(_ arrival: Arrival) {
        let (participant, session, resuming) = (arrival.participant, arrival.session, arrival.resuming)
        let devicesMax = context.configuration.connections.perAccountMax
        let old = resuming.flatMap(devices.holder)
        // A device that takes over from an open connection replaces it, so it does not count as one more.
        let isAdmitted = devices.open.count < devicesMax || old.map(devices.open.contains) == true
        if isAdmitted, let resuming, let old {
            devices.close(old)
            devices.add(participant, holding: resuming)
            grantAll(to: participant)
            return shard.assumeIsolated {
                $0.dispatch(.session(.surrender(resuming, of: old, to: participant)), to: old.place)
            }
        }
        if isAdmitted {
            devices.add(participant, holding: session)
            if devices.sessionCount > 2 * devicesMax { giveUpOldestCut() }
            grantAll(to: participant)
        }
        shard.assumeIsolated {
            $0.dispatch(.connection(participant, .welcome(isAdmitted: isAdmitted)), to: participant.place)
        }
    }

    /// The session that a connection wanted to take over was gone.
    func beganAnew(_ participant: Participant, session: SessionID) {
        guard devices.open.contains(participant) else { return }
        devices.endSessions { $1 == participant }
        devices.add(participant, holding: session)
    }

    /// A connection was cut; its session may still be taken over.
    func detach(_ participant: Participant) {
        devices.close(participant)
        arriving.removeAll { $0.participant == participant }
        restIfEmpty()
    }

    /// A session has ended.
    func disconnect(_ participant: Participant, session: SessionID) {
        devices.close(participant)
        arriving.removeAll { $0.participant == participant }
        // Also by connection: it may have closed before it learned the id of the session that it continues.
        devices.endSessions { $0 == session || $1 == participant }
        restIfEmpty()
    }

    /// Ends the oldest of the cut sessions that wait for their client.
    private func giveUpOldestCut() {
        guard let oldest = devices.oldestCut else { return }
        devices.endSessions { id, _ in id == oldest.id }
        shard.assumeIsolated { $0.dispatch(.session(.giveUp(oldest.id)), to: oldest.holder.place) }
    }

    // MARK: Changes

    /// The number of requests that all connections of one person may have under way.
    private var requestsMax: Int {
        let settings = context.configuration.connections
        return settings.perAccountMax * settings.requestsInFlightMax
    }

    /// Receives a request of the person. A change is checked against keys and quotas first; anything else is decided
    /// at once.
    func receive(_ request: Request) {
        // Requests that wait for the account to wake are not in the core yet.
        guard host.queue.count < requestsMax else {
            return shard.assumeIsolated { $0.reply(to: request, .refusal(AccountCore.crowded)) }
        }
        if request.isChange, !context.store.acceptsChanges {
            let refusal = Refusal(
                .storageUnavailable, "too many changes wait for the disk", component: Self.component,
                retryAfter: .seconds(1))
            return shard.assumeIsolated { $0.reply(to: request, .refusal(refusal)) }
        }
        accept(.work(.arrive(request)))
    }

    func arrive(_ request: Request) {
        guard request.isChange else {
            // Guests have a budget of their address (`GuestViews`): none uses up another's.
            if !id.isGuest, let refusal = known.core.admit(question: request, now: context.clock.lasting) {
                return shard.assumeIsolated { $0.reply(to: request, .refusal(refusal)) }
            }
            return decide(request)
        }
        known.core.doubt = context.clock.doubt
        carryOut(known.core.receive(request, now: context.clock.lasting))
    }

    /// A home has decided a change of the person; the answer goes to the sender's connection on a way of its own.
    func decided(_ request: Request, _ answer: Answer) {
        tellOtherDevices(of: answer, to: request)
        carryOut(known.core.decided(request, answer, now: context.clock.lasting))
    }

    /// Carries out actions in order. Actions that follow from one of them wait until these are done: a refusal can let
    /// the next of many requests go, and calls within calls would have no bound.
    private func carryOut(_ actions: [AccountCore.Action]) {
        guard !isCarryingOut else {
            toCarryOut += actions
            return
        }
        isCarryingOut = true
        defer { isCarryingOut = false }
        var actions = actions
        while !actions.isEmpty {
            for action in actions { carryOut(action) }
            actions = toCarryOut
            toCarryOut = []
        }
    }

    private func carryOut(_ action: AccountCore.Action) {
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
            context.store.report([row])
        case .note(let event):
            shard.assumeIsolated { $0.figures.homes.note(event) }
        }
    }

    /// The person's other devices learn that what has come into their view is the person's own.
    private func tellOtherDevices(of answer: Answer, to request: Request) {
        guard devices.open.count > 1, case .success(let result) = answer,
            let instance = request.command.broughtIn(by: result)
        else { return }
        for device in devices.open where device != request.sender.participant {
            shard.assumeIsolated { $0.dispatch(.connection(device, .ownInstance(instance)), to: device.place) }
        }
    }

    private func forward(_ request: Request) {
        do {
            let home = try request.home(settings: context.settings, register: context.register)
            shard.enter(with: (request, home)) { $0.give(.decide($1.0), to: $1.1) }
        } catch {
            shard.assumeIsolated { $0.answer(request, .refusal(error)) }
        }
    }

    /// Gives the first answer again (PLC-8).
    private func recall(_ request: Request) {
        let (shard, store) = (shard, context.store)
        store.read([StoredReply.answer(to: request.key, of: id)]) { result in
            var answer = Answer.refusal(StoredReply.unreadable)
            if let rows = try? result.get().first {
                answer = .refusal(StoredReply.lost)
                do throws(DamagedRow) {
                    if let row = rows.first {
                        answer = try StoredReply.answer(for: request, in: row)
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
        context.store.read(requests.map { StoredReply.answer(to: $0.key, of: id) }) { [self] result in
            let rows = try? result.get().map(\.first)
            shard.post { _ in
                self.assumeIsolated { $0.carryOut($0.known.core.found(rows, now: $0.context.clock.lasting)) }
            }
        }
    }
}
