import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation
import Histogram

/// A running crowd: all bots on one loop, from the first connection to the verdict. Confined to the loop's thread.
final class Crowd: SocketHandler {
    /// A timed action.
    enum Beat {
        case pose(Int)
        /// A bot and one of `CrowdFeatures.activities`. The numbers are small, because each bot always has a beat.
        case act(Int32, Int32)
        case wake(Int)
        case reconnect(Int)
        case cut(Int)
        case storm
        case stopReading(Int)
        case read(Int)
        case second
        case connectDeadline
        case begin
        case measure
        case stop
        case judge
        case tidy
    }

    enum Stage: String {
        case connecting, warming, measuring, draining, tidying
    }

    let plan: CrowdPlan
    let loop: any ConnectionLoop
    let bots: [Bot]
    let meter: PoseMeter
    /// The activities in a closed loop.
    let closedLoops: [Activity]
    var oracle: Oracle
    var report: CrowdReport
    var stage = Stage.connecting
    var wheel: TimerWheel<Beat>
    var acks = Histogram<UInt32>(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)
    var secondAcks = Histogram<UInt32>(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .two)
    var measured = MonotonicTime.epoch..<MonotonicTime.epoch
    var usage = UsageSpan()
    var messagesSent: UInt64 = 0
    var messagesReceived: UInt64 = 0
    var bytesReceived: UInt64 = 0
    var posesReceivedBefore: UInt64 = 0
    var bytesReceivedBefore: UInt64 = 0
    var liveCount = 0
    /// Number of bots whose own cell has come into view.
    var arrivedCount = 0
    /// Nil = joins are not measured.
    var joins: JoinMeter?
    /// Nil = the kinds of requests and broadcasts are not measured.
    var quality: QualityMeter?
    /// Times from the first attempt to reconnect to the welcome.
    var returns = Histogram<UInt32>(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)
    private var nextToConnect = 0
    private var handshakes = 0
    /// Cells for which the present message has the first batch of the receiver.
    private var newCells: [CellID] = []
    let startedAt: MonotonicTime
    private let namePrefix: [UInt8]
    /// Bots by name, where the names come from tokens.
    private var named: [String: Int32] = [:]
    /// Whether the world is not the crowd's own and exists after the run.
    let isKept: Bool
    /// When tidying up is abandoned.
    var tidyUntil: MonotonicTime = .epoch
    let serverPID: Int32?
    let progress: (SecondFigures) -> Void
    var secondsBefore = SecondCounters()
    var isOver = false
    var stoppedAt: MonotonicTime = .epoch
    private(set) var lastReceivedAt: MonotonicTime = .epoch
    /// By how much the crowd was late at most with what was due since the run began, microseconds.
    var lateMost: UInt64 = 0

    struct SecondCounters {
        var sent: UInt64 = 0
        var delivered: UInt64 = 0
        var lost: UInt64 = 0
        var serverCPU: Double?
    }

