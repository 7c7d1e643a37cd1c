internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// A group on a tour, as it is on disk; without its members.
struct GroupFacts: Attachment, Hashable {
    let id: SpaceID
    let tour: TourID
    let guide: AccountID
    let opened: LastingTime
    /// Id of the stop to which all are guided; empty = each goes to their own.
    var target = ""
    /// When a guide without a run was last heard of, as far as it is on disk.
    var active: LastingTime
}

/// A member of a group.
struct GroupMember: Attachment, Hashable {
    let account: AccountID
    let group: SpaceID
    /// Nil = a guide without a run, who is in the space of the group.
    let run: SpaceID?
    let since: LastingTime
    var sharesPlace: Bool
}

/// The state that a run's home keeps of its walker's group.
struct Companionship: Attachment {
    let group: SpaceID
    var sharesPlace: Bool
    var target = ""
    /// When a request was handed on that is not decided, as far as this home knows; nil = the walker is in the group.
    var pending: LastingTime?

    /// For so long a request that was handed on keeps others out.
    static let doubtful = Duration.seconds(5)
}

/// The state of a group in memory, which changes between the writes of its rows.
struct GroupMotion {
    /// How far a member was last.
    struct Seen {
        var reached = 0
        /// Where they are, as the group may learn it.
        var place: Coordinate?
        /// The people who are absent for them.
        var absent: Set<AccountID> = []
    }

    /// What others are told of a member and a person may change at will.
    struct Sight: Hashable {
        let sharesPlace: Bool
        let hasPlace: Bool
        /// The members who do not see this one, nor this one them.
        let hidden: Set<AccountID>
    }

    var seen: [AccountID: Seen] = [:]
    /// People who are about to be members: whether the store has taken their rows is not known yet (`GroupArrival`).
    var arriving: [AccountID: GroupMember] = [:]
    /// The relations between the members.
    var relations: [Relation] = []
    /// When that was read.
    var known: LastingTime
    /// When places were last told.
    var told: LastingTime = .epoch
    /// When members were last told of anything.
    var news: LastingTime = .epoch
    /// What the members were told then of each that a person may change at will.
    var sights: [AccountID: Sight] = [:]
    /// When a guide without a run was last heard of.
    var heard: LastingTime

    /// Changes that one person may repeat at will are told at most once in this time.
    static let newsPace = Duration.seconds(1)
    /// Places are told at most once in this time.
    static let pace = Duration.seconds(2)
    /// Friendships and blocks are read again after this time. A block is known at once, by what
    /// the sessions of the two say (`Seclusion`).
    static let knownFor = Duration.seconds(60)

    init(at now: LastingTime) { (known, heard) = (now, now) }

    /// Whether two members are absent for each other (FRD-7).
    func areAbsent(_ one: AccountID, _ other: AccountID) -> Bool {
        seen[one]?.absent.contains(other) == true || seen[other]?.absent.contains(one) == true
            || relation(one, other)?.isBlocked == true
    }

    /// What the others may be told of a member.
    func sight(of member: GroupMember, among members: [GroupMember]) -> Sight {
        Sight(
            sharesPlace: member.sharesPlace, hasPlace: member.sharesPlace && seen[member.account]?.place != nil,
            hidden: Set(members.map(\.account).filter { $0 != member.account && areAbsent($0, member.account) }))
    }

    func relation(_ one: AccountID, _ other: AccountID) -> Relation? {
        relations.first { ($0.low, $0.high) == (min(one, other), max(one, other)) }
    }
}

private func min(_ one: AccountID, _ other: AccountID) -> AccountID { one.rawValue < other.rawValue ? one : other }
private func max(_ one: AccountID, _ other: AccountID) -> AccountID { one.rawValue < other.rawValue ? other : one }

// MARK: - In the homes

extension ObjectKind {
    static let group = ObjectKind("groups.group")
    static let groupMember = ObjectKind("groups.member")
    static let companionship = ObjectKind("groups.companionship")
}

extension Turn {
    /// The group of this home; nil = there is none, or it has ended.
    var group: GroupFacts? {
        guard let id = spaceID else { return nil }
        return objects.record(InstanceID(rawValue: id.rawValue), .group)?.attachments[GroupFacts.self]
    }

    /// The members of the group, the guide first, then as they have joined.
    var groupMembers: [GroupMember] {
        let guide = group?.guide
        return objects.ids.compactMap { objects.record($0, .groupMember)?.attachments[GroupMember.self] }
            .sorted {
                ($0.account == guide ? 0 : 1, $0.since, $0.account.rawValue)
                    < ($1.account == guide ? 0 : 1, $1.since, $1.account.rawValue)
            }
    }

    /// Those whose arrival is not decided yet.
    var arrivingMembers: [AccountID: GroupMember] { (motion as? GroupMotion)?.arriving ?? [:] }

    func groupMember(_ account: AccountID) -> GroupMember? {
        objects.record(InstanceID(rawValue: account.rawValue), .groupMember)?.attachments[GroupMember.self]
    }

    mutating func keep(_ group: GroupFacts) {
        keep(group.id.rawValue, .group, group.guide) { $0[GroupFacts.self] = group }
    }

    mutating func keep(_ member: GroupMember) {
        keep(member.account.rawValue, .groupMember, member.account) { $0[GroupMember.self] = member }
    }

    mutating func forget(_ member: GroupMember) {
        objects[InstanceID(rawValue: member.account.rawValue)] = nil
        guard var motion = motion as? GroupMotion else { return }
        motion.seen[member.account] = nil
        self.motion = motion
    }

    mutating func forgetGroup() {
        for id in Array(objects.ids) { objects[id] = nil }
        motion = nil
    }

    /// The group of the walker, in the home of the run.
    var companionship: Companionship? {
        guard let walker = run?.facts.account else { return nil }
        return objects.record(InstanceID(rawValue: walker.rawValue), .companionship)?.attachments[Companionship.self]
    }

    mutating func set(_ companionship: Companionship?) {
        guard let walker = run?.facts.account else { return }
        guard let companionship else { return objects[InstanceID(rawValue: walker.rawValue)] = nil }
        keep(walker.rawValue, .companionship, walker) { $0[Companionship.self] = companionship }
    }

    private mutating func keep(
        _ number: UInt64, _ kind: ObjectKind, _ owner: AccountID, _ attach: (inout Attachments) -> Void
    ) {
        var record = ObjectRecord(
            id: InstanceID(rawValue: number), kind: kind, owner: owner, ownerName: "", audience: .owner(owner),
            wire: WireInstance())
        attach(&record.attachments)
        objects[record.id] = record
    }

    /// The code of a group: it follows from the group's name on the wire, and is stored nowhere.
    func code(of group: SpaceID) -> String { TourCode.of(name(of: group)) }

    /// Whether the code admits others.
    func isOpen(_ group: GroupFacts) -> Bool { group.opened + settings.groups.codeLife > lasting }
}
