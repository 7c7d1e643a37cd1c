public import CairnGeo
public import CairnWire

/// The published tours of organisations that are not suspended, found by id, by code, by organisation and by place
/// (TRT-2, TRT-3, PRX-1, PRX-2).
///
/// An immutable value: each loop has its own, and gets another when a tour is published or withdrawn. Asking it takes
/// no lock, and at a position that is near no tour one look into a dictionary.
public struct TourIndex: Sendable {
    private var tours: [TourID: OfferedTour] = [:]
    private var codes: [String: TourID] = [:]
    /// By organisation and id.
    private var order: [OfferedTour] = []
    /// The tours that begin within `reachMetres` of a cell of `startLevel`.
    private var starts: [CellID: [OfferedTour]] = [:]
    /// The tours whose area may be within `noticeMetres` of a cell of `areaLevel`.
    private var areas: [CellID: [OfferedTour]] = [:]

    /// Cells of about 280 m.
    private static let startLevel = 15
    /// Cells of about 1.1 km.
    private static let areaLevel = 13
    /// Furthest that a start is looked for. `nearby.startMetres` is below.
    public static let reachMetres = 250.0
    /// Furthest that an area is looked for.
    public static let noticeMetres = 1_000.0

    /// No tours.
    public init() {}

    /// - Parameter tours: in any order, each id once.
    public init(_ tours: [OfferedTour]) {
        self.tours.reserveCapacity(tours.count)
        order = tours.sorted(by: Self.precedes)
        for tour in order { note(tour) }
    }

    public var count: Int { tours.count }

    /// The tour of this id; nil = it is not published.
    public func tour(_ id: TourID) -> OfferedTour? { tours[id] }

    /// The tour of this code, in capital or small letters; nil = no published one has it (TRT-3).
    public func tour(code: String) -> OfferedTour? {
        guard code.utf8.count == TourCode.letterCount else { return nil }
        return codes[code.uppercased()].flatMap { tours[$0] }
    }

    // MARK: Changes

    /// Publishes a tour in place of an earlier version, or withdraws it.
    public mutating func set(_ id: TourID, to tour: OfferedTour?) {
        if let old = tours.removeValue(forKey: id) { forget(old) }
        guard let tour else { return }
        order.insert(tour, at: order.firstIndex { Self.precedes(tour, $0) } ?? order.count)
        note(tour)
    }

    private mutating func note(_ tour: OfferedTour) {
        tours[tour.id] = tour
        codes[tour.code] = tour.id
        for cell in Self.startCells(of: tour) { starts[cell, default: []].append(tour) }
        for cell in Self.areaCells(of: tour) { areas[cell, default: []].append(tour) }
    }

    private mutating func forget(_ tour: OfferedTour) {
        codes[tour.code] = nil
        order.removeAll { $0.id == tour.id }
        for cell in Self.startCells(of: tour) { Self.remove(tour.id, from: &starts, cell) }
        for cell in Self.areaCells(of: tour) { Self.remove(tour.id, from: &areas, cell) }
    }

    private static func remove(_ id: TourID, from table: inout [CellID: [OfferedTour]], _ cell: CellID) {
        table[cell]?.removeAll { $0.id == id }
        if table[cell]?.isEmpty == true { table[cell] = nil }
    }

    private static func startCells(of tour: OfferedTour) -> [CellID] {
        cells(touching: tour.start, radiusMetres: reachMetres, level: startLevel)
    }

    /// The cells of the disc around the area: more than touch it, and bounded by the area's extent.
    private static func areaCells(of tour: OfferedTour) -> [CellID] {
        let corners = tour.area.vertices
        let centre = corners.first ?? tour.start
        let radius = corners.map { $0.distanceMetres(to: centre) }.max() ?? 0
        return cells(touching: centre, radiusMetres: min(radius + noticeMetres, 60_000), level: areaLevel)
    }

    private static func precedes(_ one: OfferedTour, _ other: OfferedTour) -> Bool {
        (one.organisation, one.id) < (other.organisation, other.id)
    }

    // MARK: By place

    /// Tours that begin within so many metres of a place, the nearest first.
    /// - Parameter metres: at most `reachMetres`.
    public func tours(beginningWithin metres: Double, of place: Coordinate) -> [(tour: OfferedTour, metres: Double)] {
        guard !starts.isEmpty, let near = starts[CellID(place, level: Self.startLevel)] else { return [] }
        return near.map { (tour: $0, metres: $0.start.distanceMetres(to: place)) }
            .filter { $0.metres <= metres }
            .sorted { ($0.metres, $0.tour.id) < ($1.metres, $1.tour.id) }
    }

    /// Tours whose area is within so many metres of a place, in no order.
    /// - Parameters:
    ///   - metres: at most `noticeMetres`.
    ///   - isWanted: asked first, because a distance to an area costs microseconds.
    public func tours(
        around place: Coordinate, within metres: Double, where isWanted: (OfferedTour) -> Bool = { _ in true }
    ) -> [OfferedTour] {
        guard !areas.isEmpty, let near = areas[CellID(place, level: Self.areaLevel)] else { return [] }
        return near.filter { isWanted($0) && $0.area.distanceMetres(to: place) <= metres }
    }

    // MARK: Lists

    /// A page by organisation and id.
    /// - Parameters:
    ///   - organisation: of this one alone; nil = of all.
    ///   - last: the last tour of the page before, which need not be published any more; nil = the first page.
    public func page(
        of organisation: OrganisationID?, after last: (OrganisationID, TourID)?, countMax: Int
    ) -> [OfferedTour] {
        let behind = order.lazy.filter { tour in
            (organisation == nil || tour.organisation == organisation)
                && (last.map { (tour.organisation, tour.id) > $0 } ?? true)
        }
        return Array(behind.prefix(countMax))
    }

    /// A page by distance of the starts from a place.
    /// - Parameter last: distance in millimetres and id of the last tour of the page before; nil = the first page.
    public func page(
        near place: Coordinate, of organisation: OrganisationID?, after last: (Int64, TourID)?, countMax: Int
    ) -> [(tour: OfferedTour, millimetres: Int64)] {
        var found = order.compactMap { tour -> (tour: OfferedTour, millimetres: Int64)? in
            guard organisation == nil || tour.organisation == organisation else { return nil }
            let millimetres = Int64(tour.start.distanceMetres(to: place) * 1_000)
            guard last.map({ (millimetres, tour.id) > $0 }) ?? true else { return nil }
            return (tour, millimetres)
        }
        found.sort { ($0.millimetres, $0.tour.id) < ($1.millimetres, $1.tour.id) }
        return Array(found.prefix(countMax))
    }
}
