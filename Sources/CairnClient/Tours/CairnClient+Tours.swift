public import CairnWire

/// Making and finding tours (TRM-1 to TRM-10, TRT-2 to TRT-4). Tours and parts are named by their ids.
extension CairnClient {
    /// Makes a draft (TRM-1).
    /// - Returns: the id of the tour.
    public func createTour(_ facts: WireTourFacts) async throws(Refusal) -> String {
        var body = WireCreateTour()
        body.facts = facts
        return try await ask(body).tour
    }

    /// Replaces what a draft says of itself (TRM-2).
    public func setTourFacts(_ body: WireSetTourFacts) async throws(Refusal) -> WireTourEdited {
        try await ask(body)
    }

    /// Replaces area, route and direction, or adds points to them (TRM-3).
    public func setTourGround(_ body: WireSetTourGround) async throws(Refusal) -> WireTourEdited {
        try await ask(body)
    }

    /// Adds a stop or replaces one (TRM-4).
    public func setTourStop(_ body: WireSetTourStop) async throws(Refusal) -> WireTourEdited {
        try await ask(body)
    }

    /// Adds a popup or replaces one (TRM-4).
    public func setTourPopup(_ body: WireSetTourPopup) async throws(Refusal) -> WireTourEdited {
        try await ask(body)
    }

    /// Makes the draft what a GeoJSON text says (TRM-3, TRM-4).
    /// - Parameter version: of the draft's facts, as it was read; 1 after `createTour`.
    @discardableResult
    public func importTour(_ tour: String, version: UInt32, geoJSON: String) async throws(Refusal) -> WireTourEdited {
        var body = WireImportTour()
        (body.tour, body.version, body.geojson) = (tour, version, geoJSON)
        return try await ask(body)
    }

    /// Makes the draft what an uploaded GeoJSON text says: one that may be larger than a message (TRM-3, TRM-4).
    /// - Parameter asset: of `upload`; it is deleted with the import.
    @discardableResult
    public func importTour(_ tour: String, version: UInt32, asset: String) async throws(Refusal) -> WireTourEdited {
        var body = WireImportTour()
        (body.tour, body.version, body.asset) = (tour, version, asset)
        return try await ask(body)
    }

    /// The GeoJSON of a tour, put together from its pieces.
    /// - Parameter draft: of the draft, for users of its organisation.
    public func exportTour(_ tour: String, draft: Bool = false) async throws(Refusal) -> String {
        var (text, body) = ("", WireExportTour())
        (body.tour, body.draft) = (tour, draft)
        while true {
            let file = try await ask(body)
            text += file.geojson
            body.page += 1
            guard body.page < file.pages else { return text }
        }
    }

    /// Publishes the draft (TRM-7).
    /// - Returns: the published version.
    @discardableResult
    public func publishTour(_ tour: String) async throws(Refusal) -> UInt32 {
        var body = WirePublishTour()
        body.tour = tour
        return try await ask(body).version
    }

    /// Deletes a tour (TRM-10).
    public func deleteTour(_ tour: String) async throws(Refusal) {
        var body = WireDeleteTour()
        body.tour = tour
        _ = try await ask(body)
    }

    /// A page of published tours (TRT-2).
    public func tours(_ body: WireListTours) async throws(Refusal) -> WireTourList {
        return try await ask(body)
    }

    /// How much the preview of a tour leaves out for this person (TRT-4); nil = they read all of it.
    public func withheld(of tour: String) async throws(Refusal) -> WireTourPreview? {
        var body = WireGetTour()
        body.tour = tour
        let page = try await ask(body)
        return page.hasPreview ? page.preview : nil
    }

    /// A tour, page by page (TRT-4): everything of it, or its preview where it is to be bought (`withheld(of:)`).
    /// - Parameter draft: of the draft, for users of its organisation.
    public func tourContent(_ tour: String, draft: Bool = false) async throws(Refusal) -> WireTourContent {
        var (content, body) = (WireTourContent(), WireGetTour())
        (body.tour, body.draft) = (tour, draft)
        while true {
            let page = try await ask(body)
            if page.content.hasFacts { content.facts = page.content.facts }
            let ground = page.content.ground
            if ground.direction != .unspecified { content.ground.direction = ground.direction }
            content.ground.area += ground.area
            content.ground.route += ground.route
            content.stops += page.content.stops
            content.popups += page.content.popups
            body.page += 1
            guard body.page < page.pages else { return content }
        }
    }
}
