import CairnClient
import CairnGeo
import CairnWire
import Foundation
import Histogram

/// A crowd at work: all bots on one loop, from the first connection to the verdict. Confined to the loop's thread.
final class Crowd: SocketHandler {
    /// Something to do at a time.
    enum Beat {
        case pose(Int)
        case errand(Int)
        case react(Int)
        case wake(Int)
        case reconnect(Int)
        case cut(Int)
        case stopReading(Int)
        case read(Int)
        case second
        case connectDeadline
        case begin
        case measure
        case stop
        case judge
    }

    enum Stage: String {
        case connecting, warming, measuring, draining
    }

    let plan: CrowdPlan
    let loop: SocketLoop
    let bots: [Bot]
    let meter: PoseMeter
    var oracle: Oracle
    var report: CrowdReport
    var stage = Stage.connecting
    var wheel: TimerWheel<Beat>
    var acks = Histogram<UInt32>(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)
    var secondAcks = Histogram<UInt32>(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .two)
    var measured: Range<UInt64> = 0..<0
    var usage = UsageSpan()
    var messagesReceived: UInt64 = 0
    var bytesReceived: UInt64 = 0
    var posesReceivedBefore: UInt64 = 0
    var bytesReceivedBefore: UInt64 = 0
    var liveCount = 0
    private var nextToConnect = 0
    private var handshakes = 0
    private let startedAt: UInt64
    private let namePrefix: [UInt8]
    private let serverPID: Int32?
    private let progress: (SecondFigures) -> Void
    private var secondNumber = 0
    private var secondsBefore = SecondCounters()
    private var isOver = false
    private var stoppedAt: UInt64 = 0
    private var lastReceivedAt: UInt64 = 0

    private struct SecondCounters {
        var sent: UInt64 = 0
        var delivered: UInt64 = 0
        var lost: UInt64 = 0
        var serverCPU: Double?
    }

    init(plan: CrowdPlan, endpoint: Endpoint, serverPID: Int32?, progress: @escaping (SecondFigures) -> Void) {
        self.plan = plan
        self.serverPID = serverPID
        self.progress = progress
        let now = SocketLoop.now
        startedAt = now
        let areas = plan.areas
        let random = SeededGenerator(seed: plan.seed)
        // Accounts are new with each run: their quotas are fresh.
        let prefix = "b" + String(UInt32.random(in: 0...UInt32.max), radix: 36) + "-"
        namePrefix = Array(prefix.utf8)
        bots = (0..<plan.people).map { index in
            Bot(
                index: index, name: prefix + "\(index)", area: areas[index % areas.count], plan: plan,
                random: random.branch(UInt64(index)))
        }
        loop = SocketLoop(endpoint: endpoint, format: plan.format, capacity: plan.people)
        meter = PoseMeter(people: plan.people, period: plan.period)
        oracle = Oracle(bots: plan.people)
        report = CrowdReport(plan: plan, url: endpoint.url)
        wheel = TimerWheel(now: now)
        loop.handler = self
    }

    /// Runs to the end on the calling thread.
    func run() -> CrowdReport {
        wheel.schedule(at: startedAt + 1_000_000, .second)
        wheel.schedule(at: startedAt + UInt64(CrowdPlan.connectSeconds * 1_000_000), .connectDeadline)
        connectMore()
        loop.run()
        return report
    }

    // MARK: Connecting

    private func connectMore() {
        while handshakes < plan.handshakesMax, nextToConnect < bots.count {
            handshakes += 1
            nextToConnect += 1
            connect(nextToConnect - 1)
        }
    }

    /// The last of the people are the slow ones.
    func isSlow(_ index: Int) -> Bool { Double(index) >= Double(bots.count) * (1 - plan.slowShare) }

    private func connect(_ index: Int) {
        loop.connect(index, bufferBytes: isSlow(index) ? CrowdPlan.slowBufferBytes : nil)
    }

    func opened(_ index: Int) {
        bots[index].core.connectionOpened(now: SocketLoop.now)
        flush(bots[index])
    }

    func welcomed(_ bot: Bot) {
        liveCount += 1
        // Coming back after a cut, not joining for the first time.
        guard stage == .connecting else {
            report.resumed += bot.core.welcome?.resumed == true ? 1 : 0
            meter.resend(bot.index)
            return
        }
        handshakes -= 1
        bot.core.move(to: bot.position(height: PoseCode.unnumberedHeight))
        connectMore()
        guard liveCount == bots.count else { return }
        report.connectSeconds = Double(SocketLoop.now - startedAt) / 1_000_000
        wheel.schedule(at: SocketLoop.now + 500_000, .begin)
    }

    func closed(_ index: Int, code: UInt16, reason: String) {
        let bot = bots[index]
        let now = SocketLoop.now
        let wasLive = bot.core.phase == .live
        if wasLive { liveCount -= 1 }
        guard !isOver else { return }
        guard wasLive || stage != .connecting else {
            return fail("bot \(index) could not connect: \(reason) (close code \(code))")
        }
        // The server may end what is too slow for too long (SES-8); everything else is a fault.
        if wasLive, !isSlow(index) { oracle.take(.cut(bot: index, code: code, reason: reason)) }
        comeBack(bot, code: code, now: now)
    }

