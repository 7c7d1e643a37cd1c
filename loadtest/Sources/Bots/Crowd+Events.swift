import CairnClient
import CairnGeo
import CairnWire
import Histogram

/// What bots learn, and who else has to know.
extension Crowd {
    func take(_ event: ClientEvent, _ bot: Bot, _ now: UInt64) {
        switch event {
        case .welcomed(let welcome):
            if welcome.role == "guest" { return fail("bot \(bot.index) was let in as a guest only") }
            welcomed(bot)
        case .answered(let ticket, let answer):
            guard let errand = bot.pending.removeValue(forKey: ticket) else { return }
            let age = now - min(now, errand.at)
            // Somebody who does not read gets no answer: that says nothing about the server.
            if !isSlow(bot.index) {
                if measured.contains(errand.at) { acks.record(age) }
                secondAcks.record(age)
            }
            switch answer {
            case .success(let result): succeeded(errand, result, bot, now)
            case .refusal(let refusal): refused(errand, refusal, bot)
            }
        case .refused(let refusal):
            report.refusals[refusal.code.rawValue, default: 0] += 1
            if stage == .connecting, bot.core.phase != .live {
                fail("bot \(bot.index) was refused: \(refusal.message)")
            }
        case .appeared(let instance): oracle.take(.appeared(bot: bot.index, instance))
        case .changed, .disappeared: break
        case .followed(let topic): oracle.take(.followed(bot: bot.index, topic: topic, at: now))
        case .unfollowed(let topic):
            oracle.take(.unfollowed(bot: bot.index, topic: topic, at: now))
            if let cell = CellID(token: topic) { bot.tracks.removeAll { $0.cell == cell } }
            report.unfollowed += 1
        case .resynchronising(let topic): oracle.take(.unfollowed(bot: bot.index, topic: topic, at: now))
        case .violation(let violation): oracle.take(.violation(bot: bot.index, violation))
        case .presence, .notice, .closing, .disconnected: break
        }
    }

    private func succeeded(_ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ bot: Bot, _ now: UInt64) {
        switch (errand.kind, result) {
        case (.place, .placed(let placed)):
            report.placed += 1
            hold(placed.instance, bot)
            oracle.take(.placed(bot: bot.index, placed.instance, requestedAt: errand.at, at: now))
        case (.edit, .edited(let edited)):
            report.edited += 1
            hold(edited.instance, bot)
            oracle.take(.edited(bot: bot.index, edited.instance, requestedAt: errand.at, at: now))
        case (.remove(let id), .removed):
            report.removed += 1
            oracle.take(.removed(bot: bot.index, id, at: now))
        case (.react(let id), .reactionSet(let set)):
            report.reacted += 1
            oracle.take(.reacted(bot: bot.index, id, reaction: set.reaction))
        default:
            oracle.take(.wrongAnswer(bot: bot.index, "\(errand.kind) was answered with \(result)"))
        }
    }

    private func hold(_ instance: WireInstance, _ bot: Bot) {
        if let id = InstanceID(instance.id) { bot.own[id] = instance }
    }

    private func refused(_ errand: Bot.Errand, _ refusal: Refusal, _ bot: Bot) {
        report.refusals[refusal.code.rawValue, default: 0] += 1
        // A removal that was refused leaves the instance where it was, and so it must be seen again.
        if case .remove(let id) = errand.kind { oracle.take(.removalRefused(bot: bot.index, id)) }
    }

    // MARK: Verdict

    func judge(now: UInt64) {
        judgePeople()
        for bot in bots where !bot.pending.isEmpty {
            oracle.take(.unanswered(bot: bot.index, count: bot.pending.count))
        }
        oracle.graceMicroseconds = max(2_000_000, 2 * max(meter.latency.max, acks.max))
        // Who stops reading hears late of what has left their view, and when they are cut meanwhile, only once they are
        // back.
        if plan.slowShare > 0 { oracle.graceMicroseconds += UInt64(CrowdPlan.slowSeconds.stops * 1e6) + 2_000_000 }
        oracle.accounts = Set(bots.compactMap { $0.core.welcome?.account })
        let topics = bots.flatMap { bot in
            bot.core.view.topics.values.map { FinalTopic(bot: bot.index, replica: $0) }
        }
        let verdict = oracle.judge(topics)
        report.rulesBroken = verdict.count
        report.broken = verdict.rules.mapValues(\.count)
        report.brokenExamples = verdict.rules.mapValues(\.examples)
        report.posesDelivered = meter.delivered
        report.posesConflated = meter.conflated
        report.posesLost = meter.lost
        report.posesThinned = meter.thinned
        report.posesDeliveredPerSecond = Double(meter.delivered) / plan.seconds
        report.latency = Latency(meter.latency)
        report.acks = Latency(acks)
        report.generatorDelay = Latency(meter.late)
        report.isStarved = (report.generatorDelay?.p99 ?? 0) > CrowdPlan.generatorDelayMaxMilliseconds
        report.messagesReceived = messagesReceived
        report.bytesReceived = bytesReceived
        report.serverCores = usage.serverSeconds.map { $0 / plan.seconds }
        report.serverResidentBytes = usage.serverResidentBytes
        report.generatorCores = usage.ownSeconds / plan.seconds
        if let seconds = usage.serverSeconds, meter.delivered > 0 {
            report.serverCPUMicrosecondsPerPose = seconds * 1e6 / Double(meter.delivered)
        }
    }

    /// When all stand still, everybody sees everybody else who shares their cell, at their newest pose.
    private func judgePeople() {
        guard plan.shares else { return }
        var whereabouts: [CellID: [Int]] = [:]
        var certain: [CellID?] = []
        for bot in bots {
            let cell = certainCell(of: bot)
            certain.append(cell)
            if let cell { whereabouts[cell, default: []].append(bot.index) }
        }
        for bot in bots {
            for (cell, track) in bot.tracks where bot.core.view.topics[cell.token]?.isComplete == true {
                var seen: Set<Int> = []
                for slot in track.slots where slot.person >= 0 {
                    let person = Int(slot.person)
                    seen.insert(person)
                    if person != bot.index { judge(slot, of: person, seenBy: bot) }
                    if let other = certain[person], other != cell {
                        oracle.take(.ghost(bot: bot.index, person: person, in: cell.token))
                    }
                }
                for person in whereabouts[cell] ?? [] where !seen.contains(person) {
                    oracle.take(.unseen(bot: bot.index, person: person, in: cell.token))
                }
            }
        }
    }

    private func judge(_ slot: CellTrack.Slot, of person: Int, seenBy bot: Bot) {
        guard meter.senders[person].sent > 0 else { return }
        guard slot.last != CellTrack.none else {
            return oracle.take(.stalePose(bot: bot.index, person: person, "no pose at all"))
        }
        guard !meter.isNewest(slot.last, of: person) else { return }
        meter.loseTail(of: person, after: slot.last)
        oracle.take(
            .stalePose(bot: bot.index, person: person, "pose \(slot.last) of \(meter.senders[person].sent)"))
    }

    /// The cell that the server must have a bot in; nil near a border, where hysteresis leaves it open.
    private func certainCell(of bot: Bot) -> CellID? {
        let place = bot.walker.coordinate
        let cell = CellID(place, level: plan.cellLevel)
        let isInside = cell.neighbours.allSatisfy { $0.distanceMetres(to: place) > 8 }
        return isInside ? cell : nil
    }
}
