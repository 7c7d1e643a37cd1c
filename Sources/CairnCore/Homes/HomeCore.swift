internal import CairnGeo
public import CairnWire

/// A home without its thread: instances, turn queue and topics, as a value.
///
/// The hosting actor runs one turn after another and carries out the actions that they return.
public struct HomeCore: Sendable {
    public let address: HomeAddress
    var turn: Turn
    private var turnNumber: UInt64 = 0
    private var queue = TurnQueue<HeldTurn>()
    var topics: TopicTable
    /// The store has refused a change for good. The home runs no turn and writes nothing, and is loaded again once
    /// `isQuiet`.
    public private(set) var isLost = false

    /// The outputs of a turn, and the request or message that it handled.
    private struct HeldTurn: Sendable {
        let origin: Origin
        var effects: [Effect]
    }

    enum Origin: Sendable {
        case request(Request)
        case message(any HomeMessage)
        case inquiry(any HomeInquiry)
        case timer
        case movement
    }

    /// The work of the hosting actor, in order.
    public enum Action: Sendable {
        /// Write these statements to the disk, then call `committed` with the turn's number.
        case commit([Statement], turn: UInt64)
        case answer(Request, Answer)
        /// An event of the topic of a scope.
        indirect case broadcast(Scope, WireItem)
        /// An event of an account's excerpt of the topic of a scope.
        indirect case tellExcerpt(AccountID, Scope, WireItem)
        /// From here on an account is sent its excerpt of a topic, which was the same as the topic before.
        case beginExcerpt(AccountID, Scope)
        /// Something of the volatile lane for the followers of a scope's topic.
        indirect case show(Scope, WireItem)
        case tell(HomeAddress, any HomeMessage)
        /// Query the store, then call `resume` with the answers, on the home that has this address by then.
        case ask([Query], Request)
        /// Read an asset off the loops, then call `resume` with what the reading has made of it.
        case read(AssetID, by: AssetReading, Request)
        /// Query the store, then call `learn` with the answer.
        case inquire(Query, any HomeInquiry)
        /// Hand the request to another home, which decides it.
        case hand(HomeAddress, Request)
        /// Grant or end rights on every loop. When all loops have answered, send the answers.
        indirect case changeRights([RightChange], then: [(request: Request, answer: Answer)])
        /// A notification of this account is on disk.
        /// - Parameter about: the person whose action it reports; nil = it reports no person's.
        case notify(AccountID, about: AccountID?)
        /// A notification of this account was taken back, on disk.
        /// - Parameter about: as of `notify`.
        case recount(AccountID, about: AccountID?)
        /// Count an event for operators.
        case note(HomeEvent)
        /// Add one to an engagement count.
        case count(StaticText)
        /// A timer is due at this time. Its row is on disk.
        case schedule(LastingTime)
        /// Report damaged rows to operators.
        case report([DamagedRow])
    }

    /// - Parameters:
    ///   - lasting: nil = the same as `now`, as on a machine whose clock was never stepped.
    ///   - start: the start of the numbering of the home's topic, as in `TopicStream.init`.
    ///   - recentMax: number of events kept for reconnecting followers.
    public init(
        address: HomeAddress, register: FeatureRegister, settings: Settings, identifiers: IdentifierIssuer,
        names: NameDirectory, now: WallTime, lasting: LastingTime? = nil, start: Cursor, recentMax: Int
    ) {
        self.address = address
        turn = Turn(
            home: address, register: register, settings: settings, now: now, lasting: lasting ?? now.asLasting,
            identifiers: identifiers, names: names)
        topics = TopicTable(home: address, start: start, recentMax: recentMax)
    }

    /// Number of objects in the home. Instances of other kinds are in `featureCounts`.
    public var instanceCount: Int { turn.objects.count(of: .object) }
    /// The features' counts of instances for operators, in the order of the register.
    public var featureCounts: [Int] { turn.register.cellCounts.map { $0.value(turn.objects) } }
    /// Number of messages of the home whose outcome it does not know yet.
    public var messagesUnderWay: Int { turn.messages.sent.count }
    /// Number of turns whose effects wait for the disk.
    public var heldTurns: Int { queue.count }
    /// Whether nothing is under way: no turn waits for the disk, no durable message is undecided. A lost home does not
    /// wait for messages: it loads them again.
    public var isQuiet: Bool { heldTurns == 0 && (isLost || turn.messages.isEmpty) }

