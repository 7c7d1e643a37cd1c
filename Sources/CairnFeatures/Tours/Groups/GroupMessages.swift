internal import CairnCore
internal import CairnGeo
internal import CairnText
internal import CairnWire

/// A member's run tells the group how far they are.
struct GroupStep: HomeMessage {
    static let kind: StaticText = "groups.step"

    let account: AccountID
    let seen: GroupMotion.Seen

    init(_ account: AccountID, _ seen: GroupMotion.Seen) { (self.account, self.seen) = (account, seen) }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let wire = try? WireBody.decode(WireHomeGroupStep.self, from: payload) else {
            throw ColumnFault(0, .unreadable)
        }
        account = AccountID(rawValue: wire.account)
        seen = GroupMotion.Seen(
            reached: Int(wire.reached),
            place: wire.hasLat && wire.hasLon ? Coordinate(latitude: wire.lat, longitude: wire.lon) : nil,
            absent: Set(wire.absent.map(AccountID.init(rawValue:))))
    }

    var payload: [UInt8] {
        var wire = WireHomeGroupStep()
        (wire.account, wire.reached) = (account.rawValue, UInt32(seen.reached))
        if let place = seen.place { (wire.lat, wire.lon) = (place.latitude, place.longitude) }
        wire.absent = seen.absent.map(\.rawValue)
        return WireBody.encode(wire)
    }

    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard let group = turn.group, let member = turn.groupMember(account) else { return [] }
        guard turn.stands(group) else { return turn.end(group) }
        return turn.see(member, seen)
    }
}

/// The group may learn less of a member, from here on and not from their next step: it hears so from the member's run,
/// or at once of a guide without a run.
struct GroupSeclusion: HomeMessage {
    static let kind: StaticText = "groups.seclusion"

    private let account: AccountID
    private let seclusion: Seclusion

    init(_ seclusion: Seclusion, of account: AccountID) { (self.seclusion, self.account) = (seclusion, account) }

    /// The account, and the people who are absent for it behind a word of its own.
    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let words = String(decoding: payload, as: UTF8.self).pieces(at: " ").map(String.init)
        guard let account = words.first.flatMap({ AccountID($0) }) else { throw ColumnFault(0, .unreadable) }
        let isPlace = words.count == 1
        self.init(isPlace ? .whereabouts : .absent(Set(words.dropFirst(2).compactMap { AccountID($0) })), of: account)
    }

    var payload: [UInt8] {
        switch seclusion {
        case .whereabouts: Array(account.description.utf8)
        case .absent(let people):
            Array(([account.description, "absent"] + people.map(\.description)).joined(separator: " ").utf8)
        }
    }

    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard turn.group == nil else { return turn.seclude(account, seclusion) }
        guard turn.run?.facts.account == account else { return [] }
        turn.secludeLatest(seclusion)
        guard let companionship = turn.companionship, companionship.pending == nil else { return [] }
        // The next step is told at once.
        if var motion = turn.motion as? RunMotion {
            motion.told = nil
            turn.motion = motion
        }
        return [.tell(.space(companionship.group), self)]
    }
}

/// The run of a member has ended, and their membership with it.
struct GroupLeft: HomeMessage {
    static let kind: StaticText = "groups.left"

    private let account: AccountID

    init(_ account: AccountID) { self.account = account }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let account = AccountID(String(decoding: payload, as: UTF8.self)) else {
            throw ColumnFault(0, .unreadable)
        }
        self.init(account)
    }

    var payload: [UInt8] { Array(account.description.utf8) }
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        if let arriving = turn.arrivingMembers[account] { turn.stopExpecting(arriving) }
        guard let group = turn.group, let member = turn.groupMember(account) else { return [] }
        return turn.remove(member, from: group)
    }
}

/// The group tells a member's run what its walker is shown.
struct GroupNews: HomeMessage {
    static let kind: StaticText = "groups.news"

    private let group: SpaceID
    private let sharesPlace: Bool
    private let shown: WireGroup

    init(_ member: GroupMember, _ shown: WireGroup) {
        (group, sharesPlace, self.shown) = (member.group, member.sharesPlace, shown)
    }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let wire = try? WireBody.decode(WireHomeGroupNews.self, from: payload) else {
            throw ColumnFault(0, .unreadable)
        }
        (group, sharesPlace, shown) = (SpaceID(rawValue: wire.group), wire.sharesPlace, wire.shown)
    }

    var payload: [UInt8] {
        var wire = WireHomeGroupNews()
        (wire.group, wire.sharesPlace) = (group.rawValue, sharesPlace)
        wire.shown = shown
        return WireBody.encode(wire)
    }

    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard let run = turn.run else { return [] }
        // A message that was under way when the walker left is outdated.
        guard let former = turn.companionship, former.group == group else { return [] }
        turn.set(Companionship(group: group, sharesPlace: sharesPlace, target: shown.target))
        var motion = turn.motion as? RunMotion ?? RunMotion(track: nil, heard: run.facts.active)
        motion.group = shown
        // The walker shares their place from now on, and may stand still: the group learns where.
        let begins = sharesPlace && (former.pending != nil || !former.sharesPlace)
        if begins { motion.told = nil }
        turn.motion = motion
        var item = WireItem()
        item.group = shown
        let place = begins ? motion.latest.map { Groups.moved($0.movement, in: &turn) } ?? [] : []
        return [.show(.members(of: turn.home), item)] + place
    }
}

/// The group tells a member's run that its walker is in it no longer.
struct GroupOver: HomeMessage {
    static let kind: StaticText = "groups.over"

    private let group: SpaceID

    init(_ group: SpaceID) { self.group = group }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let group = SpaceID(String(decoding: payload, as: UTF8.self)) else { throw ColumnFault(0, .unreadable) }
        self.init(group)
    }

    var payload: [UInt8] { Array(group.description.utf8) }
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard let run = turn.run, let companionship = turn.companionship, companionship.group == group else {
            return []
        }
        turn.set(nil)
        // A person who was about to be a member has received nothing of the group.
        guard companionship.pending == nil else { return [] }
        if var motion = turn.motion as? RunMotion {
            (motion.group, motion.told) = (nil, nil)
            turn.motion = motion
        }
        var ended = WireGroupEnded()
        ended.group = turn.name(of: group)
        return [turn.publish(.groupEnded(ended), of: run)]
    }
}

/// Ends a group without a sign of a guide who has no run. Other guides end it with their run.
struct GroupIdle: HomeTimer {
    static let kind: StaticText = "groups.idle"

    init() {}
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {}

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        guard let group = turn.group else { return [] }
        let heard = max(group.active, (turn.motion as? GroupMotion)?.heard ?? .epoch, turn.steadySince)
        let end = heard + turn.settings.runs.idle
        return end > turn.lasting ? [.wake(at: end, self)] : turn.end(group)
    }
}

/// Tells the members of a group what has changed since they were last told (`Turn.tellGroupSoon`).
struct GroupTelling: HomeTimer {
    static let kind: StaticText = "groups.telling"

    init() {}
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {}

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] { turn.tellGroup() }
}
