internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Looks at everything of a tour: what is published, or the draft for its makers (TRT-4, TRM-8).
///
/// What is published is read by the sender's account: no home wakes, and to users of organisations a draft of others
/// answers like nothing, in code and in time (TRM-6). Drafts are refused to everybody else, whatever the tour (TRM-1).
protocol TourLook: Question, TourReader {
    var tour: String { get }
    var isDraft: Bool { get }
    /// The answer about a content.
    /// - Parameter parts: the versions of a draft's parts.
    func answer(
        _ tour: ReadTour, _ summary: WireTourSummary, parts: [WireTourPart]
    ) throws(Refusal) -> Request.Result
}

extension TourLook {
    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let maker: OrganisationID? = try isDraft ? turn.organisation(of: request.sender) : nil
        guard let id = turn.identifier(named: tour, TourTag.self) else { throw Tours.absent }
        guard let maker else {
            guard let tour = turn.names.tours.index.tour(id) else { throw Tours.absent }
            let reading = turn.reading(of: tour, by: request.sender, purchases: [])
            // Only who may have bought it has to be looked up.
            guard reading == .whole || request.sender.isGuest else {
                return [.ask([TourReading.query(of: request.sender.account, id)], request)]
            }
            return try look(request, at: tour, reading, in: &turn)
        }
        if case .account = turn.home { return [.hand(request, .tour(id))] }
        guard let tour = turn.keptTour, tour.organisation == maker else { throw Tours.absent }
        return [.answer(request, .success(try draft(of: tour, for: request.sender, in: &turn)))]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: tour, TourTag.self), let tour = turn.names.tours.index.tour(id) else {
            throw Tours.absent
        }
        let purchases = turn.read(rows[0], of: Purchase.table, Purchase.init(stored:))
        return try look(request, at: tour, turn.reading(of: tour, by: request.sender, purchases: purchases), in: &turn)
    }

    private func look(
        _ request: Request, at tour: OfferedTour, _ reading: TourReading, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard let read = turn.readTour(tour) else { return try turn.read(tour, for: request, reading) }
        return try proceed(request, read, reading, tour, in: &turn)
    }

    /// What is published is in memory.
    func proceed(
        _ request: Request, _ read: ReadTour, _ reading: TourReading, _ tour: OfferedTour, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let summary = tour.summary(for: request.sender.language, in: turn)
        let answer = try answer(read.shown(reading), summary, parts: [])
        try turn.noteLook(answer, by: request.sender.account)
        return [.answer(request, .success(answer))]
    }

    /// The draft as it is on disk.
    private func draft(
        of tour: TourRecord, for reader: Sender, in turn: inout Turn
    ) throws(Refusal) -> Request.Result {
        let kept = turn.keptTourParts
        let read = turn.readDraft(of: tour, kept)
        var parts = kept.map { part in
            var wire = WireTourPart()
            (wire.part, wire.version) = (part.name(in: turn), part.version)
            return wire
        }
        var order = WireTourPart()
        (order.part, order.version) = ("order", tour.orderVersion)
        parts.append(order)
        let summary = tour.summary(ofDraft: read.content, for: reader.language, in: turn)
        let answer = try answer(read, summary, parts: parts)
        try turn.noteLook(answer, by: reader.account)
        return answer
    }
}

/// Shows everything of a tour in pages (TRT-4, TRM-8).
struct GetTour: TourLook {
    static let senders = Role.onlookers

    private let body: WireGetTour
    var tour: String { body.tour }
    var isDraft: Bool { body.draft }

    init(_ body: WireGetTour) { self.body = body }

    func answer(
        _ tour: ReadTour, _ summary: WireTourSummary, parts: [WireTourPart]
    ) throws(Refusal) -> Request.Result {
        try TourPages.answer(body.page, of: tour, summary, parts: parts)
    }
}

/// Gives everything of a tour as GeoJSON, in pieces.
struct ExportTour: TourLook {
    private let body: WireExportTour
    var tour: String { body.tour }
    var isDraft: Bool { body.draft }

    init(_ body: WireExportTour) { self.body = body }

    func answer(
        _ tour: ReadTour, _ summary: WireTourSummary, parts: [WireTourPart]
    ) throws(Refusal) -> Request.Result {
        let pieces = tour.pieces
        guard body.page < pieces.count else { throw Tours.absent }
        var file = WireTourFile()
        if let withheld = tour.withheld { file.preview = withheld }
        (file.page, file.pages, file.geojson) = (body.page, UInt32(pieces.count), pieces[Int(body.page)])
        return .tourFile(file)
    }
}

extension Turn {
    /// How much of a published tour a person may read.
    fileprivate func reading(of tour: OfferedTour, by reader: Sender, purchases: [Purchase]) -> TourReading {
        // Admins read tours by the operators' interfaces: requests of features are not theirs (ROL-4).
        TourReading.of(
            tour.id, price: tour.price, by: tour.organisation,
            for: names.organisations.organisation(of: reader.account), isAdmin: false, purchases: purchases)
    }

    /// The tour as it is on disk.
    fileprivate var keptTour: TourRecord? {
        guard case .tour(let id) = home else { return nil }
        return objects.kept(InstanceID(rawValue: id.rawValue), .tour)?.attachments[TourRecord.self]
    }

    /// The parts as they are on disk, by id.
    fileprivate var keptTourParts: [TourPart] {
        objects.ids.compactMap { objects.kept($0, .tourPart)?.attachments[TourPart.self] }.sorted { $0.id < $1.id }
    }
}

extension OfferedTour {
    /// As everybody sees it.
    /// - Parameters:
    ///   - language: of the reader.
    ///   - millimetres: from the place that is asked about to the start; nil = none is.
    func summary(for language: String, in turn: Turn, millimetres: Int64? = nil) -> WireTourSummary {
        turn.summary(of: self, in: language, awayMetres: millimetres.map { Double($0) / 1_000 })
    }
}

extension TourRecord {
    /// The draft as its makers see it: distance, time and start are those of its own route (TRM-3, TRM-8).
    fileprivate func summary(
        ofDraft content: WireTourContent, for language: String, in turn: Turn
    ) -> WireTourSummary {
        var summary = summary(content.facts, for: language, in: turn)
        let points = content.ground.route.compactMap(Coordinate.init(point:))
        let walk = content.ground.direction == .backward ? points.reversed() : points
        summary.distance = RouteLine(walk)?.lengthMetres ?? 0
        summary.seconds = turn.settings.tours.seconds(along: summary.distance, given: content.facts.seconds)
        summary.clearStart()
        if let start = walk.first { summary.start = start.point }
        return summary
    }

    /// As its makers see it, with distance, time and start of what is published.
    func summary(_ facts: WireTourFacts, for language: String, in turn: Turn) -> WireTourSummary {
        var summary = WireTourSummary(
            name: facts.name, picture: facts.picture, alternative: facts.pictureAlternative, in: language)
        summary.id = turn.name(of: id)
        summary.organisation = turn.name(of: organisation)
        summary.organisationName = turn.names.organisations.name(of: organisation) ?? ""
        summary.price = facts.price
        summary.distance = offered.distanceMetres
        summary.seconds = offered.seconds
        if let start = offered.content.ground.route.first { summary.start = start }
        summary.code = code
        summary.version = published
        summary.state = state
        return summary
    }
}
