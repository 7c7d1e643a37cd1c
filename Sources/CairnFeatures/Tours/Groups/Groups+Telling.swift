public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Groups {
    /// A member has moved (TRM-11): a walker in their run's space, or a guide in that of the group.
    public static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        if let group = turn.group {
            guard let guide = turn.groupMember(movement.account), guide.run == nil else { return [] }
            guard turn.stands(group) else { return turn.end(group) }
            turn.noteGuide()
            let place = turn.place(of: movement, guide.sharesPlace)
            return turn.markActive(group) + turn.see(guide, GroupMotion.Seen(place: place, absent: movement.absent))
        }
        guard let companionship = turn.companionship, companionship.pending == nil, let run = turn.run,
            run.facts.account == movement.account, var motion = turn.motion as? RunMotion,
            let latest = motion.latest, movement.time(since: latest.movement) >= .zero
        else { return [] }
        // A stop that was reached in this turn is told when the turn is on disk.
        let reached = run.facts.reached
        let isDue = motion.told.map { turn.lasting - $0.at >= GroupMotion.pace || $0.reached != reached } ?? true
        guard isDue else { return [] }
        motion.told = RunMotion.Told(at: turn.lasting, reached: reached)
        turn.motion = motion
        let place = turn.place(of: movement, companionship.sharesPlace)
        let seen = GroupMotion.Seen(reached: reached, place: place, absent: movement.absent)
        return [.tell(.space(companionship.group), GroupStep(run.facts.account, seen))]
    }
}

extension Turn {
    /// The place that a group may learn: by consent, and no finer than others learn it.
    fileprivate func place(of movement: Movement, _ sharesPlace: Bool) -> Coordinate? {
        guard sharesPlace, Double(movement.accuracyMetres ?? 0) <= settings.runs.arrivalAccuracyMetres else {
            return nil
        }
        return movement.shown
    }

    /// Takes over how far a member is, and tells the others: of a stop at once, of a place from time to time.
    mutating func see(_ member: GroupMember, _ seen: GroupMotion.Seen) -> [Effect] {
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        let former = motion.seen[member.account]
        motion.seen[member.account] = seen
        if !member.sharesPlace { motion.seen[member.account]?.place = nil }
        self.motion = motion
        if former?.reached != seen.reached || lasting - motion.told >= GroupMotion.pace { return tellGroup() }
        // The member may stand still, and no step follows. A place that is not known well enough may be known again.
        return tellSight(of: member, isStep: true)
    }

    /// Tells the members what they see more or less of one of them: the one place that paces what a person may change
    /// at will, by sharing, by consent or by blocks. What the others were told and may not know any more is told at
    /// once; all else at the end of the pace of news. So one person causes at most two tellings in that time.
    mutating func tellSight(of member: GroupMember, isStep: Bool = false) -> [Effect] {
        let motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        guard let told = motion.sights[member.account] else { return tellGroupSoon() }
        let now = motion.sight(of: member, among: groupMembers)
        let losesPlace = told.hasPlace && !now.hasPlace
        let isLess =
            !now.hidden.isSubset(of: told.hidden) || told.sharesPlace && !now.sharesPlace || losesPlace && !isStep
        if isLess { return tellGroup() }
        let isMore = now.hidden != told.hidden || now.sharesPlace != told.sharesPlace || now.hasPlace && !told.hasPlace
        return isMore ? tellGroupSoon() : []
    }

    /// Tells the members of a change that one of them may repeat at will, such as of the target: at once, or at the end
    /// of the pace of news. Of several changes in that time they learn the last one.
    mutating func tellGroupSoon() -> [Effect] {
        // A timer that is about to fire tells it.
        guard due(of: GroupTelling.self) == nil else { return [] }
        let news = (motion as? GroupMotion)?.news ?? .epoch
        if lasting - news >= GroupMotion.newsPace { return tellGroup() }
        return [.wake(at: news + GroupMotion.newsPace, GroupTelling())]
    }

    /// What is offered of the tour of a group, if it is in memory.
    func readTour(of group: GroupFacts) -> ReadTour? {
        names.tours.index.tour(group.tour).flatMap { readTour($0) }
    }

    /// Tells each member of the group as it is now.
    mutating func tellGroup() -> [Effect] {
        guard let group else { return [] }
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        (motion.told, motion.news) = (lasting, lasting)
        let members = groupMembers
        let sights = members.map { ($0.account, motion.sight(of: $0, among: members)) }
        motion.sights = Dictionary(sights) { first, _ in first }
        var effects: [Effect] = []
        if lasting - motion.known >= GroupMotion.knownFor {
            motion.known = lasting
            effects.append(.inquire(Relation.query(within: group.id), RelationsKnown()))
        }
        self.motion = motion
        for member in members {
            let shown = view(of: member.account)
            if let run = member.run {
                effects.append(.tell(.space(run), GroupNews(member, shown)))
            } else {
                var item = WireItem()
                item.group = shown
                effects.append(.show(.members(of: home), item))
            }
        }
        return effects
    }