    /// Cuts a connection, as a tunnel does to a phone.
    private func cut(_ bot: Bot, now: UInt64) {
        guard isWalking else { return }
        wheel.schedule(at: now + UInt64(.random(in: 0..<2 * plan.cutEvery * 1e6, using: &bot.random)), .cut(bot.index))
        guard bot.core.phase == .live else { return }
        report.cuts += 1
        liveCount -= 1
        meter.cut(bot.index, now: now)
        loop.abort(bot.index)
        comeBack(bot, code: 1_006, now: now)
    }

    private func comeBack(_ bot: Bot, code: UInt16, now: UInt64) {
        for topic in bot.core.view.topics.keys { oracle.take(.unfollowed(bot: bot.index, topic: topic, at: now)) }
        bot.tracks = []
        guard case .after(let pause) = bot.core.connectionClosed(code: code, now: now) else { return }
        wheel.schedule(at: now + UInt64(pause / .microseconds(1)), .reconnect(bot.index))
    }

    private var isWalking: Bool { stage == .warming || stage == .measuring }

    func fail(_ reason: String) {
        if report.failure == nil { report.failure = reason }
        isOver = true
    }

    // MARK: Receiving

    func received(_ bytes: UnsafeRawBufferPointer, wireBytes: Int, on index: Int) {
        let bot = bots[index]
        let now = SocketLoop.now
        messagesReceived += 1
        lastReceivedAt = now
        bytesReceived += UInt64(wireBytes)
        let events = bot.core.receive(bytes, now: now) { batch in take(batch, bot, now) }
        guard !events.isEmpty else { return }
        for event in events { take(event, bot, now) }
        flush(bot)
    }

    private func take(_ batch: borrowing PresenceBatch, _ bot: Bot, _ now: UInt64) {
        let cell = batch.cell
        var place = bot.tracks.firstIndex { $0.cell == cell } ?? -1
        if place < 0 {
            place = bot.tracks.count
            bot.tracks.append((cell, CellTrack()))
        }
        bot.tracks[place].track.take(batch) { name in person(name) }
        let faults = meter.take(
            batch, into: &bot.tracks[place].track, receiver: bot.index, isSlow: isSlow(bot.index), now: now)
        if !faults.isEmpty { oracle.take(.poseFaults(bot: bot.index, faults)) }
    }