    /// - Parameters:
    ///   - loop: nil = one with connections to the destination.
    ///   - salt: of this run's names and keys, independent of the seed: accounts whose quotas are unused.
    init(
        plan: CrowdPlan, destination: Destination, secure: SecureClient? = nil, loop: (any ConnectionLoop)? = nil,
        salt: UInt64 = .random(in: .min ... .max), serverPID: Int32?, progress: @escaping (SecondFigures) -> Void
    ) {
        let loop =
            loop
            ?? SocketLoop(
                endpoint: destination.endpoint, secure: secure, format: plan.format, capacity: plan.people)
        self.plan = plan
        self.loop = loop
        isKept = destination.isKept
        self.serverPID = serverPID
        self.progress = progress
        let now = loop.now
        startedAt = now
        let areas = plan.areas
        let random = SeededGenerator(seed: plan.seed)
        let prefix = "b" + String(UInt32(truncatingIfNeeded: salt), radix: 36) + "-"
        namePrefix = Array(prefix.utf8)
        let company = Company()
        let salted = SeededGenerator(seed: salt)
        bots = (0..<plan.people).map { index in
            Bot(
                index: index, name: prefix + "\(index)",
                token: destination.tokens.isEmpty ? "" : destination.tokens[index], area: areas[index % areas.count],
                plan: plan, random: random.branch(UInt64(index)), keys: salted.branch(UInt64(index)), company: company)
        }
        meter = PoseMeter(people: plan.people, period: plan.period, crowdPeople: plan.thinnedPeople)
        oracle = Oracle()
        closedLoops = CrowdFeatures.activities.filter { if case .inFlight = $0.pace(plan) { true } else { false } }
        report = CrowdReport(plan: plan, url: destination.endpoint.url)
        wheel = TimerWheel(now: now)
        if plan.measuresQuality {
            quality = QualityMeter()
            meter.arrivals = PoseArrivals(people: plan.people)
        }
        usage.start(server: serverPID)
        loop.handler = self
    }

    /// Runs to the end on the calling thread.
    func run() -> CrowdReport {
        schedule(at: startedAt + .seconds(1), .second)
        schedule(at: startedAt + .seconds(CrowdPlan.connectSeconds), .connectDeadline)
        if plan.measuresJoins { joins = JoinMeter(server: serverPID, now: startedAt) }
        connectMore()
        loop.run()
        return report
    }

    // MARK: Connecting

    private func connectMore() {
        while handshakes < plan.handshakesMax, nextToConnect < bots.count {
            handshakes += 1
            nextToConnect += 1
            joins?.begin(nextToConnect - 1, now: loop.now)
            connect(nextToConnect - 1)
        }
    }

    /// One of `handshakesMax` has connected.
    func letNextConnect() {
        handshakes -= 1
        connectMore()
    }

    private func connect(_ index: Int) {
        let bot = bots[index]
        if stage != .connecting, bot.returningSince == nil { bot.returningSince = loop.now }
        loop.connect(index, bufferBytes: plan.isSlow(index) ? CrowdPlan.slowBufferBytes : nil)
    }

    func opened(_ index: Int) {
        let now = loop.now
        bots[index].sentSince = now
        bots[index].core.connectionOpened(now: now)
        flush(bots[index])
    }

    func welcomed(_ bot: Bot, now: MonotonicTime) {
        liveCount += 1
        bot.liveSince = now
        if !bot.isGuest, let account = bot.core.welcome?.account { bot.company.meet(bot.index, account: account) }
        // The bot reconnects after a cut and does not join for the first time.
        guard stage == .connecting else {
            report.resumed += bot.core.welcome?.resumed == true ? 1 : 0
            if let since = bot.returningSince { returns.record(now.microseconds(since: since)) }
            bot.returningSince = nil
            meter.resend(bot.index)
            return
        }
        if bot.hasToken, let name = bot.core.welcome?.name,
            let other = named.updateValue(Int32(bot.index), forKey: name)
        {
            return fail("the tokens of bots \(other) and \(bot.index) are of one name, \(name)")
        }
        if joins == nil {
            bot.tell(height: PoseCode.unnumberedHeight)
            letNextConnect()
        } else {
            askForView(bot, now: now)
        }
        guard liveCount == bots.count else { return }
        report.connectSeconds = seconds(since: startedAt)
    }

    /// A bot's own cell is in view, or its measured join is complete. The run begins when all bots have arrived.
    func arrived(_ bot: Bot) {
        guard !bot.hasArrived else { return }
        bot.hasArrived = true
        arrivedCount += 1
        guard arrivedCount == bots.count else { return }
        report.joinSeconds = seconds(since: startedAt)
        schedule(at: loop.now + .milliseconds(500), .begin)
    }

    private func seconds(since start: MonotonicTime) -> Double {
        Double(loop.now.microseconds(since: start)) / 1e6
    }