    /// The group as one of its members may see it.
    func view(of viewer: AccountID) -> WireGroup {
        guard let group else { return WireGroup() }
        let motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        let members = groupMembers
        var wire = WireGroup()
        wire.id = name(of: group.id)
        let space = HomeAddress.space(members.first { $0.account == viewer }?.run ?? group.id)
        wire.topic = Topic(space, .members(of: space)).name
        wire.tour = name(of: group.tour)
        if viewer == group.guide, isOpen(group) { wire.code = code(of: group.id) }
        wire.codeEnds = wallTime(of: group.opened + settings.groups.codeLife).milliseconds
        wire.target = group.target
        let shown =
            members.filter { $0.account == viewer }
            + members.filter { $0.account != viewer && !motion.areAbsent($0.account, viewer) }
        wire.members = shown.map { self.wire($0, of: group, motion, to: viewer) }
        return wire
    }

    private func wire(
        _ member: GroupMember, of group: GroupFacts, _ motion: GroupMotion, to viewer: AccountID
    ) -> WireGroupMember {
        let areFriends = motion.relation(member.account, viewer)?.areFriends ?? false
        var wire = WireGroupMember()
        wire.name = shownName(of: member.account, to: viewer, areFriends: areFriends) ?? ""
        if !wire.name.isEmpty { wire.account = name(of: member.account) }
        wire.guide = member.account == group.guide
        wire.own = member.account == viewer
        if member.run != nil { wire.reached = UInt32(motion.seen[member.account]?.reached ?? 0) }
        wire.sharesPlace = member.sharesPlace
        if member.sharesPlace, let place = motion.seen[member.account]?.place {
            (wire.lat, wire.lon) = (place.latitude, place.longitude)
        }
        return wire
    }

    /// Takes over that less may be known of a member, and tells the others if they knew it.
    mutating func seclude(_ account: AccountID, _ seclusion: Seclusion) -> [Effect] {
        guard let member = groupMember(account), var motion = motion as? GroupMotion else { return [] }
        switch seclusion {
        case .whereabouts: motion.seen[account]?.place = nil
        case .absent(let people): motion.seen[account, default: GroupMotion.Seen()].absent = people
        }
        self.motion = motion
        return tellSight(of: member)
    }

    /// The group may learn less of where the walker of this run was last.
    mutating func secludeLatest(_ seclusion: Seclusion) {
        guard var motion = motion as? RunMotion, let movement = motion.latest?.movement else { return }
        motion.latest?.movement = movement.secluded(seclusion)
        self.motion = motion
    }

    mutating func forgetPlace(of account: AccountID) {
        guard var motion = motion as? GroupMotion else { return }
        motion.seen[account]?.place = nil
        self.motion = motion
    }

    /// A guide without a run has been heard of.
    mutating func noteGuide() {
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        motion.heard = lasting
        self.motion = motion
    }

    /// Writes from time to time that a guide without a run is there.
    fileprivate mutating func markActive(_ group: GroupFacts) -> [Effect] {
        guard lasting - group.active > settings.runs.idle / 2 else { return [] }
        var group = group
        group.active = lasting
        keep(group)
        return [.write(group.update)]
    }

    // MARK: Ends

    /// Whether the group may go on: its tour is not withdrawn, and its guide is there and may guide.
    func stands(_ group: GroupFacts) -> Bool {
        guard let maker = names.tours.maker(of: group.tour), let guide = groupMember(group.guide) else { return false }
        return guide.run != nil || names.organisations.organisation(of: group.guide) == maker
    }

    /// Removes a member. Without its guide a group ends.
    mutating func remove(_ member: GroupMember, from group: GroupFacts) -> [Effect] {
        guard member.account != group.guide else { return end(group) }
        forget(member)
        let over = member.run.map { [Effect.tell(.space($0), GroupOver(group.id))] } ?? []
        return [.write(member.deletion)] + over + tellGroup()
    }

    /// The group ends for all.
    mutating func end(_ group: GroupFacts) -> [Effect] {
        let members = groupMembers
        // People who are still arriving are told, too. Their request is refused when the store has answered.
        let arriving = arrivingMembers.values.compactMap(\.run)
        forgetGroup()
        var effects: [Effect] = [.write(group.deletion), .cancel(GroupIdle.self), .cancel(GroupTelling.self)]
        effects += arriving.map { .tell(.space($0), GroupOver(group.id)) }
        for member in members {
            if let run = member.run {
                effects.append(.tell(.space(run), GroupOver(group.id)))
            } else {
                effects += [
                    .expel(member.account, from: .members(of: home)),
                    .tell(.account(member.account), RunOver(group.id)),
                ]
            }
        }
        return effects
    }

    /// The run of this home ends: its walker is in no group any more.
    mutating func leaveGroup() -> [Effect] {
        guard let run, let companionship else { return [] }
        set(nil)
        return [.tell(.space(companionship.group), GroupLeft(run.facts.account))]
    }
}

/// The relations between the members were read again.
private struct RelationsKnown: HomeInquiry {
    var ifNotHeard: [Effect]? { [] }

    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        guard let rows, turn.group != nil, var motion = turn.motion as? GroupMotion else { return [] }
        motion.relations = turn.relations(in: rows)
        turn.motion = motion
        return []
    }
}
