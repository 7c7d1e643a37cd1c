import CairnClient
import CairnTime
import CairnWire

/// How walkers walk: towards the next stop of their run, over jumps of their receivers, cuts and changes of device.
extension TourCrowd {
    /// How long a walker stands at a stop before it counts as missed: in the walker's time, and for the machine.
    private static let patience = (ownSeconds: 60.0, machine: Duration.seconds(5))

    func path(of walker: TourWalker) -> TourPath {
        rule.walk(of: walker.index)?.path ?? TourPath(number: walker.tour, version: 1, plan: plan)
    }

    func step(_ walker: TourWalker, _ now: MonotonicTime) {
        guard walker.core.phase == .live else { return }
        counts.steps += 1
        switch walker.stage {
        case .outside: if !isStopping { start(walker, now) }
        case .walking:
            if case .none = walker.pause { return walk(walker, now) }
            walker.core.move(to: walker.fix(path(of: walker).plane))
            flush(walker)
        case .starting, .leaving: return
        }
    }

    private func start(_ walker: TourWalker, _ now: MonotonicTime) {
        walker.goToStart()
        var body = WireStartTour()
        body.tour = makers.tours[walker.tour]
        let least = makers.acknowledged(walker.tour)
        offlineTime[walker.index] = nil
        guard let ticket = try? walker.core.ask(body, now: now) else { return }
        walker.stage = .starting(ticket, at: now, least: least)
        flush(walker)
    }

    private func walk(_ walker: TourWalker, _ now: MonotonicTime) {
        guard let walk = rule.walk(of: walker.index), walk.reached < walk.path.stops.count else { return }
        let target = walk.path.stops[walk.reached]
        let last = walk.reached > 0 ? walk.path.stops[walk.reached - 1] : .zero
        let isThere = walker.walk(to: target, ownSeconds: plan.pace / plan.rate)
        rule.stand(walker.index, at: walker.place)
        if walker.nearSince == nil, (target - walker.place).length <= Touring.arrivalMetres { walker.nearSince = now }
        if isThere { stand(walker, now) }
        if walker.isToJump, walker.jump == nil, walker.isHalfway(to: target, from: last) {
            jump(walker, now)
        } else {
            walker.core.move(to: walker.fix(walk.path.plane))
        }
        flush(walker)
    }

    private func stand(_ walker: TourWalker, _ now: MonotonicTime) {
        guard let since = walker.standsSince else { return walker.standsSince = now }
        let patience = Self.patience.machine + .seconds(Self.patience.ownSeconds / plan.pace)
        guard now - since > patience + (offlineTime[walker.index] ?? .zero) else { return }
        rule.waited(walker.index)
        leave(walker, now)
    }

    func leave(_ walker: TourWalker, _ now: MonotonicTime) {
        guard case .walking = walker.stage, case .none = walker.pause, walker.groupRequest == nil,
            let ticket = try? walker.core.ask(WireLeaveRun(), now: now)
        else { return }
        walker.stage = .leaving(ticket)
        groups.asksToLeave(walker.index)
        flush(walker)
    }

    // MARK: Jumps

    /// Asks for an answer to a position, so that it is known when the server had it.
    private func jump(_ walker: TourWalker, _ now: MonotonicTime) {
        walker.jumped()
        let ticket = try? walker.core.locate(at: walker.fix(path(of: walker).plane), now: now)
        if let ticket { walker.jump = .before(ticket, since: now) }
    }

    func jumpAnswered(_ ticket: RequestTicket, _ walker: TourWalker, _ now: MonotonicTime) {
        switch walker.jump {
        case .before(let own, let since) where own == ticket:
            walker.jump = nil
            guard case .walking = walker.stage, let walk = rule.walk(of: walker.index),
                walk.reached < walk.path.stops.count - 1
            else { return }
            let way = walk.path.stops[walk.reached] - walker.place
            walker.core.move(to: walker.fix(walk.path.plane, shift: way))
            guard let after = try? walker.core.locate(at: walker.fix(walk.path.plane), now: now) else { return }
            walker.jump = .after(after, since: since, metres: way.length)
            counts.jumps += 1
            rule.jump(walker.index)
            flush(walker)
        case .after(let own, let since, let metres) where own == ticket:
            walker.jump = nil
            let seconds = Double(now.microseconds(since: since)) / 1e6 + Touring.settleSeconds / plan.pace / 10
            let mayCount = metres <= Touring.jumpMetresPerSecond * plan.pace * seconds
            counts.openJumps += mayCount ? 1 : 0
            rule.jumped(walker.index, metres: metres, mayCount: mayCount)
        default: return
        }
    }

    // MARK: Cuts and devices

    func cut(_ walker: TourWalker) {
        guard walker.core.phase == .live, !isStopping else { return }
        report.cuts += 1
        loop.abort(walker.index)
        comeBack(walker, code: 1_006)
    }

    func change(_ walker: TourWalker, _ now: MonotonicTime) {
        guard walker.core.phase == .live, case .walking = walker.stage, walker.jump == nil, !walker.isWaiting,
            !isStopping
        else { return }
        counts.changes += 1
        loop.abort(walker.index)
        offline[walker.index] = now
        walker.takeAnotherDevice()
        schedule(at: now + .milliseconds(50), .reconnect(walker.index))
    }
}
