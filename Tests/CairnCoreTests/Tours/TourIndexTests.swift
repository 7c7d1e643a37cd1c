import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Published tours in memory: found by place at each position, listed in stable pages (TRT-2, TRT-3, PRX-1, PRX-2).
@Suite("Index of tours")
struct TourIndexTests {
    private static let origin = Coordinate.make()
    private static let plane = LocalPlane(origin: origin)

    private static func place(_ east: Double, _ north: Double) -> Coordinate {
        plane.coordinate(east: east, north: north)
    }

    private static func tour(
        _ number: UInt64, of organisation: UInt64 = 1, version: UInt32 = 1, at place: Coordinate,
        sideMetres: Double = 200
    ) throws -> OfferedTour {
        let plane = LocalPlane(origin: place)
        let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { east, north in
            plane.coordinate(east: (east - 0.5) * sideMetres, north: (north - 0.5) * sideMetres)
        }
        var facts = WireTourFacts()
        facts.name.words = [WireTourWords()]
        return OfferedTour(
            id: TourID(rawValue: number), version: version, organisation: OrganisationID(rawValue: organisation),
            code: TourCode.of("\(number)"), facts: facts, distanceMetres: 100, seconds: 71, start: place,
            area: try Polygon(corners))
    }

    @Test func start_isFoundWithinTheDistance_andNotBeyond() throws {
        let index = TourIndex([try Self.tour(1, at: Self.origin)])
        #expect(index.tours(beginningWithin: 50, of: Self.place(49, 0)).map(\.tour.id.rawValue) == [1])
        #expect(index.tours(beginningWithin: 50, of: Self.place(0, -51)).isEmpty)
        #expect(index.tours(beginningWithin: 250, of: Self.place(170, 170)).count == 1)
    }

    @Test func nearStarts_areFoundWhereverTheCellsEnd() throws {
        let index = TourIndex([try Self.tour(1, at: Self.origin)])
        for step in 0..<360 {
            let turn = Double(step) * .pi / 180
            let near = Self.place(49.5 * cosine(turn), 49.5 * cosine(turn - .pi / 2))
            #expect(index.tours(beginningWithin: 50, of: near).count == 1)
            #expect(index.tours(around: Self.place(299 * cosine(turn), 0), within: 200).count == 1)
        }
    }

    /// Without Foundation: the cosine by its series, good to a millionth on two turns.
    private func cosine(_ angle: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for n in 1...20 {
            term *= -angle * angle / Double((2 * n - 1) * (2 * n))
            sum += term
        }
        return sum
    }

    @Test func area_isFoundWithinTheDistance() throws {
        let index = TourIndex([try Self.tour(1, at: Self.origin)])
        #expect(index.tours(around: Self.place(299, 0), within: 200).count == 1)
        #expect(index.tours(around: Self.place(302, 0), within: 200).isEmpty)
    }

    @Test func newVersion_replacesTheOldOne_andAWithdrawnTourIsGone() throws {
        var index = TourIndex([try Self.tour(1, at: Self.origin)])
        index.set(TourID(rawValue: 1), to: try Self.tour(1, version: 2, at: Self.place(5_000, 0)))
        #expect(index.tours(beginningWithin: 50, of: Self.origin).isEmpty)
        #expect(index.tours(beginningWithin: 50, of: Self.place(5_000, 0)).map(\.tour.version) == [2])
        #expect(index.count == 1 && index.tour(code: TourCode.of("1"))?.version == 2)
        index.set(TourID(rawValue: 1), to: nil)
        #expect(index.count == 0 && index.tour(code: TourCode.of("1")) == nil)
        #expect(index.tours(around: Self.place(5_000, 0), within: 200).isEmpty)
    }

