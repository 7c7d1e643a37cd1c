internal import CairnConfiguration
internal import CairnServer
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import DequeModule
internal import Foundation
internal import Logging

/// Where operators are answered. Everything in it belongs to the thread of `StatsService`.
final class StatsRoom {
    let context: ServerContext
    let access: OperatorAccess
    let shards: [Shard]
    let started: ServerStart
    let health: Health
    let actions: OperatorActions
    var operators: [UInt64: Operator] = [:]
    var table = CellTable()
    /// The last figures, made once a second. Those of a sample are of one moment.
    var figures: ServerFigures
    var rates = Rates.none
    private var meter = RateMeter()
    var history = History()
    /// The state of health, made once a second.
    private(set) var verdict = HealthVerdict.none
    var book = AlarmBook()
    private var diskForecast = DiskForecast()
    private var healthFigures = HealthFigures()
    /// Whether the server has taken players.
    private var hasServed = false
    /// Inquiries to all shards that are not answered yet.
    var inquiries: [UInt64: any OpenInquiry] = [:]
    var inquiryNumber: UInt64 = 0
    /// Continuations that wait for the cells' rows.
    var hearers: [(StatsRoom) -> Void] = []
    var lastRows: [ShardRows]
    /// Seconds since the start, as the room counts them.
    private(set) var tickNumber: UInt64 = 0
    private var sockets: [StatsSocket]
    private var links: [UInt64: DescriptorLink] = [:]
    /// Operators who came over a WebSocket.
    var webSockets: [WebSocketName: UInt64] = [:]
    private var nextNumber: UInt64 = 1
    /// When the room closes at the latest; nil = it has not been told to.
    private var closing: MonotonicTime?
    private(set) var service: StatsService?

    /// Most operators at a time. At this bound a new one replaces the one that has been idle for longest.
    static let operatorsMax = 128
    /// An operator who does not read for this long is disconnected, in seconds.
    private static let behindMax: Duration = .seconds(30)
    /// How long a closing room waits for answers that are being made or sent, such as that to `drain`. Less than
    /// `StatsService.stop` waits for the room.
    private static let lastAnswersMax: Duration = .seconds(1)

    init(
        context: ServerContext, access: OperatorAccess, shards: [Shard], started: ServerStart, health: Health,
        actions: OperatorActions, sockets: [StatsSocket]
    ) {
        self.context = context
        self.access = access
        self.shards = shards
        self.started = started
        self.health = health
        self.actions = actions
        self.sockets = sockets
        lastRows = Array(repeating: ShardRows(), count: shards.count)
        figures = ServerFigures(context, access, shards: context.reports.all)
    }

    var now: MonotonicTime { .now }

    /// Closes the room when the answers under way have been sent. No further operator or command is taken.
    func stop() {
        closing = closing ?? now + Self.lastAnswersMax
    }

    private var isClosed: Bool {
        guard let closing else { return false }
        return now >= closing || !operators.values.contains { $0.isBusy || !$0.link.isReady }
    }

    // MARK: The thread

    /// Waits for operators and for the second, until stopped.
    func run(service: StatsService, wake: Int32) {
        self.service = service
        var nextTick = now
        while !isClosed {
            let late = inquiries.values.map(\.deadline).min() ?? .distantFuture
            let due = min(nextTick, late, closing ?? .distantFuture)
            // Rounded up: a wait that ends before the time would be followed by another.
            let milliseconds = (due.microseconds(since: now) + 999) / 1_000
            let ready = wait(wake: wake, milliseconds: Int32(min(1_000, milliseconds)))
            for job in service.takeJobs() { job(self) }
            for socket in sockets where ready[socket.descriptor] != nil { accept(from: socket) }
            for (number, link) in links { serve(number, link, events: ready[link.descriptor] ?? 0) }
            finishLateInquiries()
            if now >= nextTick {
                nextTick = max(nextTick + .seconds(1), now)
                tick()
            }
        }
        for someone in operators.values { someone.link.close() }
        operators = [:]
        links = [:]
        sockets = []
    }

    /// Waits until something happens; gives the descriptors with news, and which.
    private func wait(wake: Int32, milliseconds: Int32) -> [Int32: Int32] {
        var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        polled += sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        for (number, link) in links {
            var events: Int16 = 0
            if !link.isReady { events |= Int16(POLLOUT) }
            // An operator who has not read the last answer is not polled for the next command.
            let waiting = operators[number]?.commands.count ?? 0
            if link.isReady && !link.isAtEnd && waiting < Operator.commandsMax { events |= Int16(POLLIN) }
            polled.append(pollfd(fd: link.descriptor, events: events, revents: 0))
        }
        poll(&polled, nfds_t(polled.count), milliseconds)
        if polled[0].revents != 0 {
            var drain = [UInt8](repeating: 0, count: 64)
            while read(wake, &drain, drain.count) == drain.count {}
        }
        return Dictionary(uniqueKeysWithValues: polled.filter { $0.revents != 0 }.map { ($0.fd, Int32($0.revents)) })
    }

    private func accept(from socket: StatsSocket) {
        guard closing == nil else { return }
        while let descriptor = socket.accept(refused: { access.figures.refused(.user) }) {
            let link = DescriptorLink(descriptor: descriptor)
            let number = admit(link, OperatorPass(socket: descriptor), level: socket.level)
            links[number] = link
        }
    }

