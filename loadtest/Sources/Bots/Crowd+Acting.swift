import CairnClient
import CairnTime
import CairnWire
import Foundation
import Histogram

/// The actions of bots, and the cuts of their connections.
extension Crowd {
    func begin(now: MonotonicTime) {
        stage = .warming
        lateMost = 0
        let first = now + .milliseconds(200)
        for bot in bots {
            // Spread evenly and not at random, so that the measured load does not depend on chance.
            let due = first + plan.period * bot.index / bots.count
            if plan.moves(bot.index) {
                meter.start(sender: bot.index, firstDue: due)
                schedulePose(of: bot, at: due)
            }
            if plan.cutEvery > 0 { schedule(at: first + bot.cutPause(upTo: 2 * plan.cutEvery), .cut(bot.index)) }
            if plan.isSlow(bot.index) {
                schedule(at: first + bot.pause(upTo: plan.slowReads), .stopReading(bot.index))
            }
            for (number, activity) in CrowdFeatures.activities.enumerated()
            where activity.isOfGuests ? bot.isGuest : plan.acts(bot.index) {
                switch activity.pace(plan) {
                case .never: break
                case .every(let seconds):
                    schedule(at: first + bot.pause(upTo: seconds), .act(Int32(bot.index), Int32(number)))
                case .inFlight: schedule(at: first, .act(Int32(bot.index), Int32(number)))
                }
            }
        }
        takeLimits()
        let warm = first + .seconds(plan.warmUpSeconds)
        if plan.stormEvery > 0 { schedule(at: warm + .seconds(plan.stormEvery / 2), .storm) }
        schedule(at: warm, .measure)
    }

    /// Takes the server's limits from the first welcome.
    private func takeLimits() {
        guard let limits = bots.first?.core.welcome?.limits else { return }
        meter.presenceInterval = .milliseconds(limits.presenceInterval)
        oracle.learn(limits)
    }

    func measure(now: MonotonicTime) {
        stage = .measuring
        measured = now..<now + .seconds(plan.seconds)
        meter.window = measured
        usage.begin(server: serverPID)
        posesReceivedBefore = meter.received
        bytesReceivedBefore = bytesReceived
        schedule(at: measured.upperBound, .stop)
    }

    func stop(now: MonotonicTime) {
        stage = .draining
        for bot in bots { loop.pause(bot.index, false) }
        usage.end(server: serverPID)
        let poses = meter.received - posesReceivedBefore
        let bytes = bytesReceived - bytesReceivedBefore
        report.bytesPerPose = poses == 0 ? 0 : Double(bytes) / Double(poses)
        report.bytesPerPersonSecond = Double(bytes) / Double(plan.people) / plan.seconds
        stoppedAt = now
        schedule(at: now + .seconds(plan.drainSeconds), .judge)
    }

    /// Whether all messages have arrived: none for a while, and no request without an answer.
    func isAtRest(now: MonotonicTime) -> Bool {
        if now - stoppedAt > .seconds(plan.restSecondsMax) { return true }
        return now - lastReceivedAt > .seconds(plan.quietSeconds) && liveCount == bots.count
            && bots.allSatisfy { $0.core.unansweredCount == 0 && $0.core.nextWake == nil }
    }

    // MARK: Actions

    private func schedulePose(of bot: Bot, at due: MonotonicTime) {
        bot.poseDue = due
        schedule(at: due, .pose(bot.index))
    }

    /// The server has asked a bot to send its poses at other moments.
    func shiftPoses(of bot: Bot, by shift: Duration) {
        guard isWalking, plan.moves(bot.index), plan.shifts(bot.index) else { return }
        report.shifts += 1
        meter.shift(sender: bot.index, by: shift)
        schedulePose(of: bot, at: bot.poseDue + shift)
    }

