internal import CairnCore
internal import CairnWire

/// Makes a tour, a draft of the sender's organisation (TRM-1, TRM-6).
struct CreateTour: Change {
    static let senders = [Role.organisation]

    private let body: WireCreateTour

    init(_ body: WireCreateTour) {
        var body = body
        body.facts = body.facts.filledIn
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try body.facts.check(settings.tours)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let organisation = try turn.organisation(of: request.sender)
        guard case .tour(let id) = turn.home else { return [.hand(request, .tour(turn.newIdentifier()))] }
        let counts = TourRecord.counts(of: organisation, code: TourCode.of(turn.name(of: id)))
        let assets = try turn.assets(named: body.facts.assets)
        return [.ask([counts, TourAssets.usable(assets, by: request.sender.account, in: id)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let organisation = try turn.organisation(of: request.sender)
        let limit = turn.settings.tours.perOrganisationMax
        guard case .tour(let id) = turn.home, turn.tour == nil, let row = rows.first?.first,
            let count = try? row.integer(0), let sameCode = try? row.integer(1)
        else { throw Tours.absent }
        guard count < limit else { throw Self.tooMany(Int(count), limit) }
        let assets = try turn.assets(named: body.facts.assets)
        let known = Set(rows[1].compactMap { try? $0.integer(0) })
        guard assets.allSatisfy({ known.contains(Int64(bitPattern: $0.rawValue)) }) else { throw TourAssets.unknown }
        // One in fifty thousand million: the next try has another id.
        guard sameCode == 0 else { throw Tours.refusal(.tryAgain) }
        var tour = TourRecord(
            id: id, organisation: organisation, code: TourCode.of(turn.name(of: id)), created: turn.now)
        tour.edits = 1
        let part = TourPart(id: TourPart.factsID, version: 1, content: .facts(body.facts))
        let result = turn.edited(tour, "facts", 1)
        let reply = turn.reply(to: request, result)
        let arrival = TourArrival(request: request, tour: tour, part: part, result: result, reply: reply)
        let taken: [Effect] = [.write(tour.arrival(below: limit)), .write(part.arrival(in: id))]
        return taken + TourAssets.draftUses(of: assets, by: id) + reply.effects(ifMade: tour.presence)
            + [.inquire(TourRecord.query(id), arrival)]
    }

    fileprivate static func tooMany(_ count: Int, _ limit: Int) -> Refusal {
        Tours.refusal(
            .limitReached, "your organisation has \(count) tours",
            details: ["count": "\(count)", "limit": "\(limit)"])
    }
}

/// A tour that waits for the store. Its organisation may make others at the same moment, so the store checks the limit
/// as it writes the row, and the request is answered when the store has said whether it did. The reply is stored
/// beside the row.
private struct TourArrival: HomeInquiry {
    let request: Request
    let tour: TourRecord
    let part: TourPart
    /// The answer if the store has taken it, and its stored reply.
    let result: Request.Result
    let reply: StoredReply

    var ifNotHeard: [Effect]? { [undecided] }

    private var undecided: Effect { .answer(request, .refusal(Tours.refusal(.tryAgain))) }

    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        guard let rows else {
            // The store may have taken it, and the next try makes another.
            return [
                .write(reply.deletion), .write(tour.deletionIfThere), TourAssets.endOfDraftUses(by: tour.id), undecided,
            ]
        }
        guard !rows.isEmpty else {
            // The uses of its pictures that were written are void.
            let limit = turn.settings.tours.perOrganisationMax
            let refusal = CreateTour.tooMany(limit, limit)
            return [TourAssets.endOfDraftUses(by: tour.id), .answer(request, .refusal(refusal))]
        }
        turn.keep(tour)
        turn.keep(part)
        return [.confirm(request, result)]
    }
}