    @Test func pages_holdEachTourOnce_whileOthersComeAndGo() throws {
        var index = TourIndex(
            try (1...50).map { try Self.tour($0, of: $0 % 3, at: Self.place(Double($0) * 10, 0)) })
        let first = index.page(near: Self.origin, of: nil, after: nil, countMax: 20)
        #expect(first.map(\.tour.id.rawValue) == Array(1...20))
        index.set(TourID(rawValue: 3), to: nil)
        index.set(TourID(rawValue: 99), to: try Self.tour(99, at: Self.place(1, 0)))
        let last = try #require(first.last)
        let second = index.page(near: Self.origin, of: nil, after: (last.millimetres, last.tour.id), countMax: 100)
        #expect(second.map(\.tour.id.rawValue) == Array(21...50))
        let group = index.page(of: OrganisationID(rawValue: 2), after: nil, countMax: 5)
        #expect(group.map(\.id.rawValue) == [2, 5, 8, 11, 14])
        let rest = index.page(
            of: nil, after: (OrganisationID(rawValue: 2), TourID(rawValue: 14)), countMax: 100)
        #expect(rest.allSatisfy { $0.organisation.rawValue == 2 } && rest.count == 12)
    }

    @Test func suspendedOrganisationsTours_areWithdrawn_andComeBackWithIt() throws {
        let names = NameDirectory()
        names.set(OrganisationID(rawValue: 1), to: "Museum")
        names.tours.set(TourID(rawValue: 1), to: try Self.tour(1, at: Self.origin))
        names.set(OrganisationID(rawValue: 1), to: nil)
        #expect(names.tours.index.count == 0)
        // What it publishes meanwhile waits.
        names.tours.set(TourID(rawValue: 2), to: try Self.tour(2, at: Self.origin))
        #expect(names.tours.index.count == 0)
        names.set(OrganisationID(rawValue: 1), to: "Museum")
        #expect(names.tours.index.count == 2)
    }

    /// Damage offers nothing and ends nothing: it may hide a suspension, and is no withdrawal.
    @Test func unreadableTourOrOrganisation_isNotOffered_andNotWithdrawn() throws {
        let (names, museum) = (NameDirectory(), OrganisationID(rawValue: 1))
        let (sound, damaged, unknown) = (TourID(rawValue: 1), TourID(rawValue: 2), TourID(rawValue: 9))
        names.tours.fill(with: [try Self.tour(1, at: Self.origin)], unreadable: [damaged: museum])
        names.set(museum, to: "Museum")
        #expect(names.tours.index.count == 1 && names.tours.maker(of: unknown) == nil)
        #expect(names.tours.maker(of: sound) == museum && names.tours.maker(of: damaged) == museum)
        names.set(museum, to: nil)
        #expect(names.tours.maker(of: sound) == nil && names.tours.maker(of: damaged) == nil)
        names.setUnreadable(museum)
        #expect(names.tours.index.count == 0 && names.organisations.name(of: museum) == nil)
        #expect(names.tours.maker(of: sound) == museum && names.tours.maker(of: damaged) == museum)
        // Withdrawn in earnest.
        names.tours.set(damaged, to: nil)
        #expect(names.tours.maker(of: damaged) == nil)
    }

    @Test func codes_haveEightLettersWithoutConfusables_andDiffer() {
        let codes = (0..<20_000).map { TourCode.of("tour\($0)") }
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.utf8.count == 8 && !$0.contains { "ILOU0123456789".contains($0) } })
    }

    /// The bound: 10,000 published tours, under 2 microseconds a position. Debug builds are some ten times
    /// slower, so the test holds them to 20.
    @Test func positionAmongTenThousandTours_isOneLookIntoADictionary() throws {
        let index = TourIndex(
            try (0..<10_000).map { number in
                let (row, column) = (number / 100, number % 100)
                return try Self.tour(UInt64(number + 1), at: Self.place(Double(column) * 300, Double(row) * 300))
            })
        let places = (0..<1_000).map { Self.place(Double($0 * 29 % 30_000), Double($0 * 17 % 30_000)) }
        var found = 0
        let time = ContinuousClock().measure {
            for _ in 0..<10 {
                for place in places { found += index.tours(beginningWithin: 60, of: place).count }
            }
        }
        #expect(found > 0)
        let nanoseconds = time / 10_000
        print("a position among 10,000 tours: \(nanoseconds)")
        #expect(nanoseconds < .microseconds(40))
    }
}
