internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Area and route of a tour that have passed the checks of TRM-3.
struct CheckedGround {
    let area: Polygon
    let route: RouteLine
    /// From where walkers begin to where they end.
    let walk: [Coordinate]

    /// Bounded in time: corners and points are counted first, corners are looked at pair by pair only to name a fault.
    /// - Throws: `invalid_route` with line, index and reason; `restricted_area`.
    init(_ ground: WireTourGround, _ settings: Settings) throws(Refusal) {
        let (corners, points) = try Self.places(of: ground, settings.tours)
        guard corners.count >= 3 else { throw Self.bad("area", corners.count, "too_few") }
        guard points.count >= 2 else { throw Self.bad("route", points.count, "too_few") }
        let first = corners[0]
        if let index = corners.firstIndex(where: {
            $0.distanceMetres(to: first) > settings.tours.extentMetresMax
        }) {
            throw Self.bad("area", index, "too_large")
        }
        do throws(Polygon.Fault) {
            area = try Polygon(corners)
        } catch {
            let reason =
                switch error {
                case .repeatedVertex: "repeated"
                case .tooLarge: "too_large"
                case .tooFewVertices: "too_few"
                case .tooManyVertices: "too_many"
                case .selfIntersection: "crossing"
                }
            throw Self.bad("area", Polygon.firstFault(of: corners) ?? 0, reason)
        }
        if let index = area.firstOutside(of: points) { throw Self.bad("route", index, "outside") }
        if let index = settings.firstRestricted(of: points) {
            throw Tours.refusal(.restrictedArea, details: ["line": "route", "index": "\(index)"])
        }
        let walk = ground.direction == .backward ? points.reversed() : points
        guard let route = RouteLine(walk), route.lengthMetres > 0 else { throw Self.bad("route", 1, "repeated") }
        (self.walk, self.route) = (walk, route)
    }

    /// The places of a ground that may not be whole.
    /// - Throws: `invalid_route` for numbers that are no places, and for too many.
    static func places(
        of ground: WireTourGround, _ settings: TourSettings
    ) throws(Refusal) -> (corners: [Coordinate], points: [Coordinate]) {
        (
            try places(ground.area, "area", countMax: settings.cornersMax),
            try places(ground.route, "route", countMax: settings.pointsMax)
        )
    }

    private static func places(
        _ points: [WireTourPoint], _ line: String, countMax: Int
    ) throws(Refusal) -> [Coordinate] {
        guard points.count <= countMax else { throw bad(line, countMax, "too_many") }
        var places: [Coordinate] = []
        places.reserveCapacity(points.count)
        for (index, point) in points.enumerated() {
            guard let place = Coordinate(point: point) else { throw bad(line, index, "no_place") }
            places.append(place)
        }
        return places
    }

    private static func bad(_ line: String, _ index: Int, _ reason: String) -> Refusal {
        Tours.refusal(.invalidRoute, details: ["line": line, "index": "\(index)", "reason": reason])
    }

    /// - Parameter name: of the part, for the refusal.
    /// - Throws: `off_route`.
    func check(_ place: Coordinate, of name: @autoclosure () -> String, _ settings: TourSettings) throws(Refusal) {
        let metres = route.nearest(to: place).metres
        guard metres > settings.offRouteMetres else { return }
        throw Tours.refusal(
            .offRoute,
            details: [
                "part": name(), "distance": "\(Int(metres.rounded()))",
                "limit": "\(Int(settings.offRouteMetres))",
            ])
    }
}
