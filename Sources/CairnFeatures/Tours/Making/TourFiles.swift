internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Makes the draft what a GeoJSON text says (TRM-3, TRM-4). Parts whose ids the tour has keep them; others are new.
///
/// A text that is larger than a message comes as an asset of the sender, and is read off the loops. The asset goes with
/// the import; one whose import is refused is collected as any that nothing uses.
struct ImportTour: Change, TourRequest {
    private let body: WireImportTour
    /// The text of the asset, checked; nil = it was not read yet, or there is none.
    private let uploaded: WireTourContent?
    var tour: String { body.tour }
    var assets: [String] { get throws(Refusal) { TourAssets.names(in: try content()) } }

    init(_ body: WireImportTour) throws(Refusal) {
        guard body.asset.isEmpty || body.geojson.isEmpty else {
            throw TourTexts.invalid("asset", "either a text or an asset")
        }
        (self.body, uploaded) = (body, nil)
    }

    private init(_ command: ImportTour, uploaded: WireTourContent) {
        (body, self.uploaded) = (command.body, uploaded)
    }

    func begin(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard !body.asset.isEmpty else { return try checkAssets(request, in: &turn) }
        _ = try turn.ownTour(of: request.sender)
        try turn.check(version: body.version, is: turn.tourPart(TourPart.factsID)?.version ?? 0, of: "facts")
        let asset = try turn.assets(named: [body.asset])[0]
        return [.read(asset, by: Self.reading(turn.settings), request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard !body.asset.isEmpty, uploaded == nil else { return try proceed(request, with: rows[0], in: &turn) }
        guard let row = rows[0].first, let bytes = try? row.blob(0),
            let content = try? WireBody.decode(WireTourContent.self, from: bytes)
        else { throw TourAssets.unknown }
        let command = ImportTour(self, uploaded: content)
        return try command.checkAssets(request.with(command), in: &turn)
    }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        let facts = turn.tourPart(TourPart.factsID)?.version ?? 0
        try turn.check(version: body.version, is: facts, of: "facts")
        var content = try content()
        // An upload was checked where it was read.
        if uploaded == nil { try content.check(turn.settings) }
        turn.nameParts(of: &content)
        var tour = tour
        let effects = turn.replaceDraft(of: &tour, by: content, isChanged: true)
        let upload = body.asset.isEmpty ? [] : try turn.assets(named: [body.asset])
        return effects + upload.map { .write(TourAssets.end(ofUpload: $0, by: request.sender.account)) } + [
            turn.changed(tour, "", tour.published),
            .answer(request, .success(turn.edited(tour, "facts", tour.edits))),
        ]
    }

    private func content() throws(Refusal) -> WireTourContent {
        if let uploaded { return uploaded }
        return try TourGeoJSON.readOrRefused(body.geojson)
    }

    /// Reads and checks off the loops: of a megabyte of texts that takes a second.
    private static func reading(_ settings: Settings) -> AssetReading {
        AssetReading(bytesMax: TourGeoJSON.bytesMax) { bytes throws(Refusal) in
            var content = try TourGeoJSON.readOrRefused(String(decoding: bytes, as: UTF8.self))
            try content.check(settings)
            return .blob(WireBody.encode(content))
        }
    }
}

extension TourGeoJSON {
    /// Reads a text that somebody wants to be a tour.
    /// - Throws: `invalid_field`, whose details name the feature, by its index from 0, and the property that is wrong.
    static func readOrRefused(_ text: String) throws(Refusal) -> WireTourContent {
        do throws(Fault) {
            return try content(of: text)
        } catch {
            var details = ["field": "geojson"]
            details["feature"] = error.feature.map(String.init)
            details["property"] = error.property
            throw Tours.refusal(.invalidField, Refusal.Text(english: "geojson: \(error.cause)"), details: details)
        }
    }
}

extension WireTourContent {
    /// As the parts of a draft, before the ids of new ones.
    private var bytes: Int {
        stops.reduce(WireBody.encode(facts).count + WireBody.encode(ground).count) { $0 + WireBody.encode($1).count }
            + popups.reduce(0) { $0 + WireBody.encode($1).count }
    }