    /// Index of the bot with a name.
    private func person(_ name: UnsafeRawBufferPointer) -> Int32 {
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

    /// Sends what a core wants sent, and sees to it that it is woken.
    func flush(_ bot: Bot) {
        for message in bot.core.takeOutgoing() { loop.send(message, on: bot.index) }
        guard let wake = bot.core.nextWake, bot.wakeSetFor != wake else { return }
        bot.wakeSetFor = wake
        wheel.schedule(at: wake, .wake(bot.index))
    }

    // MARK: Time

    func ticked(now: UInt64) -> LoopTurn {
        for (due, beat) in wheel.takeDue(now: now) {
            take(beat, due: due, now: now)
            if isOver { return .end }
        }
        return isOver ? .end : .next(at: wheel.nextDue() ?? now + 1_000_000)
    }

    private func take(_ beat: Beat, due: UInt64, now: UInt64) {
        switch beat {
        case .pose(let index): pose(bots[index], due: due, now: now)
        case .errand(let index): errand(bots[index], due: due, now: now)
        case .react(let index): react(bots[index], due: due, now: now)
        case .wake(let index):
            bots[index].wakeSetFor = nil
            for event in bots[index].core.wake(now: now) { take(event, bots[index], now) }
            flush(bots[index])
        case .reconnect(let index): connect(index)
        case .cut(let index): cut(bots[index], now: now)
        case .stopReading(let index):
            guard isWalking else { return }
            loop.pause(index, true)
            wheel.schedule(at: now + UInt64(CrowdPlan.slowSeconds.stops * 1e6), .read(index))
        case .read(let index):
            loop.pause(index, false)
            wheel.schedule(at: now + UInt64(CrowdPlan.slowSeconds.reads * 1e6), .stopReading(index))
        case .second:
            tellSecond(now: now)
            wheel.schedule(at: due + 1_000_000, .second)
        case .connectDeadline:
            if stage == .connecting { fail("only \(liveCount) of \(bots.count) people connected in time") }
        case .begin: begin(now: now)
        case .measure: measure(now: now)
        case .stop: stop(now: now)
        case .judge:
            guard isAtRest(now: now) else { return wheel.schedule(at: now + 200_000, .judge) }
            judge(now: now)
            isOver = true
        }
    }

    private func begin(now: UInt64) {
        stage = .warming
        let first = now + 200_000
        var random = SeededGenerator(seed: plan.seed).branch(.max)
        for bot in bots {
            // Spread evenly, not at random: a crowd's load is what is measured, not its luck.
            let due = first + plan.period * UInt64(bot.index) / UInt64(bots.count)
            meter.start(sender: bot.index, firstDue: due)
            wheel.schedule(at: due, .pose(bot.index))
            func phase(_ seconds: Double) -> UInt64 { first + UInt64(.random(in: 0..<seconds * 1e6, using: &random)) }
            if plan.placeEvery > 0 { wheel.schedule(at: phase(plan.placeEvery), .errand(bot.index)) }
            if plan.cutEvery > 0 { wheel.schedule(at: phase(2 * plan.cutEvery), .cut(bot.index)) }
            if isSlow(bot.index) { wheel.schedule(at: phase(CrowdPlan.slowSeconds.reads), .stopReading(bot.index)) }
            if plan.reactEvery > 0 { wheel.schedule(at: phase(plan.reactEvery), .react(bot.index)) }
        }
        if let limits = bots.first?.core.welcome?.limits {
            meter.presenceInterval = UInt64(limits.presenceInterval) * 1_000
            oracle.quotas = QuotaRule(
                perMinute: Int(limits.placementsPerMinute), perDay: Int(limits.placementsPerDay),
                perArea: Int(limits.areaQuota))
            if Int(limits.cellLevel) != plan.cellLevel {
                return fail(
                    "the server's cells are of level \(limits.cellLevel), the plan's of level \(plan.cellLevel)")
            }
        }
        wheel.schedule(at: first + UInt64(plan.warmUpSeconds * 1e6), .measure)
    }

    private func measure(now: UInt64) {
        stage = .measuring
        measured = now..<now + UInt64(plan.seconds * 1e6)
        meter.window = measured
        usage.begin(server: serverPID)
        posesReceivedBefore = meter.received
        bytesReceivedBefore = bytesReceived
        wheel.schedule(at: measured.upperBound, .stop)
    }

    private func stop(now: UInt64) {
        stage = .draining
        for bot in bots { loop.pause(bot.index, false) }
        usage.end(server: serverPID)
        let poses = meter.received - posesReceivedBefore
        let bytes = bytesReceived - bytesReceivedBefore
        report.bytesPerPose = poses == 0 ? 0 : Double(bytes) / Double(poses)
        stoppedAt = now
        wheel.schedule(at: now + UInt64(CrowdPlan.drainSeconds * 1e6), .judge)
    }

    /// Whether everything has come that will: nothing for a while, and no request without an answer.
    private func isAtRest(now: UInt64) -> Bool {
        if now - stoppedAt > UInt64(CrowdPlan.restSecondsMax * 1e6) { return true }
        return now - lastReceivedAt > 1_000_000 && liveCount == bots.count
            && bots.allSatisfy { $0.core.unansweredCount == 0 && $0.core.nextWake == nil }
    }

    // MARK: What people do

    private func pose(_ bot: Bot, due: UInt64, now: UInt64) {
        guard isWalking else { return }
        wheel.schedule(at: due + plan.period, .pose(bot.index))
        bot.walker.walk(seconds: 1 / plan.rate, using: &bot.random)
        guard bot.core.phase == .live else { return }
        let number = meter.send(bot.index, due: due, now: now)
        bot.core.move(to: bot.position(height: PoseCode.height(of: number)))
        flush(bot)
    }

    private func errand(_ bot: Bot, due: UInt64, now: UInt64) {
        guard isWalking else { return }
        if case .remove(let id)? = bot.runErrand(now: now) { oracle.take(.removing(bot: bot.index, id, at: now)) }
        flush(bot)
        wheel.schedule(at: due + UInt64(plan.placeEvery * 1e6), .errand(bot.index))
    }

    private func react(_ bot: Bot, due: UInt64, now: UInt64) {
        guard isWalking else { return }
        bot.react(now: now)
        flush(bot)
        wheel.schedule(at: due + UInt64(plan.reactEvery * 1e6), .react(bot.index))
    }

    // MARK: Progress

    private func tellSecond(now: UInt64) {
        let sent = meter.senders.reduce(0) { $0 + UInt64($1.sent) }
        let serverCPU = serverPID.flatMap(ProcessUsage.cpuSeconds)
        let cores = serverCPU.flatMap { now in secondsBefore.serverCPU.map { now - $0 } }
        progress(
            SecondFigures(
                second: secondNumber, phase: stage.rawValue, connected: liveCount, posesSent: sent - secondsBefore.sent,
                posesDelivered: meter.deliveredEver - secondsBefore.delivered,
                posesLost: meter.lost - secondsBefore.lost,
                latency: Latency(meter.takeSecond()), acksP99: Latency(secondAcks).p99, serverCores: cores,
                rulesBroken: oracle.broken.count))
        secondNumber += 1
        secondAcks.reset()
        secondsBefore = SecondCounters(
            sent: sent, delivered: meter.deliveredEver, lost: meter.lost, serverCPU: serverCPU)
    }
}
