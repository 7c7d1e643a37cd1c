import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Histogram

/// Handles events of the bots' cores.
extension Crowd {
    func take(_ event: ClientEvent, _ bot: Bot, _ now: MonotonicTime) {
        switch event {
        case .welcomed(let welcome):
            if (welcome.role == "guest") != bot.isGuest {
                return fail("bot \(bot.index) was let in as \(welcome.role)")
            }
            let level = Int(welcome.limits.cellLevel)
            guard level == plan.cellLevel else {
                return fail("the server's cells are of level \(level), the plan's of level \(plan.cellLevel)")
            }
            oracle.viewRadiusMetres = welcome.limits.viewRadius
            welcomed(bot, now: now)
        case .answered(let ticket, let answer):
            if takePosition(ticket, answer, bot, now) { return }
            guard let errand = bot.pending.removeValue(forKey: ticket) else { return }
            bot.sentSince = max(bot.sentSince, errand.at)
            if case .success(.realmSelected(let selected)) = answer { bot.shown = selected.realm }
            let age = now.microseconds(since: errand.due)
            quality?.answered(
                errand, answer, of: bot.index, isMeasured: measured.contains(errand.due), now: now)
            // A slow reader, or a bot that was cut meanwhile, reads its answer late, which says nothing about the
            // server.
            if case .success = answer, !plan.isSlow(bot.index), bot.liveSince <= errand.at {
                if measured.contains(errand.due) { acks.record(age) }
                secondAcks.record(age)
            }
            switch answer {
            case .success(let result): succeeded(errand, result, bot, now)
            case .refusal(let refusal): refused(errand, refusal, bot, now)
            }
            if !closedLoops.isEmpty { keepInFlight(bot, now: now) }
        case .refused(let refusal):
            report.refusals[refusal.code.rawValue, default: 0] += 1
            if stage == .connecting, bot.core.phase != .live {
                fail("bot \(bot.index) was refused: \(refusal.message)")
            }
        case .appeared(let instance): oracle.take(.appeared(bot: bot.index, instance, shown: bot.shown))
        case .changed(let instance, was: _): oracle.take(.changed(bot: bot.index, instance))
        case .disappeared: break
        case .followed(let topic): followed(topic, bot, now)
        case .unfollowed(let topic):
            leave(topic, bot, now)
            // The topic may have come back into view within the same message.
            if let cell = CellID(token: TopicName(topic).home), !bot.follows(cell) {
                bot.tracks.removeAll { $0.cell == cell }
                bot.leftAt[cell] = now
            }
            report.unfollowed += 1
        case .resynchronising(let topic): leave(topic, bot, now)
        case .violation(let violation): oracle.take(.violation(bot: bot.index, violation))
        case .positionsShifted(by: let shift): shiftPoses(of: bot, by: shift)
        case .selectionReset: bot.shown = ""
        case .presence, .notice, .settings, .standing, .realmChanged, .tourChanged, .nearbyTours, .run, .popupShown,
            .guidance, .fellowWalkers, .group, .groupEnded, .runEnded, .notified, .signedOut, .closing, .disconnected:
            break
        }
    }

    private func followed(_ topic: String, _ bot: Bot, _ now: MonotonicTime) {
        oracle.take(.followed(bot: bot.index, topic: bot.viewName(of: topic), at: now))
        let name = TopicName(topic)
        guard let cell = CellID(token: name.home) else { return }
        if let scope = name.scope, !bot.isGuest || !name.isOfGuests {
            oracle.take(.named(bot: bot.index, scope: String(scope), realm: bot.shown))
        }
        let here = bot.told ?? bot.walker.coordinate
        // The bot may have walked on since the server let it into the topic: for the length of a stall, and for a slow
        // reader also until it reads again.
        let stall = Self.stallSeconds + (plan.isSlow(bot.index) ? plan.slowStops : 0)
        let walked = bot.walker.speed * stall
        oracle.take(
            .seen(bot: bot.index, cell: cell.token, metresAway: max(0, cell.distanceMetres(to: here) - walked)))
        if joins != nil {
            joins?.saw(cell, by: bot.index)
            endJoin(bot, now: now)
        } else if cell == CellID(here, level: plan.cellLevel) {
            arrived(bot)
        }
    }

    /// An item as it came, before the bot's core takes it: also one that the core would not accept.
    func hear(_ item: WireItem, _ bot: Bot, _ now: MonotonicTime) {
        quality?.heard(item, now: now)
        let topic: String
        switch item.body {
        case .event(let event): topic = event.topic
        case .snapshot(let page): topic = page.cursor.topic
        case .own(let own): topic = own.topic
        case .continued(let continued): topic = continued.cursor.topic
        default: return
        }
        let topicName = TopicName(topic)
        if bot.isGuest, topicName.isOfGuests { return }
        // A guest follows no topic but those of guests, not even everyone's.
        guard let scope = topicName.scope ?? (bot.isGuest ? "everyone" : nil) else { return }
        let name = String(scope)
        report.scopedItems += 1
        oracle.take(.received(bot: bot.index, scope: name, since: bot.sentSince, at: now))
        if case .event(let event) = item.body, case .realmChanged(let changed) = event.change {
            oracle.take(.named(bot: bot.index, scope: name, realm: changed.realm))
        }
    }

    /// How long a starved machine may delay a message.
    private static let stallSeconds = 10.0

    private func succeeded(_ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ bot: Bot, _ now: MonotonicTime) {
        guard let exchange = CrowdFeatures.exchange(of: errand.kind),
            let deed = exchange.acknowledged(bot, errand, result, now)
        else {
            return oracle.take(.wrongAnswer(bot: bot.index, "\(errand.kind.name) was answered with \(result)"))
        }
        report.done[exchange.count, default: 0] += 1
        if measured.contains(now) { report.doneMeasured[exchange.count, default: 0] += 1 }
        oracle.take(.did(bot: bot.index, deed))
    }

    private func refused(_ errand: Bot.Errand, _ refusal: Refusal, _ bot: Bot, _ now: MonotonicTime) {
        report.refusals[refusal.code.rawValue, default: 0] += 1
        note(CrowdFeatures.exchange(of: errand.kind)?.refused(bot, errand, refusal, now) ?? [], of: bot)
    }
}
