import CairnClient
import CairnTime
import CairnWire

/// A change of a sub-realm that a bot asks for.
struct RealmMatter: Sendable {
    enum Action: String, CaseIterable, Sendable {
        case found, invite, accept, decline, join, approve, turnAway, add, leave, expel, disband

        /// The report's key for the number of acknowledgements.
        var count: String {
            switch self {
            case .found: "founded"
            case .invite: "invited"
            case .accept: "accepted"
            case .decline: "declined"
            case .join: "joined"
            case .approve: "approved"
            case .turnAway: "turned_away"
            case .add: "added"
            case .leave: "left"
            case .expel: "expelled"
            case .disband: "disbanded"
            }
        }

        /// Whether people get a right by it, or lose one; nil = neither.
        var isGain: Bool? {
            switch self {
            case .found, .accept, .join, .approve, .add: true
            case .leave, .expel, .disband: false
            case .invite, .decline, .turnAway: nil
            }
        }
    }

    let action: Action
    /// Id of the sub-realm; empty = it is being founded.
    let realm: String
    /// Index of the bot whose membership it is about.
    let person: Int
    /// Friends who are members from the beginning.
    var friends: [Int] = []
    /// Of a sub-realm that is being founded.
    var isOpen = false
    var asksApproval = false

    /// The people whose right changes; nil = everybody's.
    var people: [Int]? { action == .disband ? nil : [person] + friends }

    func body(_ company: Company, name: String) -> (any RequestBody)? {
        guard let account = company.account(of: person) else { return nil }
        switch action {
        case .found:
            var body = WireCreateRealm()
            body.name = name
            body.open = isOpen
            body.approval = asksApproval
            body.friends = friends.compactMap { company.account(of: $0) }
            return body
        case .invite: return WireInvite.with(realm, account)
        case .accept, .decline:
            var body = WireAnswerInvitation()
            body.realm = realm
            body.accept = action == .accept
            return body
        case .join:
            var body = WireJoinRealm()
            body.realm = realm
            return body
        case .approve, .turnAway:
            var body = WireAnswerJoin()
            body.realm = realm
            body.account = account
            body.approve = action == .approve
            return body
        case .add: return WireAddMember.with(realm, account)
        case .leave:
            var body = WireLeaveRealm()
            body.realm = realm
            return body
        case .expel: return WireRemoveMember.with(realm, account)
        case .disband:
            var body = WireDeleteRealm()
            body.realm = realm
            return body
        }
    }

    /// Whether a success may be the answer.
    func isAnswered(by result: WireReply.OneOf_Result) -> Bool {
        switch (action, result) {
        case (.found, .realm), (.accept, .realm), (.join, .realm), (.add, .realm): true
        case (.found, _), (.accept, _), (.join, _), (.add, _): false
        case (_, .done): true
        default: false
        }
    }

    /// Whether the person waits for the owner's approval after this answer, and gets the right with it (SUB-3).
    ///
    /// Who accepts or joins is told of their own standing. The answer to an adder tells of the adder's: whom a member
    /// other than the owner adds waits where the sub-realm asks for approval (SUB-4).
    func waits(after result: WireReply.OneOf_Result) -> Bool {
        guard case .realm(let realm) = result else { return false }
        return action == .add ? realm.approval && realm.standing != "owner" : realm.standing == "pending"
    }

    /// What it means for rights; nil = nothing.
    func change(of realm: String, requestedAt: MonotonicTime, _ progress: RightChange.Progress) -> RightChange? {
        action.isGain.map {
            RightChange(realm: realm, people: people, isGain: $0, requestedAt: requestedAt, progress: progress)
        }
    }
}

extension WireInvite {
    fileprivate static func with(_ realm: String, _ account: String) -> Self {
        var body = Self()
        (body.realm, body.account) = (realm, account)
        return body
    }
}

extension WireAddMember {
    fileprivate static func with(_ realm: String, _ account: String) -> Self {
        var body = Self()
        (body.realm, body.account) = (realm, account)
        return body
    }
}

extension WireRemoveMember {
    fileprivate static func with(_ realm: String, _ account: String) -> Self {
        var body = Self()
        (body.realm, body.account) = (realm, account)
        return body
    }
}