    func closed(_ index: Int, code: UInt16, reason: String) {
        let bot = bots[index]
        let now = loop.now
        let wasLive = bot.core.phase == .live
        if wasLive { liveCount -= 1 }
        guard !isOver else { return }
        guard wasLive || stage != .connecting else {
            return fail("bot \(index) could not connect: \(reason) (close code \(code))")
        }
        // The server may close a connection that is too slow for too long (SES-8). Any other end is a fault.
        if wasLive, !plan.isSlow(index) { oracle.take(.cut(bot: index, code: code, reason: reason)) }
        comeBack(bot, code: code, now: now)
    }

    /// Cuts a connection, as a tunnel does to a phone.
    func cut(_ bot: Bot, now: MonotonicTime) {
        guard bot.core.phase == .live else { return }
        report.cuts += 1
        liveCount -= 1
        meter.cut(bot.index, now: now)
        loop.abort(bot.index)
        comeBack(bot, code: 1_006, now: now)
    }

    /// From now on a bot need not see events of a topic. For a slow reader this holds from its last read on, because a
    /// cut loses everything that it has not read.
    func leave(_ topic: String, _ bot: Bot, _ now: MonotonicTime) {
        let unread = plan.isSlow(bot.index) ? Duration.seconds(plan.slowStops) : .zero
        oracle.take(.unfollowed(bot: bot.index, topic: bot.viewName(of: topic), at: now - unread))
    }

    private func comeBack(_ bot: Bot, code: UInt16, now: MonotonicTime) {
        for topic in bot.core.view.topics.keys { leave(topic, bot, now) }
        bot.tracks = []
        guard case .after(let pause) = bot.core.connectionClosed(code: code, now: now) else { return }
        schedule(at: now + pause, .reconnect(bot.index))
    }

    var isWalking: Bool { stage == .warming || stage == .measuring }

    func fail(_ reason: String) {
        if report.failure == nil { report.failure = reason }
        isOver = true
    }

    // MARK: Receiving

    func received(_ bytes: UnsafeRawBufferPointer, wireBytes: Int, on index: Int) {
        let bot = bots[index]
        let now = loop.now
        messagesReceived += 1
        lastReceivedAt = now
        bytesReceived += UInt64(wireBytes)
        let events = bot.core.receive(
            bytes, now: now, onPresence: { batch in take(batch, bot, now) }, onItem: { item in hear(item, bot, now) })
        for event in events { take(event, bot, now) }
        if !newCells.isEmpty { judgeStrays(bot, now) }
        if !events.isEmpty { flush(bot) }
    }

    private func take(_ batch: borrowing PresenceBatch, _ bot: Bot, _ now: MonotonicTime) {
        // A guest sees nobody.
        if bot.isGuest { oracle.take(.hiddenSeen(bot: bot.index, person: -1, in: batch.cell.token)) }
        guard plan.judgesPoses(bot.index) else { return meter.pass(batch) }
        let cell = batch.cell
        var place = bot.tracks.firstIndex { $0.cell == cell } ?? -1
        if place < 0 {
            newCells.append(cell)
            place = bot.tracks.count
            bot.tracks.append((cell, CellTrack()))
        }
        meter.lag = loop.lag(at: now)
        meter.takeRoster(of: batch, into: &bot.tracks[place].track) { name in
            let person = person(name)
            // A person who does not share the position must not be seen.
            if person >= 0, !bots[Int(person)].shares {
                oracle.take(.hiddenSeen(bot: bot.index, person: Int(person), in: cell.token))
            }
            return person
        }
        let faults = meter.take(
            batch, into: &bot.tracks[place].track, receiver: bot.index, isSlow: plan.isSlow(bot.index), now: now)
        if !faults.isEmpty { oracle.take(.poseFaults(bot: bot.index, faults)) }
    }

