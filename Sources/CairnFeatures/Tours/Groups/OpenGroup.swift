internal import CairnCore
internal import CairnWire

/// Opens a group and guides it (TRM-11): on the sender's run, or for the organisation that made the tour. Guiding is
/// not taking a tour (ROL-3): a guide without a run is in the space of the group and has no progress.
///
/// The home that knows where the sender is - their run, or their account - lets one request through at a time. The
/// group's own home then opens it.
struct OpenGroup: Change {
    static let kind = MessageKind(field: 180, name: "open_group")
    static let senders: [Role] = [.general, .organisation]

    private let tour: String
    private let sharesPlace: Bool

    init(_ body: WireOpenGroup) { (tour, sharesPlace) = (body.tour, body.sharesPlace) }

    func home(for sender: Sender, settings: Settings) -> HomeAddress {
        sender.space.map { .space($0) } ?? .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let sender = request.sender
        switch turn.home {
        case .account:
            _ = try offered(to: sender, in: turn)
            return [.ask([GroupMember.query(of: sender.account), RunFacts.query(of: sender.account)], request)]
        case .space(let id):
            if sender.space == id {
                let new: SpaceID = turn.newIdentifier()
                try turn.beginCompanionship(in: new, of: sender.account)
                return [.hand(request, .space(new))]
            }
            guard let run = sender.space else { return try openWithoutRun(request, id, in: &turn) }
            return [.ask([RunFacts.query(run), GroupMember.query(of: sender.account)], request)]
        case .cell, .realm, .tour: throw Groups.absent
        }
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        switch turn.home {
        case .account:
            _ = try offered(to: request.sender, in: turn)
            let isNoted = turn.runUnderWay.map { turn.lasting - $0.at < RunUnderWay.doubtful } ?? false
            guard rows.allSatisfy(\.isEmpty), !isNoted else { throw Groups.refusal(.alreadyMember) }
            turn.noteRunUnderWay(of: account)
            return [.hand(request, .space(turn.newIdentifier()))]
        case .space(let id):
            let runs = turn.read(rows[0], of: RunFacts.table, RunFacts.init(stored:))
            guard let run = runs.first, run.account == account else { throw Groups.absent }
            guard rows[1].isEmpty else { throw Groups.refusal(.alreadyMember) }
            return open(request, id, on: run.tour, run, in: &turn)
        case .cell, .realm, .tour: throw Groups.absent
        }
    }

    /// A tour that is offered now and that the sender's organisation has made.
    private func offered(to sender: Sender, in turn: Turn) throws(Refusal) -> OfferedTour {
        guard let organisation = turn.names.organisations.organisation(of: sender.account) else {
            throw Groups.refusal(.forbidden, "start the tour first")
        }
        guard let id = turn.identifier(named: tour, TourTag.self), let offered = turn.names.tours.index.tour(id),
            offered.organisation == organisation
        else { throw Groups.absent }
        return offered
    }

    private func openWithoutRun(
        _ request: Request, _ id: SpaceID, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let tour = try offered(to: request.sender, in: turn).id
        return [.admit(request.sender.account, to: .members(of: turn.home))]
            + open(request, id, on: tour, nil, in: &turn)
            + [.wake(at: turn.lasting + turn.settings.runs.idle, GroupIdle())]
    }

    private func open(
        _ request: Request, _ id: SpaceID, on tour: TourID, _ run: RunFacts?, in turn: inout Turn
    ) -> [Effect] {
        let sender = request.sender
        let group = GroupFacts(id: id, tour: tour, guide: sender.account, opened: turn.lasting, active: turn.lasting)
        turn.keep(group)
        return [.write(group.insertion), .count("groups_opened")]
            + turn.add(sender, run, sharesPlace, to: group)
            + [.answer(request, .success(.group(turn.view(of: sender.account))))]
    }
}

extension Turn {
    /// Notes that the walker of this run is about to be in a group: of two requests at once one goes on.
    mutating func beginCompanionship(in group: SpaceID, of account: AccountID) throws(Refusal) {
        guard self.group == nil else { throw Groups.refusal(.alreadyMember) }
        guard let run, run.facts.account == account else { throw Groups.absent }
        if let companionship {
            guard let pending = companionship.pending else { throw Groups.refusal(.alreadyMember) }
            let wait = Companionship.doubtful - (lasting - pending)
            guard wait <= .zero else { throw Groups.refusal(.tryAgain, "another request is under way", wait: wait) }
        }
        set(Companionship(group: group, sharesPlace: false, pending: lasting))
    }

    /// Somebody becomes a member, with what is known of them.
    mutating func add(_ sender: Sender, _ run: RunFacts?, _ sharesPlace: Bool, to group: GroupFacts) -> [Effect] {
        let member = GroupMember(
            account: sender.account, group: group.id, run: run?.id, since: lasting, sharesPlace: sharesPlace)
        keep(member)
        var motion = motion as? GroupMotion ?? GroupMotion(at: lasting)
        let absent = Set(sender.scopes.compactMap(\.absentee))
        motion.seen[sender.account] = GroupMotion.Seen(reached: run?.reached ?? 0, absent: absent)
        self.motion = motion
        return [.write(member.insertion)] + tellGroup()
    }
}
