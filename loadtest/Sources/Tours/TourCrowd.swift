import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation
import Histogram

/// People who walk tours, on one loop, from the first connection to the verdict. Confined to the loop's thread.
final class TourCrowd: SocketHandler {
    enum Beat {
        case step(Int)
        case wake(Int)
        case reconnect(Int)
        case cut(Int)
        case change(Int)
        case pause(Int)
        case goOn(Int)
        case group(Int)
        case second
        case stop
        case giveUp
    }

    let plan: CrowdPlan
    let loop: any ConnectionLoop
    let makers: TourMakers
    /// Walkers, and behind them the bystanders, who walk nowhere.
    private let people: [TourWalker]
    var rule = TourRule()
    var groups = GroupRule()
    var report: CrowdReport
    private var wheel: TimerWheel<Beat>
    private let startedAt: MonotonicTime
    private let period: Duration
    private let serverPID: Int32?
    private let progress: (SecondFigures) -> Void
    private var usage = UsageSpan()
    private(set) var walkersByName: [String: Int] = [:]
    private var nextToConnect = 0
    private var liveCount = 0
    var isStopping = false
    /// The longest that this loop was behind its time: what is late because of it is no fault of the server.
    private(set) var lag = Duration.zero
    private var isOver = false
    /// Since when a walker has been without a connection, and for how long in the present run.
    var offline: [Int: MonotonicTime] = [:]
    var offlineTime: [Int: Duration] = [:]
    var counts = (runs: 0, jumps: 0, openJumps: 0, changes: 0, pauses: 0, steps: UInt64(0), messages: UInt64(0))
    private var arrivals = Histogram<UInt32>(
        highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)

    /// How long something that was under way may still arrive.
    private static let grace: Duration = .seconds(2)
    /// How long the last answers may take.
    private static let endSeconds = 30.0

    /// - Parameters:
    ///   - loop: nil = one with connections to the destination.
    ///   - salt: of this run's names and keys, independent of the seed: new accounts.
    init(
        plan: CrowdPlan, destination: Destination, secure: SecureClient? = nil, makers: TourMakers,
        loop: (any ConnectionLoop)? = nil, salt: UInt64 = .random(in: .min ... .max), serverPID: Int32?,
        progress: @escaping (SecondFigures) -> Void
    ) {
        (self.plan, self.makers, self.serverPID, self.progress) = (plan, makers, serverPID, progress)
        let prefix = "t" + String(UInt32(truncatingIfNeeded: salt), radix: 36) + "-"
        let salted = SeededGenerator(seed: salt)
        people = (0..<plan.peopleOnTours).map {
            TourWalker(index: $0, name: prefix + "\($0)", plan: plan, keys: salted.branch(UInt64($0)))
        }
        let loop =
            loop
            ?? SocketLoop(
                endpoint: destination.endpoint, secure: secure, format: plan.format, capacity: people.count)
        self.loop = loop
        startedAt = loop.now
        period = plan.period
        report = CrowdReport(plan: plan, url: destination.endpoint.url)
        wheel = TimerWheel(now: startedAt)
        for walker in people.prefix(plan.people) { walkersByName[walker.name] = walker.index }
        usage.start(server: serverPID)
        loop.handler = self
    }

    /// Runs to the end on the calling thread.
    func run() -> CrowdReport {
        schedule(at: startedAt + .seconds(1), .second)
        schedule(at: startedAt + .seconds(CrowdPlan.connectSeconds), .giveUp)
        for _ in 0..<min(plan.handshakesMax, people.count) { connectNext() }
        loop.run()
        return report
    }

    func isBystander(_ walker: TourWalker) -> Bool { walker.index >= plan.people }

    // MARK: Connections

    private func connectNext() {
        guard nextToConnect < people.count else { return }
        nextToConnect += 1
        loop.connect(nextToConnect - 1)
    }

    func opened(_ index: Int) {
        people[index].core.connectionOpened(now: loop.now)
        flush(people[index])
    }