    /// Poses of a cell that is not in view: one batch may have been on its way when the cell went out of it.
    private func judgeStrays(_ bot: Bot, _ now: MonotonicTime) {
        for cell in newCells where !bot.follows(cell) {
            bot.tracks.removeAll { $0.cell == cell }
            if let left = bot.leftAt[cell], now - left < Self.strayTime { continue }
            oracle.take(.presenceOutOfView(bot: bot.index, cell: cell.token))
        }
        newCells = []
    }

    /// How long batches of a cell may be on their way after it went out of view.
    private static let strayTime: Duration = .seconds(2)

    /// Index of the bot with a name.
    private func person(_ name: UnsafeRawBufferPointer) -> Int32 {
        guard named.isEmpty else { return named[String(decoding: name, as: UTF8.self)] ?? CellTrack.stranger }
        guard name.count > namePrefix.count, name.starts(with: namePrefix) else { return CellTrack.stranger }
        var index: Int32 = 0
        for digit in name[namePrefix.count...] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), index < 1_000_000 else {
                return CellTrack.stranger
            }
            index = index * 10 + Int32(digit - UInt8(ascii: "0"))
        }
        return index < Int32(bots.count) ? index : CellTrack.stranger
    }

    /// Sends a core's messages and schedules its next wake-up.
    func flush(_ bot: Bot) {
        for message in bot.core.takeOutgoing() {
            messagesSent += 1
            loop.send(message, on: bot.index)
        }
        guard let wake = bot.core.nextWake, bot.wakeSetFor != wake else { return }
        bot.wakeSetFor = wake
        schedule(at: wake, .wake(bot.index))
    }

    // MARK: Time

    /// Sets a timer and the loop's next tick.
    func schedule(at due: MonotonicTime, _ beat: Beat) {
        wheel.schedule(at: due, beat)
        loop.tick(by: due)
    }

    func ticked(now: MonotonicTime) -> LoopTurn {
        if let reason = Interruption.reason, stage != .tidying {
            fail(reason)
            guard isKept else { return .end }
            isOver = false
            tidy(now: now)
        }
        for (due, beat) in wheel.takeDue(now: now) {
            lateMost = max(lateMost, now.microseconds(since: due))
            take(beat, due: due, now: now)
            if isOver { return .end }
        }
        return isOver ? .end : .next(at: wheel.nextDue() ?? now + .seconds(1))
    }

    private func take(_ beat: Beat, due: MonotonicTime, now: MonotonicTime) {
        switch beat {
        case .pose(let index): pose(bots[index], due: due, now: now)
        case .act(let index, let number): act(bots[Int(index)], Int(number), due: due, now: now)
        case .wake(let index):
            bots[index].wakeSetFor = nil
            for event in bots[index].core.wake(now: now) { take(event, bots[index], now) }
            flush(bots[index])
        case .reconnect(let index): connect(index)
        case .cut(let index): cutByChance(bots[index], due: due, now: now)
        case .storm: storm(due: due, now: now)
        case .stopReading(let index):
            guard isWalking else { return }
            loop.pause(index, true)
            schedule(at: due + .seconds(plan.slowStops), .read(index))
        case .read(let index):
            loop.pause(index, false)
            schedule(at: due + .seconds(plan.slowReads), .stopReading(index))
        case .second:
            tellSecond(now: now)
            lookAround(now: now)
            schedule(at: due + .seconds(1), .second)
        case .connectDeadline:
            guard stage == .connecting, arrivedCount < bots.count else { return }
            fail("of \(bots.count) people only \(liveCount) connected and \(arrivedCount) saw their cell in time")
        case .begin: begin(now: now)
        case .measure: measure(now: now)
        case .stop: stop(now: now)
        case .judge:
            guard isAtRest(now: now) else { return schedule(at: now + .milliseconds(200), .judge) }
            judge(now: now)
            if isKept { tidy(now: now) } else { isOver = true }
        case .tidy: tidyMore(now: now)
        }
    }
}
