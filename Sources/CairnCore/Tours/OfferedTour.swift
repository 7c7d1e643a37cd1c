public import CairnGeo
public import CairnWire

/// What is in memory of a published tour: what lists show, where it begins, and where it is.
public final class OfferedTour: Sendable {
    public let id: TourID
    /// The published version.
    public let version: UInt32
    public let organisation: OrganisationID
    /// Eight letters that stay the tour's, for its link (TRT-3).
    public let code: String
    /// In all its languages, each as short as lists have it (`WireTourText.listedBytesMax`).
    public let name: WireTourText
    /// Asset; empty = none.
    public let picture: String
    /// What the picture shows, as short as the name.
    public let pictureAlternative: WireTourText
    /// 0 = free, in hundredths of the currency.
    public let price: UInt32
    public let distanceMetres: Double
    public let seconds: UInt32
    /// Where walkers begin.
    public let start: Coordinate
    public let area: Polygon

    /// The assets that lists show: everybody's, also where the tour has a price (TRT-4).
    public var shownAssets: [String] { WireTourText.assetNames(in: [name, pictureAlternative], picture) }

    public init(
        id: TourID, version: UInt32, organisation: OrganisationID, code: String, facts: WireTourFacts,
        distanceMetres: Double, seconds: UInt32, start: Coordinate, area: Polygon
    ) {
        (self.id, self.version, self.organisation, self.code) = (id, version, organisation, code)
        (name, picture, price) = (facts.name.short, facts.picture, facts.price)
        pictureAlternative = facts.pictureAlternative.short
        (self.distanceMetres, self.seconds) = (distanceMetres, seconds)
        (self.start, self.area) = (start, area)
    }
}

/// The published tours as they are stored. Read when the server starts; afterwards `Effect.offer` changes the list.
public struct OfferedTours: Sendable {
    public let query: Query
    /// Its first two columns are the tour and its organisation.
    private let table: StoredTable
    private let tour: @Sendable (Row) throws(ColumnFault) -> OfferedTour

    public init(
        of table: StoredTable, _ query: Query, tour: @escaping @Sendable (Row) throws(ColumnFault) -> OfferedTour
    ) {
        self.table = table
        self.query = query
        self.tour = tour
    }

    /// Reads the answer to the query.
    /// - Returns: the tours, and the organisations of those whose rows are damaged, which are added to `damage`.
    public func read(
        _ rows: [Row], into damage: inout [DamagedRow]
    ) -> (tours: [OfferedTour], unreadable: [TourID: OrganisationID]) {
        var (tours, unreadable): ([OfferedTour], [TourID: OrganisationID]) = ([], [:])
        for row in rows {
            do throws(DamagedRow) {
                tours.append(try table.read(row, tour))
            } catch {
                damage.append(error)
                guard let id = try? row.integer(0), let organisation = try? row.integer(1) else { continue }
                unreadable[TourID(rawValue: UInt64(bitPattern: id))] =
                    OrganisationID(rawValue: UInt64(bitPattern: organisation))
            }
        }
        return (tours, unreadable)
    }
}