    func closed(_ index: Int, code: UInt16, reason: String) {
        guard !isOver else { return }
        let walker = people[index]
        if walker.core.phase == .live {
            rule.violated(index, "connection_lost", "\(code) \(reason)")
        } else if nextToConnect < people.count || liveCount < people.count, offline[index] == nil {
            return fail("walker \(index) could not connect: \(reason)")
        }
        comeBack(walker, code: code)
    }

    func comeBack(_ walker: TourWalker, code: UInt16) {
        let now = loop.now
        if offline[walker.index] == nil { offline[walker.index] = now }
        guard case .after(let pause) = walker.core.connectionClosed(code: code, now: now) else {
            return fail("walker \(walker.index) may not come back: \(code)")
        }
        schedule(at: now + pause, .reconnect(walker.index))
    }

    private func welcomed(_ walker: TourWalker, _ now: MonotonicTime) {
        if let since = offline.removeValue(forKey: walker.index) {
            offlineTime[walker.index, default: .zero] += now - since
            if walker.knownSince != nil { walker.knownSince = now }
            return
        }
        liveCount += 1
        connectNext()
        if isBystander(walker) { walker.core.move(to: walker.fix(path(of: walker).plane)) }
        guard liveCount == people.count else { return }
        report.connectSeconds = Double(now.microseconds(since: startedAt)) / 1e6
        begin(now)
    }

    private func begin(_ now: MonotonicTime) {
        usage.begin(server: serverPID)
        for walker in people.prefix(plan.people) {
            schedule(at: now + walker.pause(around: Double(period.microseconds) / 2e6), .step(walker.index))
            let beats: [(every: Double, Beat)] = [
                (plan.cutEvery, .cut(walker.index)), (plan.changeEvery, .change(walker.index)),
                (plan.pauseEvery, .pause(walker.index)), (plan.groupEvery, .group(walker.index)),
            ]
            for (every, beat) in beats where every > 0 { schedule(at: now + walker.pause(around: every), beat) }
        }
        schedule(at: now + .seconds(plan.seconds), .stop)
    }

    // MARK: Receiving

    func received(_ bytes: UnsafeRawBufferPointer, wireBytes: Int, on index: Int) {
        let (walker, now) = (people[index], loop.now)
        counts.messages += 1
        report.messagesReceived += 1
        report.bytesReceived += UInt64(wireBytes)
        var (hasPresence, items) = (false, [WireItem]())
        let events = walker.core.receive(
            bytes, now: now, onPresence: { _ in hasPresence = true }, onItem: { items.append($0) })
        if hasPresence { take(presenceOf: walker, now) }
        for item in items { hear(item, walker, now) }
        for event in events { take(event, walker, now) }
        if !events.isEmpty { flush(walker) }
    }

    /// An item as it came.
    private func hear(_ item: WireItem, _ walker: TourWalker, _ now: MonotonicTime) {
        switch item.body {
        case .run(let run): told(run, .state, walker, now)
        case .event(let event):
            switch event.change {
            case .stopReached(let reached): told(reached.run, .stopReached, walker, now)
            case .runChanged(let changed): told(changed.run, .state, walker, now)
            case .groupEnded(let ended):
                if isBystander(walker) { groups.leaked("bystander \(walker.index)", ended.group) }
                groups.ended(walker.index, ended.group, at: now)
            default: hear(topic: event.topic, walker, now)
            }
        case .group(let group): told(group, walker, now)
        case .snapshot(let page): hear(topic: page.cursor.topic, walker, now)
        default: return
        }
    }

    private func told(_ run: WireRun, _ source: TourRule.Source, _ walker: TourWalker, _ now: MonotonicTime) {
        if isBystander(walker) { return rule.leaked("bystander \(walker.index)", "run \(run.id)") }
        // The answer that begins the run may come behind the first item of it.
        guard rule.walk(of: walker.index) != nil else { return }
        let before = rule.walk(of: walker.index)?.reached ?? 0
        rule.hear(walker.index, run, source, at: now)
        walker.note(run)
        guard let walk = rule.walk(of: walker.index), walk.reached > before else { return }
        if let since = walker.nearSince { arrivals.record(now.microseconds(since: since)) }
        walker.beginLeg()
        if walk.completedAt != nil { leave(walker, now) }
    }

