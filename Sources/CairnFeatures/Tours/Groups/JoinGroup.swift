internal import CairnCore
internal import CairnWire

/// Follows the guide of a group on the same tour (TRM-11), with a run of one's own.
///
/// The sender's account counts the codes that they try. Their run looks for the code among the groups on its own tour,
/// so a code of another tour is as unknown as one that never was; the group's home then decides.
struct JoinGroup: Change {
    static let senders: [Role] = [.general]

    private let code: String
    private let sharesPlace: Bool

    init(_ body: WireJoinGroup) { (code, sharesPlace) = (body.code.uppercased(), body.sharesPlace) }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        guard sender.space != nil else { throw Groups.absent }
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let run = request.sender.space else { throw Groups.absent }
        if case .account(let account) = turn.home {
            try turn.countCode(of: account)
            return [.hand(request, .space(run))]
        }
        if turn.home == .space(run) {
            guard let own = turn.run else { throw Groups.absent }
            return [.ask([GroupFacts.query(on: own.facts.tour)], request)]
        }
        do { _ = try group(for: request, in: turn) } catch { return release(run, request, error, in: turn) }
        let account = request.sender.account
        let relations = Relation.query(of: account, among: turn.groupMembers.map(\.account))
        return [.ask([RunFacts.query(run), GroupMember.query(of: account), relations], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let sender = request.sender
        guard let run = sender.space, case .space(let home) = turn.home else { throw Groups.absent }
        if home == run {
            let groups = turn.read(rows[0], of: GroupFacts.table, GroupFacts.init(stored:))
            guard let group = groups.first(where: { turn.code(of: $0.id) == code && turn.isOpen($0) }) else {
                throw Groups.absent
            }
            try turn.beginCompanionship(in: group.id, of: sender.account)
            return [.hand(request, .space(group.id))]
        }
        do {
            return try admit(request, rows: rows, in: &turn)
        } catch {
            guard error.code != .alreadyMember else { throw error }
            return release(run, request, error, in: turn)
        }
    }

    /// Refuses, and lets the run try another group at once: else the wait would tell that the code is right.
    private func release(_ run: SpaceID, _ request: Request, _ refusal: Refusal, in turn: Turn) -> [Effect] {
        guard case .space(let group) = turn.home else { return [.answer(request, .refusal(refusal))] }
        return [.tell(.space(run), GroupOver(group)), .answer(request, .refusal(refusal))]
    }

    private func admit(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let sender = request.sender
        let group = try group(for: request, in: turn)
        let runs = turn.read(rows[0], of: RunFacts.table, RunFacts.init(stored:))
        guard let run = runs.first, run.account == sender.account, run.tour == group.tour else { throw Groups.absent }
        let arriving = turn.arrivingMembers
        guard rows[1].isEmpty, turn.groupMember(sender.account) == nil, arriving[sender.account] == nil else {
            throw Groups.refusal(.alreadyMember)
        }
        let relations = turn.relations(in: rows[2])
        let guide = relations.first { $0.other(than: sender.account) == group.guide }
        guard guide?.isBlocked != true else { throw Groups.absent }
        let count = turn.groupMembers.count - 1 + arriving.count
        let limit = turn.settings.groups.followersMax
        guard count < limit else {
            throw Groups.refusal(
                .limitReached, "\(count) people follow, the limit is \(limit)",
                details: ["count": "\(count)", "limit": "\(limit)"])
        }
        turn.note(relations.filter { turn.groupMember($0.other(than: sender.account)) != nil })
        return turn.expect(GroupArrival(request, on: run, sharesPlace, to: group.id, at: turn.lasting))
    }

    /// The group, if it is one for the sender.
    private func group(for request: Request, in turn: Turn) throws(Refusal) -> GroupFacts {
        guard let group = turn.group, turn.isOpen(group), turn.stands(group),
            !request.sender.scopes.contains(.absence(of: group.guide))
        else { throw Groups.absent }
        return group
    }
}

extension Turn {
    /// Counts a code, right or wrong, to stop guessing soon.
    fileprivate func countCode(of account: AccountID) throws(Refusal) {
        let wait = names.triedCodes.count(by: account, max: settings.groups.codesPerHour, now: lasting)
        guard wait == .zero else { throw Groups.refusal(.tooManyAttempts, "too many codes", wait: wait) }
    }

    /// Takes over what a new member is to the others.
    fileprivate mutating func note(_ relations: [Relation]) {
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        motion.relations.removeAll { old in relations.contains { ($0.low, $0.high) == (old.low, old.high) } }
        motion.relations += relations
        self.motion = motion
    }
}

extension Groups {
    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text, wait: Duration) -> Refusal {
        Refusal(code, text, component: name, retryAfter: wait)
    }
}