    /// Applies new settings.
    public mutating func apply(_ settings: Settings) {
        turn.settings = settings
    }

    /// Restores the stored state; `answers` are those to `FeatureRegister.stored(in:)`, feature by feature. Returns the
    /// damaged rows, which the home leaves out.
    @discardableResult
    public mutating func restore(_ answers: [[[Row]]]) -> [DamagedRow] {
        turn.register.restore(answers, in: &turn)
        restoreTimers(turn.register.timerRows(in: answers))
        restoreMessages()
        for id in turn.objects.ids {
            guard let record = turn.objects[id] else { continue }
            guard record.audience.scopes.contains(.everyone) else { continue }
            topics.restore(turn.described(record), id: id, of: record.owner)
        }
        return takeDamage()
    }

    /// Removes and returns the damaged rows that this turn has read.
    private mutating func takeDamage() -> [DamagedRow] {
        defer { turn.damage = [] }
        return turn.damage
    }

    /// The item `own`: the account's own instances here, for that account alone. A snapshot names no owners and leaves
    /// out instances that only their owner sees. Nil = the account has no instance here.
    public func own(of account: AccountID, in scope: Scope) -> WireItem? {
        let records = turn.objects.kept(of: account)
        guard !records.isEmpty else { return nil }
        var own = WireOwn()
        own.instances = records.filter { $0.audience.scopes.contains(scope) }.map(\.wire).sorted { $0.id < $1.id }
            .map { wire in
                var instance = WireOwnInstance()
                instance.id = wire.id
                instance.created = wire.created
                return instance
            }
        if scope == .everyone {
            own.hidden = records.filter(\.isHidden).map { turn.describedToOwner($0) }.sorted { $0.id < $1.id }
        }
        guard !own.instances.isEmpty || !own.hidden.isEmpty else { return nil }
        own.topic = Topic(address, scope).name
        var item = WireItem()
        item.own = own
        return item
    }

    /// The topic of a scope, as its followers know it. Nil until `open` has made it.
    public func topic(_ scope: Scope) -> TopicStream? { topics[scope] }

    /// Makes the topic of a scope for its first follower.
    public mutating func open(_ scope: Scope) {
        topics.open(scope) {
            guard scope != .guests else { return turn.seenByGuests }
            return turn.objects.kept(in: scope).map { ($0.id, $0.owner, turn.described($0)) }
        }
    }

    /// Changes the topic of a scope in what it is for single accounts; nil until `open` has made it.
    mutating func changeTopic<Result>(_ scope: Scope, _ body: (inout TopicStream) -> Result) -> Result? {
        topics.change(scope, body)
    }

    /// Runs one request.
    public mutating func receive(_ request: Request, now: WallTime, lasting: LastingTime? = nil) -> [Action] {
        decide(request, now: now, lasting: lasting) { (turn) throws(Refusal) in
            if case .space = turn.home, turn.register.changesGround(request.kind) {
                throw turn.register.groundRefusal(in: turn)
            }
            return try request.command.decide(request, in: &turn)
        }
    }

    /// Continues a request with the store's answers.
    /// - Parameter rows: the answers; nil = the store could not be queried, and the request is refused with a hint to
    ///   retry.
    public mutating func resume(
        _ request: Request, rows: [[Row]]?, now: WallTime, lasting: LastingTime? = nil
    ) -> [Action] {
        let actions = decide(request, now: now, lasting: lasting) { (turn) throws(Refusal) in
            guard let rows else { throw Self.unreadable }
            return try request.command.resume(request, rows: rows, in: &turn)
        }
        let damage = takeDamage()
        return damage.isEmpty ? actions : [.report(damage)] + actions
    }

    /// Continues a turn's inquiry with the store's answer.
    /// - Parameter rows: the answer; nil = the store could not be queried.
    public mutating func learn(
        _ inquiry: any HomeInquiry, rows: [Row]?, now: WallTime, lasting: LastingTime? = nil
    ) -> [Action] {
        begin(now: now, lasting: lasting)
        let effects = isLost ? inquiry.ifNotHeard ?? [] : inquiry.answered(rows, in: &turn)
        let actions = finish(effects, of: .inquiry(inquiry))
        let damage = takeDamage()
        return damage.isEmpty ? actions : [.report(damage)] + actions
    }

