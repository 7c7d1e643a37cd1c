internal import CairnCore
internal import CairnWire

/// Opens a group and guides it (TRM-11): on the sender's run, or for the organisation that made the tour. Guiding is
/// not taking a tour (ROL-3): a guide without a run is in the space of the group and has no progress.
///
/// The home that knows where the sender is - their run, or their account - lets one request through at a time. The
/// group's own home then opens it.
struct OpenGroup: Change {
    static let senders: [Role] = [.general, .organisation]

    private let tour: String
    private let sharesPlace: Bool

    init(_ body: WireOpenGroup) { (tour, sharesPlace) = (body.tour, body.sharesPlace) }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

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
            guard rows.allSatisfy(\.isEmpty), !turn.hasJustBegunRun(besides: request) else {
                throw Groups.refusal(.alreadyMember)
            }
            let new: SpaceID = turn.newIdentifier()
            turn.noteRunUnderWay(of: account, in: new, by: request.key)
            return [.hand(request, .space(new))]
        case .space(let id):
            let runs = turn.read(rows[0], of: RunFacts.table, RunFacts.init(stored:))
            guard let run = runs.first, run.account == account else { throw Groups.absent }
            guard rows[1].isEmpty else { throw Groups.refusal(.alreadyMember) }
            let group = GroupFacts(
                id: id, tour: run.tour, guide: account, opened: turn.lasting, active: turn.lasting)
            return turn.expect(GroupArrival(request, on: run, sharesPlace, opening: group, at: turn.lasting))
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
        let (sender, now) = (request.sender, turn.lasting)
        let group = GroupFacts(id: id, tour: tour, guide: sender.account, opened: now, active: now)
        let guide = GroupMember(
            account: sender.account, group: id, run: nil, since: now, sharesPlace: sharesPlace)
        turn.keep(group)
        return [
            .admit(sender.account, to: .members(of: turn.home)), .write(group.insertion), .write(guide.insertion),
            .wake(at: now + turn.settings.runs.idle, GroupIdle()), .count("groups_opened"),
        ] + turn.welcome(guide, sender, reached: 0)
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
}
