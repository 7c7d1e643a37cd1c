internal import CairnCore
internal import CairnWire

/// A request of a member about their group. The home of the sender's run passes it on to that of the group.
protocol GroupRequest: Command {
    func carryOut(
        _ request: Request, _ group: GroupFacts, _ member: GroupMember, in turn: inout Turn
    ) throws(Refusal) -> [Effect]
}

extension GroupRequest {
    static var senders: [Role] { [.general, .organisation] }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        guard let space = sender.space else { throw Groups.absent }
        return .space(space)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        try decideInGroup(request, in: &turn)
    }

    fileprivate func decideInGroup(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        guard let group = turn.group else {
            guard let run = turn.run, run.facts.account == account, let companionship = turn.companionship else {
                throw Groups.absent
            }
            turn.noteWalker()
            return [.hand(request, .space(companionship.group))]
        }
        guard let member = turn.groupMember(account) else { throw Groups.absent }
        // Its guide may have left the organisation a moment ago.
        guard turn.stands(group) else {
            guard request.isChange else { throw Groups.absent }
            return turn.end(group) + [.answer(request, .refusal(Groups.absent))]
        }
        if member.run == nil { turn.noteGuide() }
        return try carryOut(request, group, member, in: &turn)
    }
}

/// Asks for the own group.
struct GetGroup: Question, GroupRequest {
    init(_ body: WireGetGroup) {}

    /// It passes the sender's account, which counts it.
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        guard sender.space != nil else { throw Groups.absent }
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard case .account = turn.home else { return try decideInGroup(request, in: &turn) }
        guard let space = request.sender.space else { throw Groups.absent }
        return [.hand(request, .space(space))]
    }

    func carryOut(_ request: Request, _ group: GroupFacts, _ member: GroupMember, in turn: inout Turn) -> [Effect] {
        [.answer(request, .success(.group(turn.view(of: member.account))))]
    }
}

/// Leaves the group; the run goes on. When the guide leaves, the group ends.
struct LeaveGroup: Change, GroupRequest {
    init(_ body: WireLeaveGroup) {}

    /// A group whose row is damaged cannot be walked in, and can be left all the same: the store says who is in it.
    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard turn.group == nil, turn.run == nil, let id = turn.spaceID else {
            return try decideInGroup(request, in: &turn)
        }
        return [.ask([GroupMember.query(of: request.sender.account), GroupMember.query(in: id)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        guard turn.group == nil, let id = turn.spaceID, let own = rows[0].first,
            (try? own.integer(1)) == Int64(bitPattern: id.rawValue)
        else { throw Groups.absent }
        let done = Effect.answer(request, .success(.done(WireDone())))
        if let run = request.sender.space, run != id {
            return [.write(GroupMember.deletion(of: account, in: id)), .tell(.space(run), GroupOver(id)), done]
        }
        // A person in the group's own space is its guide: it ends for all.
        turn.forgetRun()
        let runs = turn.read(rows[1], of: GroupMember.table, GroupMember.init(stored:)).compactMap(\.run)
        return [
            .write(GroupFacts.deletion(of: id)), .cancel(GroupIdle.self),
            .expel(account, from: .members(of: turn.home)), .tell(.account(account), RunOver(id)), done,
        ] + runs.map { .tell(.space($0), GroupOver(id)) }
    }

    func carryOut(_ request: Request, _ group: GroupFacts, _ member: GroupMember, in turn: inout Turn) -> [Effect] {
        turn.remove(member, from: group) + [.answer(request, .success(.done(WireDone())))]
    }
}

/// Says whether the group learns the sender's place.
struct ShareGroupPlace: Change, GroupRequest {
    private let sharesPlace: Bool

    init(_ body: WireShareGroupPlace) { sharesPlace = body.sharesPlace }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func carryOut(_ request: Request, _ group: GroupFacts, _ member: GroupMember, in turn: inout Turn) -> [Effect] {
        guard member.sharesPlace != sharesPlace else {
            return [.answer(request, .unchanged(.group(turn.view(of: member.account))))]
        }
        var member = member
        member.sharesPlace = sharesPlace
        turn.keep(member)
        if !sharesPlace { turn.forgetPlace(of: member.account) }
        // The answer to who shares it no more comes after nobody sees it any more.
        return [.write(member.update)] + turn.tellSight(of: member)
            + [.answer(request, .success(.group(turn.view(of: member.account))))]
    }
}

/// Sets the stop to which the group is guided. Stops are reached in their order all the same (TRT-9).
struct SetGroupTarget: Change, GroupRequest {
    private let stop: String

    init(_ body: WireSetGroupTarget) { stop = body.stop }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func carryOut(
        _ request: Request, _ group: GroupFacts, _ member: GroupMember, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard member.account == group.guide else { throw Groups.refusal(.forbidden, "the guide sets the target") }
        guard group.target != stop else {
            return [.answer(request, .unchanged(.group(turn.view(of: group.guide))))]
        }
        guard !stop.isEmpty else { return set(request, group, in: &turn) }
        if turn.readTour(of: group)?.content.stops.contains(where: { $0.id == stop }) == true {
            return set(request, group, in: &turn)
        }
        // Of the version that the guide walks, or of the one that is offered: followers may be on either.
        let offered = turn.names.tours.index.tour(group.tour).map { PublishedTour.query($0.id, $0.version) }
        let walked = member.run.map { PublishedTour.query(walkedIn: $0) }
        return [.ask([offered, walked].compactMap(\.self), request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let group = turn.group, group.guide == request.sender.account else { throw Groups.absent }
        let versions = turn.read(rows.joined(), of: PublishedTour.table, PublishedTour.init(stored:))
        guard versions.contains(where: { $0.content.stops.contains { $0.id == stop } }) else {
            throw Groups.refusal(.invalidField, "stop: the id of a stop of the tour", details: ["field": "stop"])
        }
        return set(request, group, in: &turn)
    }

    private func set(_ request: Request, _ group: GroupFacts, in turn: inout Turn) -> [Effect] {
        var group = group
        group.target = stop
        turn.keep(group)
        return [.write(group.update)] + turn.tellGroupSoon()
            + [.answer(request, .success(.group(turn.view(of: group.guide))))]
    }
}
