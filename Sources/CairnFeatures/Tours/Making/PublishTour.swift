internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Publishes the draft as a new version (TRM-7). Of a draft that is unchanged there is one: the answer names it, and
/// nothing but that answer is kept.
struct PublishTour: Change, TourRequest {
    let tour: String

    init(_ body: WirePublishTour) { tour = body.tour }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        guard tour.isChanged || tour.published == 0 else {
            return [.answer(request, .success(turn.edited(tour, "", tour.published)))]
        }
        var tour = tour
        let effects = try turn.publish(&tour)
        return effects + [.answer(request, .success(turn.edited(tour, "", tour.published)))]
    }
}

extension Turn {
    /// Publishes the draft as a new version.
    /// - Throws: `tour_incomplete` with what is missing, and what the parts of the draft break of rules by now.
    mutating func publish(_ tour: inout TourRecord) throws(Refusal) -> [Effect] {
        let missing = missingParts(of: tour)
        guard missing.isEmpty, let (ground, _) = tourGround else {
            throw Tours.refusal(.tourIncomplete, details: ["missing": missing.joined(separator: ",")])
        }
        // Settings may have changed since the parts were made.
        let facts = tourFacts
        try checkDraft(bytes: draftBytes)
        try facts.check(settings.tours)
        let checked = try CheckedGround(ground, settings)
        try checkParts(near: checked.route)
        for part in tourParts {
            _ = try part.stop?.check(settings)
            _ = try part.popup?.check(settings)
        }
        let metres = checked.route.lengthMetres
        tour.lastVersion += 1
        (tour.published, tour.isChanged) = (tour.lastVersion, false)
        let version = PublishedTour(
            tour: tour.id, version: tour.published, organisation: tour.organisation, published: now,
            content: content(of: tour, along: checked.route), distanceMetres: metres,
            seconds: settings.tours.seconds(along: metres, given: facts.seconds))
        tour.offered = TourRecord.Offered(
            content: Self.offered(facts, ground, from: checked.walk), distanceMetres: metres, seconds: version.seconds)
        guard let offered = try? tour.offeredTour() else {
            // Of edges that are within nanometres of each other.
            throw CheckedGround.bad("area", 0, "crossing")
        }
        let assets = try assets(named: TourAssets.names(in: version.content))
        keep(tour)
        return TourAssets.publishedUses(of: assets, by: tour.id) + [
            .write(version.insertion), .write(tour.update), .offer(tour.id, as: offered),
            changed(tour, "", tour.published), .count("tours"),
        ] + sweepingVersions
    }

    private static func offered(
        _ facts: WireTourFacts, _ ground: WireTourGround, from walk: [Coordinate]
    ) -> WireTourContent {
        var content = WireTourContent()
        content.facts.name = facts.name
        content.facts.picture = facts.picture
        content.facts.pictureAlternative = facts.pictureAlternative
        content.facts.price = facts.price
        content.ground.area = ground.area
        content.ground.route = walk.prefix(1).map(\.point)
        return content
    }
}

/// Makes the draft what is published (TRM-9).
struct DiscardTourDraft: Change, TourRequest {
    let tour: String

    init(_ body: WireDiscardTourDraft) { tour = body.tour }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        guard tour.published > 0 else { throw Tours.absent }
        return [.ask([PublishedTour.query(tour.id, tour.published)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let organisation = try turn.organisation(of: request.sender)
        guard var tour = turn.tour, tour.organisation == organisation,
            let version = turn.read(rows[0], of: PublishedTour.table, PublishedTour.init(stored:)).first,
            version.version == tour.published
        else { throw Tours.absent }
        let effects = turn.replaceDraft(of: &tour, by: version.content, isChanged: false)
        return effects + [
            turn.changed(tour, "", tour.published),
            .answer(request, .success(turn.edited(tour, "", tour.published))),
        ]
    }
}

/// Deletes a tour (TRM-10). Its published versions stay for as long as purchases and runs name them.
struct DeleteTour: Change, TourRequest {
    let tour: String

    init(_ body: WireDeleteTour) { tour = body.tour }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        turn.delete(tour) + [.answer(request, .success(turn.edited(tour, "", 0)))]
    }
}

extension Turn {
    /// Deletes the tour with its draft; its runs end with notice.
    mutating func delete(_ tour: TourRecord) -> [Effect] {
        forgetTour()
        return [
            TourAssets.endOfDraftUses(by: tour.id), .write(tour.deletion), .offer(tour.id, as: nil),
            changed(tour, "", 0), .wake(at: lasting, RunsEnding()),
        ] + sweepingVersions
    }

    /// Turns a published tour back into a draft: it is no longer found, and its runs end with notice.
    mutating func withdraw(_ tour: TourRecord) -> [Effect] {
        var tour = tour
        (tour.published, tour.isChanged) = (0, true)
        keep(tour)
        return [
            .write(tour.update), .offer(tour.id, as: nil), changed(tour, "", 0), .wake(at: lasting, RunsEnding()),
        ] + sweepingVersions
    }
}

extension Turn {
    /// The parts that are missing before the draft can be published (TRM-7).
    func missingParts(of tour: TourRecord) -> [String] {
        var missing: [String] = []
        if tourFacts.name.words.isEmpty { missing.append("name") }
        if tourFacts.description_p.words.isEmpty { missing.append("description") }
        let (ground, isWhole) = tourGround ?? (WireTourGround(), false)
        if ground.area.isEmpty { missing.append("area") }
        if ground.route.isEmpty { missing.append("route") }
        if ground.direction == .unspecified { missing.append("direction") }
        if !isWhole, !ground.area.isEmpty || !ground.route.isEmpty { missing.append("ground") }
        if tour.order.isEmpty { missing.append("stops") }
        return missing
    }

    /// The draft as one value.
    /// - Parameter route: puts the popups in its order; nil = they stay in that of their making.
    func content(of tour: TourRecord, along route: RouteLine?) -> WireTourContent {
        var content = WireTourContent()
        content.facts = tourFacts
        if let (ground, _) = tourGround { content.ground = ground }
        content.stops = tour.order.compactMap { tourPart($0)?.stop }
        let popups = tourParts.filter { $0.popup != nil }.map { part in
            (part: part, along: part.place.flatMap { route?.nearest(to: $0).along } ?? 0)
        }
        content.popups = popups.sorted { ($0.along, $0.part.id) < ($1.along, $1.part.id) }.compactMap(\.part.popup)
        return content
    }
}