    private static let unreadable = Refusal(
        .tryAgain, "the store cannot be read now", component: "home", retryAfter: .seconds(1))

    private mutating func decide(
        _ request: Request, now: WallTime, lasting: LastingTime?,
        _ rule: (inout Turn) throws(Refusal) -> [Effect]
    ) -> [Action] {
        guard !isLost else { return [.answer(request, .refusal(Self.lost))] }
        begin(now: now, lasting: lasting)
        do {
            let effects = try rule(&turn)
            return request.isChange
                ? finish(effects, of: .request(request)) : finish(question: Self.checked(effects, of: request))
        } catch {
            let answer = Effect.answer(request, .refusal(error))
            return request.isChange ? finish([answer], of: .request(request)) : finish(question: [answer])
        }
    }

    /// A question that writes is a bug: it traps in tests; in production it is refused with `internal`, which is
    /// counted.
    private static func checked(_ effects: [Effect], of question: Request) -> [Effect] {
        guard effects.contains(where: \.needsDisk) else { return effects }
        assertionFailure("\(question.kind.name) is a question and asks for a change")
        return [.answer(question, .refusal(Refusal(.internal, "the question asks for a change", component: "home")))]
    }

    /// Receives a message of another home.
    public mutating func hear(_ message: any HomeMessage, now: WallTime, lasting: LastingTime? = nil) -> [Action] {
        begin(now: now, lasting: lasting)
        return finish(effects(of: message), of: .message(message))
    }

    private mutating func effects(of message: any HomeMessage) -> [Effect] {
        if isLost, let instead = message.ifNotHeard { return instead }
        return message.heard(in: &turn)
    }

    /// The effects in place of a message for which the home does not wake; none for a message that keeps waiting.
    public static func actions(ifNotHeard message: any HomeMessage) -> [Action] {
        (message.ifNotHeard ?? []).compactMap(immediate)
    }

    /// All writes up to and including this turn's are on disk. Rights change behind the events of all these turns: a
    /// new member follows the topic at once, and gets a snapshot that has those events.
    public mutating func committed(through number: UInt64) -> [Action] {
        let ready = queue.committed(through: number)
        settle()
        var actions: [Action] = []
        var rights: [Action] = []
        actions.reserveCapacity(ready.reduce(0) { $0 + $1.effects.count })
        for held in ready {
            release(held.effects, into: &actions)
            if case .changeRights? = actions.last { rights.append(actions.removeLast()) }
        }
        return actions + rights
    }

    /// The store has refused this turn's writes for good, because of a bug. Every later turn may depend on it, so the
    /// store voids their writes, too (until `Store.readmit`), and all of these turns are lost: none of their effects
    /// leaves, and their requests are refused and may be sent again. Messages that these turns received are handled
    /// once more.
    public mutating func lose(from number: UInt64) {
        guard !isLost else { return }
        isLost = true
        turn.objects.revert(from: number)
        for (later, held) in queue.held(from: number) {
            let effects: [Effect]
            switch held.origin {
            case .request(let request):
                effects = [.answer(request, .refusal(later == number ? Self.refused : Self.lost))]
            case .message(let message):
                turn.objects.turn = later
                let heard = self.effects(of: message)
                effects = later == number ? heard.map(Self.refusedForGood) : heard
            case .inquiry(let inquiry):
                let heard = inquiry.ifNotHeard ?? []
                effects = later == number ? heard.map(Self.refusedForGood) : heard
            case .timer, .movement:
                // The row of the timer is still there, and a member of a space moves again.
                effects = []
            }
            queue.replace(later, with: HeldTurn(origin: held.origin, effects: effects))
        }
        turn.objects.turn = turnNumber
    }

    /// Turns effects into those of a permanent failure, because a retry would fail again.
    private static func refusedForGood(_ effect: Effect) -> Effect {
        switch effect {
        case .answer(let request, .refusal): .answer(request, .refusal(refused))
        case .tell(let home, let word as MessageUnheard): .tell(home, MessageUnheard(id: word.id, failure: .refused))
        default: effect
        }
    }