    /// Checks that no topic of the world reaches a walker on a run.
    private func hear(topic: String, _ walker: TourWalker, _ now: MonotonicTime) {
        guard isInside(walker, now), CellID(token: TopicName(topic).home) != nil else { return }
        rule.leaked("walker \(walker.index)", "an item of \(topic)")
    }

    private func take(presenceOf walker: TourWalker, _ now: MonotonicTime) {
        if isInside(walker, now) { rule.leaked("walker \(walker.index)", "people of a cell") }
    }

    /// Whether a walker has been on a run for so long that the server must have taken them out of the world.
    private func isInside(_ walker: TourWalker, _ now: MonotonicTime) -> Bool {
        guard !isBystander(walker), case .walking = walker.stage, let walk = rule.walk(of: walker.index) else {
            return false
        }
        return now - walk.began > Self.grace + (offlineTime[walker.index] ?? .zero)
    }

    private func take(_ event: ClientEvent, _ walker: TourWalker, _ now: MonotonicTime) {
        switch event {
        case .welcomed: welcomed(walker, now)
        case .answered(let ticket, .success(let result)): answered(ticket, result, walker, now)
        case .answered(let ticket, .refusal(let refusal)):
            report.refusals[refusal.code.rawValue, default: 0] += 1
            guard !groupRefused(ticket, refusal, walker, now) else { return }
            rule.violated(walker.index, "refused", "\(refusal)")
        case .violation(let violation): rule.violated(walker.index, violation.rule.rawValue, "\(violation)")
        case .presence(let change): seen(change, by: walker, now)
        default: return
        }
    }

    /// Checks that no walker on a run is seen outside it.
    private func seen(_ change: PresenceChange, by walker: TourWalker, _ now: MonotonicTime) {
        for person in change.moved {
            guard let other = walkersByName[person.name], isInside(people[other], now) else { continue }
            rule.leaked("bystander \(walker.index)", "walker \(other) in \(change.cell.token)")
        }
    }

    private func answered(
        _ ticket: RequestTicket, _ result: WireReply.OneOf_Result, _ walker: TourWalker, _ now: MonotonicTime
    ) {
        if pauseAnswered(ticket, result, walker, now) || groupAnswered(ticket, result, walker, now) { return }
        switch (walker.stage, result) {
        case (.starting(let own, let at, let least), .run(let run)) where own == ticket:
            let tour = walker.tour
            rule.begin(
                walker.index, run, tour: makers.tours[tour], versions: least...makers.requested(tour),
                path: { TourPath(number: tour, version: $0, plan: plan) }, requestedAt: at)
            counts.runs += 1
            walker.stage = .walking
            walker.note(run)
            walker.beginLeg()
        case (.leaving(let own), .runSummary(let summary)) where own == ticket:
            let slack = Self.grace + lag + (offlineTime.removeValue(forKey: walker.index) ?? .zero)
            rule.end(walker.index, summary, metres: walker.metres, slack: slack, at: now)
            groups.left(walker.index, at: now)
            (walker.stage, walker.knownSince) = (.outside, nil)
            endIfAllAreOutside()
        default: jumpAnswered(ticket, walker, now)
        }
    }

    // MARK: Time

    func flush(_ walker: TourWalker) {
        for message in walker.core.takeOutgoing() {
            report.messagesSent += 1
            loop.send(message, on: walker.index)
        }
        guard let wake = walker.core.nextWake, walker.wakeSetFor != wake else { return }
        walker.wakeSetFor = wake
        schedule(at: wake, .wake(walker.index))
    }

    func schedule(at due: MonotonicTime, _ beat: Beat) {
        wheel.schedule(at: due, beat)
        loop.tick(by: due)
    }

    func ticked(now: MonotonicTime) -> LoopTurn {
        if let reason = Interruption.reason { fail(reason) }
        for (due, beat) in wheel.takeDue(now: now) {
            take(beat, due: due, now: now)
            if isOver { return .end }
        }
        return isOver ? .end : .next(at: wheel.nextDue() ?? now + .seconds(1))
    }

