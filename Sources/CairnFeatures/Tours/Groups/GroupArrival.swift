internal import CairnCore
internal import CairnWire

/// A walker is about to be a member of a group, as its guide or as a follower.
///
/// Their run is another home, and may end while the group decides. So the store takes the rows only where the run is
/// still there, and the group asks what it has taken before it tells anybody: the walker who leaves the run at the same
/// moment is in no group, and the request is answered as one without a run is. The stored reply goes with the rows.
struct GroupArrival {
    fileprivate let request: Request
    fileprivate let member: GroupMember
    fileprivate let run: RunFacts
    /// The group that is opened with this member as its guide; nil = it is there.
    fileprivate let opened: GroupFacts?

    /// The arrival of a follower.
    init(_ request: Request, on run: RunFacts, _ sharesPlace: Bool, to group: SpaceID, at now: LastingTime) {
        self.init(request, run, sharesPlace, group, nil, now)
    }

    /// The arrival of the person who opens a group.
    init(_ request: Request, on run: RunFacts, _ sharesPlace: Bool, opening group: GroupFacts, at now: LastingTime) {
        self.init(request, run, sharesPlace, group.id, group, now)
    }

    private init(
        _ request: Request, _ run: RunFacts, _ sharesPlace: Bool, _ group: SpaceID, _ opened: GroupFacts?,
        _ now: LastingTime
    ) {
        (self.request, self.run, self.opened) = (request, run, opened)
        member = GroupMember(
            account: run.account, group: group, run: run.id, since: now, sharesPlace: sharesPlace)
    }
}

/// What the store has taken of an arrival.
private struct ArrivalOutcome: HomeInquiry {
    let arrival: GroupArrival
    /// The answer if it has taken all of it, and its stored reply.
    let result: Request.Result
    let reply: StoredReply

    private var member: GroupMember { arrival.member }

    var ifNotHeard: [Effect]? { [.answer(arrival.request, .refusal(Groups.undecided))] }

    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        let isExpected = turn.stopExpecting(member)
        guard let rows else { return refuse(Groups.undecided) }
        let kept = turn.read(rows, of: GroupMember.table, GroupMember.init(stored:))
        guard let group = arrival.opened ?? turn.group, isExpected, kept.contains(member) else {
            let isElsewhere = kept.contains { $0.group != member.group }
            return refuse(isElsewhere ? Groups.refusal(.alreadyMember) : Groups.absent)
        }
        turn.keep(group)
        return [.count(arrival.opened == nil ? "groups_followed" : "groups_opened")]
            + turn.welcome(member, arrival.request.sender, reached: arrival.run.reached)
            + [.confirm(arrival.request, result)]
    }

    /// Takes back what the store may have taken. The run, if it is there, need not wait to be in another group.
    private func refuse(_ refusal: Refusal) -> [Effect] {
        [
            .write(reply.deletion), .write(arrival.opened?.deletion ?? member.deletion),
            .tell(.space(arrival.run.id), GroupOver(member.group)), .answer(arrival.request, .refusal(refusal)),
        ]
    }
}

extension Turn {
    /// Writes the rows of a member who arrives, and asks what has become of them.
    mutating func expect(_ arrival: GroupArrival) -> [Effect] {
        let (member, run) = (arrival.member, arrival.run.id)
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        motion.arriving[member.account] = member
        self.motion = motion
        var taken = arrival.opened.map { [Effect.write($0.arrival(of: member, on: run))] } ?? []
        taken.append(.write(member.arrival(on: run)))
        let result = Request.Result.group(viewAfter(arrival))
        let reply = reply(to: arrival.request, result)
        let outcome = ArrivalOutcome(arrival: arrival, result: result, reply: reply)
        return taken + reply.effects(ifMade: member.presence)
            + [.inquire(GroupMember.query(of: member.account), outcome)]
    }

    /// The group as its new member is to see it.
    private func viewAfter(_ arrival: GroupArrival) -> WireGroup {
        var later = self
        if let group = arrival.opened { later.keep(group) }
        later.add(arrival.member, arrival.request.sender, reached: arrival.run.reached)
        return later.view(of: arrival.member.account)
    }

    /// - Returns: whether the member was expected until now.
    @discardableResult
    mutating func stopExpecting(_ member: GroupMember) -> Bool {
        guard var motion = motion as? GroupMotion, motion.arriving[member.account] == member else { return false }
        motion.arriving[member.account] = nil
        self.motion = motion
        return true
    }

    /// Adds a member whose rows are written, with what is known of them, and tells all members.
    mutating func welcome(_ member: GroupMember, _ sender: Sender, reached: Int) -> [Effect] {
        add(member, sender, reached: reached)
        return tellGroup()
    }

    private mutating func add(_ member: GroupMember, _ sender: Sender, reached: Int) {
        keep(member)
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        let absent = Set(sender.scopes.compactMap(\.absentee))
        motion.seen[member.account] = GroupMotion.Seen(reached: reached, absent: absent)
        self.motion = motion
    }
}