    private static let refused = Refusal(.internal, "the change could not be kept", component: "home")
    private static let lost = Refusal(
        .tryAgain, "a change before it could not be kept; what is stored is being read anew", component: "home",
        retryAfter: .milliseconds(200))

    mutating func begin(now: WallTime, lasting: LastingTime?) {
        turnNumber += 1
        turn.objects.turn = turnNumber
        turn.now = max(now, turn.now)
        turn.lasting = max(lasting ?? now.asLasting, turn.lasting)
    }

    mutating func finish(
        _ effects: [Effect], of origin: Origin, also statements: [Statement] = []
    ) -> [Action] {
        var statements = isLost ? [] : statements
        let effects = sending(effects)
        var actions: [Action] = []
        // A lost home writes nothing, whatever messages it receives.
        for effect in effects where !isLost {
            switch effect {
            case .write(let statement):
                if statements.isEmpty { statements.reserveCapacity(effects.count) }
                statements.append(statement)
            case .answer(let request, .success(let result)) where request.isChange:
                let reply = turn.reply(to: request, result)
                statements.append(reply.insertion)
                if reply.isTooLong { actions.append(.note(.replyTooLong)) }
            case .wake(let due, let timer):
                turn.timers[TimerName(timer)] = TimerTable.Entry(due: due, payload: timer.payload)
                statements.append(TimerRow.setting(timer, of: address, at: due))
            case .delay(let timer, let due):
                turn.timers[TimerName(timer)] = TimerTable.Entry(due: due, payload: timer.payload)
            case .cancel(let timer, let subject):
                let name = TimerName(timer.kind.text, subject)
                guard turn.timers[name] != nil else { continue }
                turn.timers[name] = nil
                statements.append(TimerRow.deletion(of: name, of: address))
            case .notify(let draft):
                statements.append(Notification.insertion(draft, id: turn.newIdentifier(), at: turn.lasting))
            case .takeBack(let notification):
                statements.append(StoredNotification.deletion(of: notification.id))
            default: break
            }
        }
        let held = HeldTurn(origin: origin, effects: effects)
        let ready = queue.enqueue(held, of: turnNumber, writes: !statements.isEmpty)
        if !statements.isEmpty { actions.append(.commit(statements, turn: turnNumber)) }
        if let ready {
            settle()
            release(ready.effects, into: &actions)
        }
        return actions
    }

    /// Replaces each durable message by the effects that send it: a row, and a copy that leaves when the row is on
    /// disk.
    private mutating func sending(_ effects: [Effect]) -> [Effect] {
        guard !isLost, effects.contains(where: { if case .send = $0 { true } else { false } }) else { return effects }
        return effects.flatMap { effect in
            guard case .send(let receiver, let message) = effect else { return [effect] }
            return turn.send(message, to: receiver)
        }
    }

    /// Marks the changes of all turns that are no longer held as on disk: on the disk of this home, or of the home
    /// whose message caused them.
    mutating func settle() {
        turn.objects.settle(through: queue.firstHeld.map { $0 - 1 } ?? turnNumber)
    }

    private mutating func release(_ effects: [Effect], into actions: inout [Action]) {
        guard !effects.contains(where: \.changesRights) else { return releaseAfterRights(effects, into: &actions) }
        for effect in effects { release(effect, into: &actions) }
    }

    mutating func release(_ effect: Effect, into actions: inout [Action]) {
        switch effect {
        case .publish(let publication):
            assert(turn.register.publishes.contains(address.kind), "no feature says that it publishes here")
            topics.publish(publication) { scope, item, excerpts in
                for account in excerpts.began { actions.append(.beginExcerpt(account, scope)) }
                actions.append(.broadcast(scope, item))
                for excerpt in excerpts.items { actions.append(.tellExcerpt(excerpt.account, scope, excerpt.item)) }
            }
            publishToGuests(publication, into: &actions)
        case .list(let realm, let name):
            turn.names.openRealms.set(realm, to: name)
        case .offer(let id, let tour):
            turn.names.tours.set(id, to: tour)
        default:
            if let action = Self.immediate(effect) { actions.append(action) }
        }
    }
}

extension WallTime {
    /// The same time, for a home that is given one clock only.
    fileprivate var asLasting: LastingTime { LastingTime(milliseconds: milliseconds) }
}