    private func take(_ beat: Beat, due: MonotonicTime, now: MonotonicTime) {
        switch beat {
        case .step(let index):
            lag = max(lag, now - due)
            step(people[index], now)
            schedule(at: max(due + period, now), .step(index))
        case .wake(let index):
            people[index].wakeSetFor = nil
            for event in people[index].core.wake(now: now) { take(event, people[index], now) }
            flush(people[index])
        case .reconnect(let index): loop.connect(index)
        case .cut(let index):
            cut(people[index])
            schedule(at: now + people[index].pause(around: plan.cutEvery), .cut(index))
        case .change(let index):
            change(people[index], now)
            schedule(at: now + people[index].pause(around: plan.changeEvery), .change(index))
        case .pause(let index):
            pause(people[index], now)
            schedule(at: now + people[index].pause(around: plan.pauseEvery), .pause(index))
        case .goOn(let index): goOn(people[index], now)
        case .group(let index):
            actInGroup(people[index], now)
            schedule(at: now + people[index].pause(around: plan.groupEvery), .group(index))
        case .second:
            tellSecond(now)
            schedule(at: due + .seconds(1), .second)
        case .stop: stop(now)
        case .giveUp:
            if liveCount < people.count { fail("of \(people.count) people only \(liveCount) connected in time") }
        }
    }

    private func tellSecond(_ now: MonotonicTime) {
        progress(
            SecondFigures(
                second: Int(now.microseconds(since: startedAt) / 1_000_000), phase: isStopping ? "ending" : "walking",
                connected: liveCount - offline.count, posesSent: counts.steps,
                posesDelivered: UInt64(rule.stopsReached), posesLost: 0, latency: Latency(arrivals),
                acks: UInt64(rule.completed), acksP99: 0, serverCores: nil,
                serverResidentBytes: serverPID.flatMap(ProcessUsage.residentBytes), rulesBroken: brokenCount))
        if isStopping, now > stopUntil { end() }
    }

    private var brokenCount: Int { rule.broken.count + groups.broken.count }

    private var stopUntil: MonotonicTime = .distantFuture

    /// Everybody leaves their run, wherever they are.
    private func stop(_ now: MonotonicTime) {
        isStopping = true
        stopUntil = now + .seconds(Self.endSeconds)
        usage.end(server: serverPID)
        for walker in people.prefix(plan.people) { leave(walker, now) }
        endIfAllAreOutside()
    }

    private func endIfAllAreOutside() {
        guard isStopping else { return }
        for walker in people.prefix(plan.people) {
            switch walker.stage {
            case .outside: continue
            case .walking:
                leave(walker, loop.now)
                return
            case .starting, .leaving: return
            }
        }
        end()
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        for walker in people.prefix(plan.people) {
            if case .outside = walker.stage { continue }
            rule.violated(walker.index, "unanswered", "\(walker.stage)")
        }
        report.rulesBroken = brokenCount
        // No rule of groups has the name of one of walks.
        let broken = rule.broken.rules.merging(groups.broken.rules) { first, _ in first }
        report.broken = broken.mapValues(\.count)
        report.brokenExamples = broken.mapValues(\.examples)
        report.done["runs_started"] = counts.runs
        report.done["runs_completed"] = rule.completed
        report.done["stops_reached"] = rule.stopsReached
        report.done["jumps"] = counts.jumps
        report.done["jumps_open"] = counts.openJumps
        report.done["device_changes"] = counts.changes
        report.done["pauses"] = counts.pauses
        report.done["groups_opened"] = groups.counts.opened
        report.done["groups_followed"] = groups.counts.followed
        report.done["group_targets"] = groups.counts.targets
        report.latency = Latency(arrivals)
        report.serverCores = usage.serverSeconds.map { $0 / plan.seconds }
    }

    private func fail(_ reason: String) {
        if report.failure == nil { report.failure = reason }
        isOver = true
    }
}
