internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// A request about a tour by a user of its organisation.
///
/// The sender's account refuses it unless the sender acts for an organisation; the tour's home then asks again, and
/// whether the organisation is its own. To others a draft is nothing (TRM-6), and a tour that is offered is another
/// organisation's (TRM-1).
protocol TourRequest: Command {
    /// The tour, as the client names it.
    var tour: String { get }
    /// Names of assets that the draft uses from now on.
    var assets: [String] { get throws(Refusal) }
    /// Begins in the home of the tour.
    func begin(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect]
    /// Decides in the home of the tour; the sender acts for its organisation.
    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect]
}

extension TourRequest {
    static var senders: [Role] { [.organisation] }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: tour, TourTag.self) else { throw Tours.absent }
        if case .account = turn.home {
            _ = try turn.organisation(of: request.sender)
            return [.hand(request, .tour(id))]
        }
        return try begin(request, in: &turn)
    }

    func begin(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        try checkAssets(request, in: &turn)
    }

    /// Carries the request out, unless the store has to say first which of the assets may be used.
    func checkAssets(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let tour = try turn.ownTour(of: request.sender)
        let names = try assets
        guard !names.isEmpty else { return try carryOut(request, in: tour, &turn) }
        let query = TourAssets.usable(try turn.assets(named: names), by: request.sender.account, in: tour.id)
        return [.ask([query], request)]
    }

    var assets: [String] { [] }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        try proceed(request, with: rows[0], in: &turn)
    }

    /// The store has said which of the assets may be used.
    func proceed(_ request: Request, with rows: [Row], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let tour = try turn.ownTour(of: request.sender)
        let assets = try turn.assets(named: try assets)
        let known = Set(rows.compactMap { try? $0.integer(0) })
        guard assets.allSatisfy({ known.contains(Int64(bitPattern: $0.rawValue)) }) else { throw TourAssets.unknown }
        return try carryOut(request, in: tour, &turn) + TourAssets.draftUses(of: assets, by: tour.id)
    }
}

extension Turn {
    /// The organisation for which the sender acts.
    /// - Throws: `forbidden` for others, also for those of a suspended organisation.
    func organisation(of sender: Sender) throws(Refusal) -> OrganisationID {
        guard let organisation = names.organisations.organisation(of: sender.account) else {
            throw Tours.refusal(
                .forbidden, "you act for no organisation, or yours is suspended",
                details: ["role": Role.organisation.rawValue])
        }
        return organisation
    }

    /// The tour of this home, for a user of its organisation.
    /// - Throws: for all others, `forbidden` where everybody sees that there is such a tour, else `not_found`.
    func ownTour(of sender: Sender) throws(Refusal) -> TourRecord {
        let organisation = try organisation(of: sender)
        guard let tour else { throw Tours.absent }
        guard tour.organisation == organisation else {
            guard names.tours.index.tour(tour.id) != nil else { throw Tours.absent }
            throw Tours.refusal(.forbidden, "the tour is another organisation's")
        }
        return tour
    }

    /// The audience of a draft: the users of its organisation who have it open.
    func audience(of tour: TourRecord) -> Audience { Audience(.organisation(tour.organisation)) }

    /// Tells co-editors of a change.
    func changed(
        _ tour: TourRecord, _ part: String, _ version: UInt32, _ content: WireTourChanged.OneOf_Content? = nil
    ) -> Effect {
        var changed = WireTourChanged()
        (changed.tour, changed.part, changed.version) = (name(of: tour.id), part, version)
        changed.content = content
        return .publish(Publication(ofHome: tour.id, .tourChanged(changed), to: audience(of: tour)))
    }

    /// The success of a change of a part.
    func edited(_ tour: TourRecord, _ part: String, _ version: UInt32) -> Request.Result {
        var edited = WireTourEdited()
        (edited.tour, edited.part, edited.version) = (name(of: tour.id), part, version)
        return .tourEdited(edited)
    }

    /// Checks that a part is unchanged since the sender has read it (TRM-9).
    /// - Throws: `version_conflict`, which says the part and its version.
    func check(version: UInt32, is current: UInt32, of part: @autoclosure () -> String) throws(Refusal) {
        guard version != current else { return }
        throw Tours.refusal(
            .versionConflict, "the part has version \(current) now",
            details: ["part": part(), "version": "\(current)"])
    }

    /// Keeps a part of a draft under a new version.
    /// - Returns: the writes, and what co-editors are told.
    /// - Throws: `space_full` when the draft would have too many bytes; nothing has changed then.
    mutating func save(
        _ part: TourPart, of tour: inout TourRecord, in order: Bool = false
    ) throws(Refusal) -> [Effect] {
        let bytes = draftBytes
        try checkDraft(bytes: bytes - (tourPart(part.id)?.bytes ?? 0) + part.bytes, before: bytes)
        tour.edits += 1
        tour.isChanged = true
        var part = part
        part.version = tour.edits
        keep(part)
        if order {
            tour.order.append(part.id)
            tour.orderVersion = part.version
        }
        keep(tour)
        let content: WireTourChanged.OneOf_Content? =
            switch part.content {
            case .facts(let facts): .facts(facts)
            case .ground: nil
            case .stop(let stop): .stop(stop)
            case .popup(let popup): .popup(popup)
            }
        var effects: [Effect] = [
            .write(part.saving(in: tour.id)), .write(tour.update),
            changed(tour, part.name(in: self), part.version, content),
        ]
        if order { effects.append(orderChanged(tour)) }
        return effects
    }

    func orderChanged(_ tour: TourRecord) -> Effect {
        var order = WireTourOrder()
        order.stops = tour.order.map { name(of: InstanceID(rawValue: $0)) }
        return changed(tour, "order", tour.orderVersion, .order(order))
    }

    /// The route with which stops and popups are compared; nil = the ground is not whole yet. It was checked when it
    /// was set, and is made of its points once.
    mutating func wholeRoute() -> RouteLine? {
        guard var part = tourPart(TourPart.groundID), case .ground(let ground, isWhole: true) = part.content else {
            return nil
        }
        if let route = part.route { return route }
        part.route = RouteLine(of: ground)
        keep(part)
        return part.route
    }
}
