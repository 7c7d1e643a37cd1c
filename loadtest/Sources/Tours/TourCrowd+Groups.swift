import CairnClient
import CairnTime
import CairnWire

/// Groups (TRM-11): a walker opens one, others on the same tour follow, the guide sets the target for all now and then,
/// and they leave again.
extension TourCrowd {
    func actInGroup(_ walker: TourWalker, _ now: MonotonicTime) {
        guard walker.core.phase == .live, case .walking = walker.stage, !isStopping, walker.groupRequest == nil,
            rule.walk(of: walker.index)?.completedAt == nil
        else { return }
        if let since = walker.knownSince { groups.expectTarget(walker.index, since: since, at: now) }
        let deed = nextDeed(of: walker)
        guard let ticket = try? walker.core.ask(body(of: deed, walker), now: now) else { return }
        let asked = groups.group(of: walker.index)
        switch deed {
        case .open: groups.asksToOpen(walker.index)
        case .follow(let group, _): groups.asksToFollow(walker.index, group)
        case .target(let stop): groups.asksForTarget(walker.index, stop)
        case .leave: groups.asksToLeave(walker.index)
        case .share: break
        }
        walker.groupRequest = (ticket, deed, groups.group(of: walker.index) ?? asked)
        flush(walker)
    }

    private func nextDeed(of walker: TourWalker) -> TourWalker.GroupDeed {
        guard groups.group(of: walker.index) != nil else {
            guard let group = groups.joinable(on: walker.tour), walker.isLucky(0.8) else { return .open }
            return .follow(group.id, code: group.code)
        }
        if groups.guides(walker.index) { return walker.isLucky(0.8) ? .target(walker.someStop()) : .leave }
        return walker.isLucky(0.3) ? .leave : .share
    }

    private func body(of deed: TourWalker.GroupDeed, _ walker: TourWalker) -> any RequestBody {
        switch deed {
        case .open:
            var body = WireOpenGroup()
            body.sharesPlace = walker.isLucky(0.5)
            return body
        case .follow(_, let code):
            var body = WireJoinGroup()
            (body.code, body.sharesPlace) = (code, walker.isLucky(0.5))
            return body
        case .target(let stop):
            var body = WireSetGroupTarget()
            body.stop = stop
            return body
        case .share:
            var body = WireShareGroupPlace()
            body.sharesPlace = walker.isLucky(0.5)
            return body
        case .leave: return WireLeaveGroup()
        }
    }

    /// - Returns: whether it is the answer to a request about a group.
    func groupAnswered(
        _ ticket: RequestTicket, _ result: WireReply.OneOf_Result, _ walker: TourWalker, _ now: MonotonicTime
    ) -> Bool {
        guard let request = walker.groupRequest, request.ticket == ticket else { return false }
        walker.groupRequest = nil
        switch (request.deed, result) {
        case (.open, .group(let group)):
            groups.opened(walker.index, group, tour: walker.tour, at: now)
            walker.knownSince = now
        case (.follow(let id, _), .group(let group)):
            groups.followed(walker.index, id, group)
            walker.knownSince = now
        case (.target, .group): groups.hasSetTarget(walker.index, at: now)
        case (.share, .group): break
        case (.leave, .done): groups.left(walker.index, at: now)
        default: rule.violated(walker.index, "wrong_answer", "to \(request.deed)")
        }
        if case .group(let group) = result { told(group, walker, now) }
        leaveIfDone(walker, now)
        return true
    }

    /// - Returns: whether it is the refusal of a request about a group.
    func groupRefused(_ ticket: RequestTicket, _ refusal: Refusal, _ walker: TourWalker, _ now: MonotonicTime) -> Bool {
        guard let request = walker.groupRequest, request.ticket == ticket else { return false }
        walker.groupRequest = nil
        let code = refusal.code.rawValue
        if !groups.mayRefuse(request.group, code) { groups.refused(walker.index, "\(request.deed): \(refusal)") }
        if groups.group(of: walker.index) == request.group { groups.left(walker.index, at: now) }
        leaveIfDone(walker, now)
        return true
    }

    func told(_ group: WireGroup, _ walker: TourWalker, _ now: MonotonicTime) {
        if isBystander(walker) { return groups.leaked("bystander \(walker.index)", group.id) }
        groups.hear(
            walker.index, group, slack: lag + (offlineTime[walker.index] ?? .zero), at: now, walkers: walkersByName
        ) { [rule] in rule.walk(of: $0)?.reached }
    }
}