    fileprivate var hasGround: Bool {
        !ground.area.isEmpty || !ground.route.isEmpty || ground.direction != .unspecified
    }

    /// Checks what came in a file, and turns the area counter-clockwise, as RFC 7946 has it.
    /// - Throws: what the requests for single parts refuse.
    mutating func check(_ settings: Settings) throws(Refusal) {
        facts = facts.filledIn
        try facts.check(settings.tours)
        // A draft may have none yet.
        let checked = hasGround ? try CheckedGround(ground, settings) : nil
        if let checked { ground.area = checked.corners.map(\.point) }
        let (count, limit) = (stops.count + popups.count, settings.tours.partsMax)
        guard count <= limit else {
            throw Tours.refusal(
                .spaceFull, "\(count) stops and popups", details: ["count": "\(count)", "limit": "\(limit)"])
        }
        try settings.tours.checkDraft(bytes: bytes)
        for (index, stop) in stops.enumerated() {
            let (name, place) = (stop.id.isEmpty ? "stops[\(index)]" : stop.id, try stop.check(settings))
            try checked?.route.check(place, of: name, settings.tours)
        }
        for (index, popup) in popups.enumerated() {
            let (name, place) = (popup.id.isEmpty ? "popups[\(index)]" : popup.id, try popup.check(settings))
            try checked?.route.check(place, of: name, settings.tours)
        }
    }
}

extension Turn {
    /// Gives the stops and popups of a file names of this tour.
    mutating func nameParts(of content: inout WireTourContent) {
        var ids: Set<UInt64> = []
        for index in content.stops.indices {
            content.stops[index].id = partName(content.stops[index].id, besides: &ids) { $0.stop != nil }
        }
        for index in content.popups.indices {
            content.popups[index].id = partName(content.popups[index].id, besides: &ids) { $0.popup != nil }
        }
    }

    /// The name that an imported part gets: its own if the tour has such a part, else a new one.
    private mutating func partName(
        _ name: String, besides taken: inout Set<UInt64>, where fits: (TourPart) -> Bool
    ) -> String {
        if let id = instance(named: name)?.rawValue, let part = tourPart(id), fits(part), taken.insert(id).inserted {
            return name
        }
        let id = newInstanceID()
        taken.insert(id.rawValue)
        return self.name(of: id)
    }

    /// Replaces all parts of a draft. The names of stops and popups are ids of this server.
    mutating func replaceDraft(
        of tour: inout TourRecord, by content: WireTourContent, isChanged: Bool
    ) -> [Effect] {
        var effects: [Effect] = []
        for part in tourParts {
            forgetTourPart(part.id)
            effects.append(.write(part.deletion(from: tour.id)))
        }
        tour.edits += 1
        let stops = content.stops.compactMap { stop in instance(named: stop.id).map { ($0.rawValue, stop) } }
        let popups = content.popups.compactMap { popup in instance(named: popup.id).map { ($0.rawValue, popup) } }
        var contents: [(UInt64, TourPart.Content)] = [(TourPart.factsID, .facts(content.facts))]
        if content.hasGround { contents.append((TourPart.groundID, .ground(content.ground, isWhole: true))) }
        contents += stops.map { ($0.0, .stop($0.1)) } + popups.map { ($0.0, .popup($0.1)) }
        for (id, content) in contents {
            let part = TourPart(id: id, version: tour.edits, content: content)
            keep(part)
            effects.append(.write(part.saving(in: tour.id)))
        }
        tour.order = stops.map(\.0)
        (tour.orderVersion, tour.isChanged) = (tour.edits, isChanged)
        keep(tour)
        return effects + [.write(tour.update)]
    }
}