    private func serve(_ number: UInt64, _ link: DescriptorLink, events: Int32) {
        if events & POLLOUT != 0 { link.flush() }
        if events & (POLLIN | POLLHUP) != 0 {
            let lines = link.read()
            if !lines.isEmpty { receive(lines, from: number) }
        }
        if let someone = operators[number], !someone.commands.isEmpty { proceed(someone) }
        let isIdle = operators[number].map { $0.commands.isEmpty && !$0.isBusy && $0.watch == nil } ?? true
        // A closed connection reads no more. A half-closed one may still read the answer.
        let isGone = events & (POLLHUP | POLLERR) != 0 && events & POLLIN == 0
        if link.isOver || isGone || (link.isAtEnd && isIdle && link.isReady) {
            links[number] = nil
            depart(number)
        }
    }

    // MARK: Coming and going

    /// Lets an operator in; at the bound another one is disconnected.
    func admit(_ link: any OperatorLink, _ pass: OperatorPass, level: OperatorLevel) -> UInt64 {
        if operators.count >= Self.operatorsMax,
            let quietest = operators.values.min(by: { $0.lastHeard < $1.lastHeard })
        {
            access.figures.refused(.full)
            dismiss(quietest)
        }
        let number = nextNumber
        nextNumber += 1
        operators[number] = Operator(number: number, pass: pass, level: level, link: link, now: now)
        access.figures.note { figures in
            figures.connected += 1
            figures.accepted += 1
        }
        return number
    }

    /// Sends those away whose cookie is over: signed out, expired, or dropped for newer ones.
    func dismissSignedOut() {
        for someone in operators.values {
            guard let cookie = someone.cookie, !access.authentication.admits(cookie) else { continue }
            dismiss(someone)
        }
    }

    func dismiss(_ someone: Operator) {
        someone.link.close()
        links[someone.number] = nil
        depart(someone.number)
    }

    /// An operator's connection is over.
    func depart(_ number: UInt64) {
        guard operators.removeValue(forKey: number) != nil else { return }
        access.figures.note { $0.connected -= 1 }
    }

    // MARK: Commands

    /// Receives lines from an operator and answers them one after the other.
    func receive(_ lines: [String], from number: UInt64) {
        guard let someone = operators[number] else { return }
        someone.lastHeard = now
        someone.commands.append(contentsOf: lines)
        guard someone.commands.count <= Operator.commandsWaitingMax else {
            access.figures.refused(.misbehaved)
            return dismiss(someone)
        }
        proceed(someone)
    }

    /// Answers the waiting commands, unless the last answer is still being made or read.
    func proceed(_ someone: Operator) {
        while closing == nil, !someone.isBusy, someone.link.isReady, let line = someone.commands.popFirst() {
            perform(line, for: someone)
        }
    }

    // MARK: The second

    private func tick() {
        tickNumber += 1
        sample()
        dropThoseWhoDoNotRead()
        dismissSignedOut()
        for someone in operators.values { proceed(someone) }
        let due = operators.values.filter { ($0.watch?.dueTick ?? .max) <= tickNumber }
        if !due.isEmpty { hear { $0.updateWatchers() } }
    }

    /// Reads the newest reports and works out the rates.
    private func sample() {
        var process = figures.process
        if tickNumber % 10 == 1 {
            process = ProcessFigures.read(folder: context.configuration.storage.path ?? ".")
            process.diskFullSeconds = diskForecast.seconds(free: process.diskFreeBytes, now: now)
        }
        process.memoryLevel = context.memory.level
        process.memory = context.memory.nearest
        access.publish(process)
        let fresh = ServerFigures(context, access, shards: context.reports.all)
        rates = meter.measure(fresh.shards, store: fresh.store, now: now)
        figures = fresh
        history.add(fresh, rates, now: now)
        healthFigures = HealthFigures(fresh, of: self, before: healthFigures)
        healthFigures.count(fresh)
        judge()
    }

    /// Reads what can be read without a hop, and judges it, so that an answer's figures and alarms agree.
    func refresh() {
        figures.refresh(from: context, access)
        healthFigures = HealthFigures(figures, of: self, before: healthFigures)
        judge()
    }

    /// Judges the state of health, and keeps the alarms for operators who did not look.
    private func judge() {
        verdict = HealthVerdict(alarms: figures.alarms(healthFigures))
        noteAttempts()
        hasServed = hasServed || healthFigures.isServing
        // That a server starts is nothing that somebody has to see later.
        guard hasServed else { return }
        for alarm in book.note(verdict.alarms, now: now) {
            context.logger.warning(
                "stats: an alarm is raised", metadata: ["figure": "\(alarm.figure)", "text": "\(alarm.sentence)"])
        }
    }

    /// Enters wrong credentials in the audit log, with the addresses.
    private func noteAttempts() {
        let isRaised = verdict.alarms.contains { $0.isOf(HealthRule.wrongCredentials.figure) }
        let counters = access.figures
        guard let entry = counters.attemptEntry(isRaised: isRaised, now: now) else { return }
        let (signIn, logger) = (context.signIn, context.logger)
        logger.warning("stats: wrong credentials", metadata: ["attempts": "\(entry.words)"])
        Task {
            var isKept = true
            do {
                try await signIn.note(.wrongCredentials, about: [nil], by: .server, because: entry.words)
            } catch {
                isKept = false
                logger.error("stats: wrong credentials are not in the audit log", metadata: ["cause": "\(error)"])
            }
            counters.ended(entry, isKept: isKept)
        }
    }

    private func dropThoseWhoDoNotRead() {
        let time = now
        for someone in operators.values {
            someone.link.probe()
            guard !someone.link.isReady else {
                someone.behindSince = nil
                continue
            }
            let since = someone.behindSince ?? time
            someone.behindSince = since
            guard time - since >= Self.behindMax else { continue }
            access.figures.refused(.misbehaved)
            dismiss(someone)
        }
    }
}