    func pose(_ bot: Bot, due: MonotonicTime, now: MonotonicTime) {
        // Another moment may have taken the place of this one.
        guard isWalking, due == bot.poseDue else { return }
        schedulePose(of: bot, at: due + plan.period)
        bot.walk(seconds: 1 / plan.rate)
        guard bot.core.phase == .live else { return }
        let number = meter.send(bot.index, due: due, now: now)
        bot.tell(height: PoseCode.height(of: number), due: due, now: now)
        flush(bot)
    }

    /// Performs one of `CrowdFeatures.activities` and schedules the next time.
    func act(_ bot: Bot, _ number: Int, due: MonotonicTime, now: MonotonicTime) {
        guard isWalking else { return }
        let activity = CrowdFeatures.activities[number]
        switch activity.pace(plan) {
        case .never: break
        case .every(let seconds):
            note(activity.act(bot, due, now), of: bot)
            flush(bot)
            schedule(at: due + .seconds(seconds), .act(Int32(bot.index), Int32(number)))
        case .inFlight: keepInFlight(bot, now: now)
        }
    }

    /// Keeps the planned number of requests under way: each answer makes room for the next request.
    func keepInFlight(_ bot: Bot, now: MonotonicTime) {
        guard isWalking else { return }
        for activity in closedLoops {
            guard case .inFlight(let most) = activity.pace(plan) else { continue }
            var before = -1
            while bot.pending.count < most, bot.pending.count > before {
                before = bot.pending.count
                note(activity.act(bot, now, now), of: bot)
            }
        }
        flush(bot)
    }

    func note(_ deeds: [any Deed], of bot: Bot) {
        for deed in deeds { oracle.take(.did(bot: bot.index, deed)) }
    }

    /// Runs the features' checks on the views of all reading bots, once a second.
    func lookAround(now: MonotonicTime) {
        for feature in CrowdFeatures.all where feature.activities.contains(where: { $0.pace(plan) != .never }) {
            for bot in bots
            where bot.core.phase == .live && !plan.isSlow(bot.index)
                && plan.isLookedAt(bot.index, second: report.timeline.count)
            {
                note(feature.look(at: bot, now: now), of: bot)
                flush(bot)
            }
        }
    }

    func cutByChance(_ bot: Bot, due: MonotonicTime, now: MonotonicTime) {
        guard isWalking else { return }
        schedule(at: due + bot.cutPause(upTo: 2 * plan.cutEvery), .cut(bot.index))
        cut(bot, now: now)
    }

    /// Cuts many connections at the same moment.
    func storm(due: MonotonicTime, now: MonotonicTime) {
        guard isWalking else { return }
        schedule(at: due + .seconds(plan.stormEvery), .storm)
        for bot in bots where Double(bot.index) < Double(bots.count) * plan.stormShare { cut(bot, now: now) }
    }

    // MARK: Progress

    func tellSecond(now: MonotonicTime) {
        let sent = meter.senders.reduce(0) { $0 + UInt64($1.sent) }
        let serverCPU = serverPID.flatMap(ProcessUsage.cpuSeconds)
        // A tick of the kernel's clock is 10 ms.
        let cores = serverCPU.flatMap { now in secondsBefore.serverCPU.map { ((now - $0) * 100).rounded() / 100 } }
        let figures = SecondFigures(
            second: report.timeline.count, phase: stage.rawValue, connected: liveCount,
            posesSent: sent - secondsBefore.sent, posesDelivered: meter.deliveredEver - secondsBefore.delivered,
            posesLost: meter.lost - secondsBefore.lost, latency: Latency(meter.takeSecond()),
            acks: secondAcks.totalCount,
            acksP99: Latency(secondAcks).p99, serverCores: cores,
            serverResidentBytes: serverPID.flatMap(ProcessUsage.residentBytes), rulesBroken: oracle.broken.count)
        report.timeline.append(figures)
        progress(figures)
        secondAcks.reset()
        secondsBefore = SecondCounters(
            sent: sent, delivered: meter.deliveredEver, lost: meter.lost, serverCPU: serverCPU)
    }
}
