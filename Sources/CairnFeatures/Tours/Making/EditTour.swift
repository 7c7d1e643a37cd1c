internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Replaces what a draft says of itself (TRM-2).
struct SetTourFacts: Change, TourRequest {
    private let body: WireSetTourFacts
    var tour: String { body.tour }
    var assets: [String] { body.facts.assets }

    init(_ body: WireSetTourFacts) {
        var body = body
        body.facts = body.facts.filledIn
        self.body = body
    }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        let part = turn.tourPart(TourPart.factsID)
        try turn.check(version: body.version, is: part?.version ?? 0, of: "facts")
        try body.facts.check(turn.settings.tours)
        var tour = tour
        let effects = try turn.save(
            TourPart(id: TourPart.factsID, version: 0, content: .facts(body.facts)), of: &tour)
        return effects + [.answer(request, .success(turn.edited(tour, "facts", tour.edits)))]
    }
}

/// Replaces area, route and direction, or adds points to them (TRM-3).
struct SetTourGround: Change, TourRequest {
    private let body: WireSetTourGround
    var tour: String { body.tour }

    init(_ body: WireSetTourGround) { self.body = body }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        let known = turn.tourPart(TourPart.groundID)
        try turn.check(version: body.version, is: known?.version ?? 0, of: "ground")
        var ground = body.ground
        if body.append, case .ground(var before, isWhole: _)? = known?.content {
            before.area += ground.area
            before.route += ground.route
            if ground.direction != .unspecified { before.direction = ground.direction }
            ground = before
        }
        var route: RouteLine?
        if body.more {
            _ = try CheckedGround.places(of: ground, turn.settings.tours)
        } else {
            let checked = try CheckedGround(ground, turn.settings)
            try turn.checkParts(near: checked.route)
            ground.area = checked.corners.map(\.point)
            route = checked.route
        }
        var (tour, part) = (
            tour, TourPart(id: TourPart.groundID, version: 0, content: .ground(ground, isWhole: !body.more))
        )
        // Backwards it is another line, of the same distances.
        part.route = route
        let effects = try turn.save(part, of: &tour)
        return effects + [.answer(request, .success(turn.edited(tour, "ground", tour.edits)))]
    }
}

extension Turn {
    /// - Throws: `off_route`, with the first stop or popup that is too far away.
    func checkParts(near route: RouteLine) throws(Refusal) {
        for part in tourParts {
            guard let place = part.place else { continue }
            try route.check(place, of: part.name(in: self), settings.tours)
        }
    }

    /// Refuses one stop or popup too many (TRM-4).
    fileprivate func checkRoom() throws(Refusal) {
        let limit = settings.tours.partsMax
        let count =
            objects.count(of: .tourPart) - (tourPart(TourPart.factsID) == nil ? 0 : 1)
            - (tourPart(TourPart.groundID) == nil ? 0 : 1)
        guard count >= limit else { return }
        throw Tours.refusal(
            .spaceFull, "\(count) stops and popups", details: ["count": "\(count)", "limit": "\(limit)"])
    }

    /// The stop or popup that a client names.
    /// - Throws: `not_found`.
    fileprivate func namedPart(_ name: String) throws(Refusal) -> TourPart {
        guard let id = instance(named: name), id.rawValue >= TourPart.firstID, let part = tourPart(id.rawValue) else {
            throw Tours.absent
        }
        return part
    }
}

/// Adds a stop or replaces one (TRM-4).
struct SetTourStop: Change, TourRequest {
    private let body: WireSetTourStop
    var tour: String { body.tour }
    var assets: [String] { body.stop.assets }

    init(_ body: WireSetTourStop) { self.body = body }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        var (tour, stop) = (tour, body.stop)
        let known = stop.id.isEmpty ? nil : try turn.namedPart(stop.id)
        guard stop.id.isEmpty || known?.stop != nil else { throw Tours.absent }
        try turn.check(version: body.version, is: known?.version ?? 0, of: stop.id)
        if known == nil { try turn.checkRoom() }
        let place = try stop.check(turn.settings)
        try turn.wholeRoute()?.check(place, of: stop.id.isEmpty ? "stop" : stop.id, turn.settings.tours)
        let id = known?.id ?? turn.newInstanceID().rawValue
        stop.id = turn.name(of: InstanceID(rawValue: id))
        let effects = try turn.save(
            TourPart(id: id, version: 0, content: .stop(stop)), of: &tour, in: known == nil)
        return effects + [.answer(request, .success(turn.edited(tour, stop.id, tour.edits)))]
    }
}

/// Adds a popup or replaces one (TRM-4).
struct SetTourPopup: Change, TourRequest {
    private let body: WireSetTourPopup
    var tour: String { body.tour }
    var assets: [String] { body.popup.assets }

    init(_ body: WireSetTourPopup) { self.body = body }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        var (tour, popup) = (tour, body.popup)
        let known = popup.id.isEmpty ? nil : try turn.namedPart(popup.id)
        guard popup.id.isEmpty || known?.popup != nil else { throw Tours.absent }
        try turn.check(version: body.version, is: known?.version ?? 0, of: popup.id)
        if known == nil { try turn.checkRoom() }
        let place = try popup.check(turn.settings)
        try turn.wholeRoute()?.check(place, of: popup.id.isEmpty ? "popup" : popup.id, turn.settings.tours)
        let id = known?.id ?? turn.newInstanceID().rawValue
        popup.id = turn.name(of: InstanceID(rawValue: id))
        let effects = try turn.save(TourPart(id: id, version: 0, content: .popup(popup)), of: &tour)
        return effects + [.answer(request, .success(turn.edited(tour, popup.id, tour.edits)))]
    }
}

/// Removes a stop or popup (TRM-4).
struct RemoveTourPart: Change, TourRequest {
    private let body: WireRemoveTourPart
    var tour: String { body.tour }

    init(_ body: WireRemoveTourPart) { self.body = body }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        let part = try turn.namedPart(body.part)
        try turn.check(version: body.version, is: part.version, of: body.part)
        var tour = tour
        tour.edits += 1
        tour.isChanged = true
        turn.forgetTourPart(part.id)
        if let index = tour.order.firstIndex(of: part.id) {
            tour.order.remove(at: index)
            tour.orderVersion = tour.edits
        }
        turn.keep(tour)
        var effects: [Effect] = [
            .write(part.deletion(from: tour.id)), .write(tour.update), turn.changed(tour, body.part, tour.edits),
        ]
        if part.stop != nil { effects.append(turn.orderChanged(tour)) }
        return effects + [.answer(request, .success(turn.edited(tour, body.part, tour.edits)))]
    }
}

/// Puts the stops in another order (TRM-4).
struct OrderTourStops: Change, TourRequest {
    private let body: WireOrderTourStops
    var tour: String { body.tour }

    init(_ body: WireOrderTourStops) { self.body = body }

    func carryOut(_ request: Request, in tour: TourRecord, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        try turn.check(version: body.version, is: tour.orderVersion, of: "order")
        let order = body.stops.compactMap { turn.instance(named: $0)?.rawValue }
        guard order.count == body.stops.count, order.count == tour.order.count, Set(order) == Set(tour.order) else {
            throw TourTexts.invalid("stops", "every stop of the tour, once")
        }
        var tour = tour
        tour.edits += 1
        (tour.isChanged, tour.order, tour.orderVersion) = (true, order, tour.edits)
        turn.keep(tour)
        return [
            .write(tour.update), turn.orderChanged(tour),
            .answer(request, .success(turn.edited(tour, "order", tour.edits))),
        ]
    }
}
