import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Histogram

/// The verdict on a run, when no message is under way any more.
extension Crowd {
    func judge(now: MonotonicTime) {
        report.generatorDelay = Latency(meter.late)
        // So late that nothing that was due in the measured time was sent at all.
        let sentNone = plan.moves(0) && meter.late.totalCount == 0
        report.isStarved = sentNone || (report.generatorDelay?.p99 ?? 0) > CrowdPlan.generatorDelayMaxMilliseconds
        for bot in bots where bot.core.phase != .live { oracle.take(.notReturned(bot: bot.index)) }
        judgePeople()
        judgeViews()
        // A crowd that reads and sends late cannot distinguish poses that met in one batch from lost ones.
        if !report.isStarved, meter.lost > 0 { oracle.take(.posesLost(count: Int(clamping: meter.lost))) }
        for bot in bots where !bot.pending.isEmpty {
            oracle.take(.unanswered(bot: bot.index, count: bot.pending.count))
        }
        oracle.grace = max(.seconds(2), .microseconds(2 * max(meter.latency.max, acks.max, lateMost)))
        // A slow reader learns late of instances that have left its view, and if it is cut meanwhile, only when it is
        // back.
        if plan.slowShare > 0 { oracle.grace += .seconds(plan.slowStops) + .seconds(2) }
        // A bot that is not back holds the state of the time when it was cut.
        let topics = bots.filter { $0.core.phase == .live }.flatMap { bot in
            bot.core.view.topics.values.map {
                FinalTopic(bot: bot.index, replica: $0, shown: bot.shown, isOfGuest: bot.isGuest)
            }
        }
        let verdict = oracle.judge(topics)
        report.rulesBroken = verdict.count
        report.broken = verdict.rules.mapValues(\.count)
        report.brokenExamples = verdict.rules.mapValues(\.examples)
        report.posesDelivered = meter.delivered
        report.posesInTime = meter.deliveredInTime
        report.posesConflated = meter.conflated
        report.posesLost = meter.lost
        report.posesThinned = meter.thinned
        report.posesDeliveredPerSecond = Double(meter.delivered) / plan.seconds
        report.acksPerSecond = Double(acks.totalCount) / plan.seconds
        report.latency = Latency(meter.latency)
        report.latencyCurve = LatencyCurve.points(of: meter.latency)
        report.acks = Latency(acks)
        report.acksCurve = LatencyCurve.points(of: acks)
        report.returns = Latency(returns)
        meter.arrivals?.end()
        report.quality = meter.arrivals.flatMap { quality?.figures(poses: $0.last) }
        report.messagesSent = messagesSent
        report.messagesReceived = messagesReceived
        report.bytesReceived = bytesReceived
        report.serverCores = usage.serverSeconds.map { $0 / plan.seconds }
        // A thread whose name the system does not know cannot be told from others.
        if usage.loopsSeconds > 0 { report.serverLoopsCores = usage.loopsSeconds / plan.seconds }
        if usage.storeSeconds > 0 { report.serverStoreCores = usage.storeSeconds / plan.seconds }
        report.serverWrittenBytesPerSecond = usage.writtenBytes.map { Double($0) / plan.seconds }
        report.serverResidentBytes = usage.serverResidentBytes
        report.serverResidentBytesBefore = usage.serverResidentBytesBefore
        report.generatorCores = usage.ownSeconds / plan.seconds
        // Bots that do not judge poses get as many as the others, who are spread evenly among them.
        if let seconds = usage.serverSeconds, meter.deliveredInTime > 0 {
            report.serverCPUMicrosecondsPerPose = seconds * 1e6 / (Double(meter.deliveredInTime) * plan.peopleToJudges)
        }
    }

    /// When all bots stand still, each sees every other sharing bot in its cell, at the newest pose.
    private func judgePeople() {
        var whereabouts: [CellID: [Int]] = [:]
        var certain: [CellID?] = []
        for bot in bots {
            let cell = certainCell(of: bot)
            certain.append(cell)
            if let cell, bot.shares { whereabouts[cell, default: []].append(bot.index) }
        }
        for bot in bots where bot.core.phase == .live && plan.judgesPoses(bot.index) {
            for (cell, track) in bot.completeTracks {
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

    /// When all bots stand still, each follows the cells that its view touches.
    private func judgeViews() {
        guard let limits = bots.first?.core.welcome?.limits, limits.viewRadius > Self.edgeMetres else { return }
        for bot in bots where bot.core.phase == .live {
            guard let place = bot.told else { continue }
            let sure = limits.viewRadius - Self.edgeMetres
            for cell in cells(touching: place, radiusMetres: sure, level: plan.cellLevel)
            where bot.topic(in: cell)?.isComplete != true {
                oracle.take(.notFollowed(bot: bot.index, cell: cell.token))
            }
            for topic in bot.core.view.topics.values {
                guard let cell = CellID(token: topic.cellToken) else { continue }
                oracle.take(.seen(bot: bot.index, cell: cell.token, metresAway: cell.distanceMetres(to: place)))
            }
        }
    }

    /// Distance from a border within which the server may assign a bot to another cell, because it may have an older
    /// position.
    private static let edgeMetres = 8.0

    private func judge(_ slot: CellTrack.Slot, of person: Int, seenBy bot: Bot) {
        guard meter.senders[person].sent > 0 else { return }
        guard slot.last != CellTrack.none else {
            meter.loseTail(of: person, from: slot.awaited)
            return oracle.take(.stalePose(bot: bot.index, person: person, "no pose at all"))
        }
        guard !meter.isNewest(slot.last, of: person) else { return }
        meter.loseTail(of: person, from: slot.last + 1)
        oracle.take(
            .stalePose(bot: bot.index, person: person, "pose \(slot.last) of \(meter.senders[person].sent)"))
    }

    /// The cell to which the server must have assigned a bot; nil near a border, where hysteresis leaves it open, and
    /// for a bot without a connection.
    private func certainCell(of bot: Bot) -> CellID? {
        guard bot.core.phase == .live, let place = bot.told else { return nil }
        let cell = CellID(place, level: plan.cellLevel)
        let isInside = cell.neighbours.allSatisfy { $0.distanceMetres(to: place) > Self.edgeMetres }
        return isInside ? cell : nil
    }
}
