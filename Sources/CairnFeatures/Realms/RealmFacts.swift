internal import CairnCore
internal import CairnText
internal import CairnWire

/// A sub-realm, without its members.
struct RealmFacts: Attachment, Hashable {
    let id: RealmID
    var name: String
    var description: String
    var isOpen: Bool
    var asksApproval: Bool
    var owner: AccountID
    /// Counts the edits, from 1.
    var version: UInt32
    let created: WallTime

    /// Checks name and description (SUB-1), as far as they differ from those of `former`: what was accepted once is no
    /// reason to refuse another change.
    /// - Throws: `missing_field`, `invalid_field`.
    func checked(_ settings: RealmSettings, after former: RealmFacts? = nil) throws(Refusal) -> Self {
        guard !name.isBlank else {
            throw Realms.refusal(.missingField, "name: 1 or more characters", details: ["field": "name"])
        }
        if name != former?.name { try Self.check(name, "name", settings.nameCharactersMax, mayBreak: false) }
        if description != former?.description {
            try Self.check(description, "description", settings.descriptionCharactersMax, mayBreak: true)
        }
        return self
    }

    private static func check(_ text: String, _ field: String, _ max: Int, mayBreak: Bool) throws(Refusal) {
        guard mayBreak ? text.isOfLines : text.isOneLine, text.hasAtMost(characters: max) else {
            throw Realms.refusal(
                .invalidField,
                mayBreak ? "\(field): at most \(max) characters" : "\(field): at most \(max) characters in one line",
                details: ["field": field])
        }
    }

    /// The name by which it is listed for searches; nil = it is not.
    var listed: String? { isOpen ? name : nil }

    /// The form for people who are not members.
    func wire(standing: String = "", in turn: Turn) -> WireRealm {
        var wire = WireRealm()
        wire.id = turn.name(of: id)
        wire.name = name
        wire.description_p = description
        wire.standing = standing
        return wire
    }

    /// As a member sees it.
    func wire(for member: AccountID, members: Int, in turn: Turn) -> WireRealm {
        var wire = wire(standing: member == owner ? "owner" : "member", in: turn)
        wire.open = isOpen
        wire.approval = asksApproval
        wire.members = UInt32(members)
        wire.version = version
        return wire
    }
}

/// A member of a sub-realm.
struct RealmMember: Attachment, Hashable {
    let account: AccountID
    let since: WallTime
}

/// A person who may become a member: invited, or waiting for the owner's approval.
struct RealmCandidate: Attachment, Hashable {
    enum State: Int64 {
        /// Invited by a member.
        case invited = 1
        /// Wants to join, and the owner has not decided.
        case pending = 2
    }

    let account: AccountID
    var state: State
    /// The account that invited or added them; their own if they accepted or asked to join.
    let by: AccountID
    let at: WallTime
    /// From then on it does not count.
    let ends: LastingTime
    /// Whether the store was asked what the person and `by` are to each other. In memory alone: an answer says nothing
    /// of a candidate who came behind the question.
    var isAskedAbout = false

    /// Whether a member has added them, and they have not asked to join themselves (SUB-4).
    var isProposed: Bool { state == .pending && by != account }

    /// Whether it holds: an invitation until a block, and what a member proposed as long as the two stay friends.
    /// - Parameter relation: what the person and `by` are to each other.
    func holds(_ relation: Relation) -> Bool {
        switch state {
        case .invited: relation.admitsInvitation(of: at)
        case .pending: !isProposed || relation.areFriends(since: at)
        }
    }
}

// MARK: - In the home

extension ObjectKind {
    static let realm = ObjectKind("realms.realm")
    static let member = ObjectKind("realms.member")
    static let candidate = ObjectKind("realms.candidate")
}

/// The state of a sub-realm's home. Numbers of accounts, sub-realms and instances come from one source, so a record
/// stands for one of them.
extension Turn {
    var realmID: RealmID? { if case .realm(let id) = home { id } else { nil } }

    /// The sub-realm; nil = there is none, or it was deleted.
    var realm: RealmFacts? {
        realmID.flatMap { objects.record(InstanceID(rawValue: $0.rawValue), .realm) }?.attachments[RealmFacts.self]
    }

    /// The members, of longest standing first.
    var members: [RealmMember] {
        objects.ids.compactMap { objects.record($0, .member)?.attachments[RealmMember.self] }
            .sorted { ($0.since.milliseconds, $0.account.rawValue) < ($1.since.milliseconds, $1.account.rawValue) }
    }

    var memberCount: Int { objects.count(of: .member) }
    var candidateCount: Int { objects.count(of: .candidate) }

    func member(_ account: AccountID) -> RealmMember? {
        objects.record(InstanceID(rawValue: account.rawValue), .member)?.attachments[RealmMember.self]
    }

    /// The candidate; nil when it has lapsed.
    func candidate(_ account: AccountID) -> RealmCandidate? {
        let found = objects.record(InstanceID(rawValue: account.rawValue), .candidate)?
            .attachments[RealmCandidate.self]
        return found.flatMap { $0.ends > lasting ? $0 : nil }
    }

    var candidates: [RealmCandidate] {
        objects.ids.compactMap { objects.record($0, .candidate)?.attachments[RealmCandidate.self] }
            .filter { $0.ends > lasting }
            .sorted { ($0.at.milliseconds, $0.account.rawValue) < ($1.at.milliseconds, $1.account.rawValue) }
    }

    mutating func keep(_ facts: RealmFacts) {
        keep(facts.id.rawValue, .realm, facts.owner) { $0[RealmFacts.self] = facts }
    }

    mutating func keep(_ member: RealmMember) {
        keep(member.account.rawValue, .member, member.account) { $0[RealmMember.self] = member }
    }

    mutating func keep(_ candidate: RealmCandidate) {
        keep(candidate.account.rawValue, .candidate, candidate.account) { $0[RealmCandidate.self] = candidate }
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

    mutating func forget(_ account: AccountID) { objects[InstanceID(rawValue: account.rawValue)] = nil }

    mutating func forgetRealm() {
        for id in Array(objects.ids) { objects[id] = nil }
    }
}
