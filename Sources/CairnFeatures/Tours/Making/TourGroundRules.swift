internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Area and route of a tour that have passed the checks of TRM-3.
struct CheckedGround {
    /// Counter-clockwise, as RFC 7946 has it.
    let corners: [Coordinate]
    let route: RouteLine
    /// From where walkers begin to where they end.
    let walk: [Coordinate]
    /// How many edges were compared.
    let edgeTests: Int

    /// Most comparisons of edges of one ground. A route of 10,000 points close along an outline of 1,000 corners takes
    /// 70,000; this many take some milliseconds.
    static let edgeTestsMax = 400_000

    /// Bounded in time: corners and points are counted first, edges are compared in whole numbers and counted.
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
        let area = try Self.area(corners)
        var tests = EdgeTests(most: Self.edgeTestsMax)
        let (outside, restricted): (Int?, Int?)
        do throws(EdgeTests.UsedUp) {
            outside = try area.firstOutside(of: points, &tests)
            restricted = outside == nil ? try settings.firstRestricted(of: points, &tests) : nil
        } catch {
            throw Self.bad("route", error.index, "too_complex")
        }
        if let index = outside { throw Self.bad("route", index, "outside") }
        if let index = restricted {
            throw Tours.refusal(.restrictedArea, details: ["line": "route", "index": "\(index)"])
        }
        let walk = ground.direction == .backward ? points.reversed() : points
        guard let route = RouteLine(walk), route.lengthMetres > 0 else { throw Self.bad("route", 1, "repeated") }
        (self.corners, self.walk, self.route) = (area.corners, walk, route)
        edgeTests = tests.count
    }

    private static func area(_ corners: [Coordinate]) throws(Refusal) -> FlatArea {
        do throws(FlatArea.Fault) {
            return try FlatArea(corners)
        } catch {
            let reason =
                switch error.reason {
                case .tooFew: "too_few"
                case .repeated: "repeated"
                case .tooLarge: "too_large"
                case .crossing: "crossing"
                }
            throw bad("area", error.index, reason)
        }
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

    static func bad(_ line: String, _ index: Int, _ reason: String) -> Refusal {
        Tours.refusal(.invalidRoute, details: ["line": line, "index": "\(index)", "reason": reason])
    }
}

extension RouteLine {
    /// The route of a ground that was checked when it was set.
    init?(of ground: WireTourGround) {
        self.init(ground.route.compactMap(Coordinate.init(point:)))
    }

    /// - Parameter name: of the part, for the refusal.
    /// - Throws: `off_route`.
    func check(_ place: Coordinate, of name: @autoclosure () -> String, _ settings: TourSettings) throws(Refusal) {
        let metres = nearest(to: place).metres
        guard metres > settings.offRouteMetres else { return }
        throw Tours.refusal(
            .offRoute,
            details: [
                "part": name(), "distance": "\(Int(metres.rounded()))",
                "limit": "\(Int(settings.offRouteMetres))",
            ])
    }
}
