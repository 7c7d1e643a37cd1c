public import CairnCore
public import CairnWire

/// One version of a tour as it was published (TRM-7). It never changes, and its row stays while something names it: the
/// tour as its present version, or a run, which finishes on the version that it began (TRM-9). Of a tour that was
/// bought the last one stays, whatever becomes of the tour. Others go (`VersionsSweep`).
///
/// A class, because homes and the walkers of a run share one content of up to several hundred kilobytes.
public final class PublishedTour: Sendable {
    public let tour: TourID
    /// Counts the publications of the tour, from 1.
    public let version: UInt32
    /// The organisation that made it.
    public let organisation: OrganisationID
    public let published: WallTime
    /// Complete and sound: it was checked before it was published.
    public let content: WireTourContent
    /// Length of the route in metres, great circles from point to point.
    public let distanceMetres: Double
    /// Time that the tour takes, in seconds, given or estimated by the distance.
    public let seconds: UInt32
    /// Bytes of the content on disk; 0 = it was not read from there.
    let bytes: Int

    /// Its name among the contents that homes share.
    static func name(_ version: UInt32, of tour: TourID) -> SharedContents.Name {
        SharedContents.Name(PublishedTour.self, tour.rawValue, UInt64(version))
    }

    init(
        tour: TourID, version: UInt32, organisation: OrganisationID, published: WallTime, content: WireTourContent,
        distanceMetres: Double, seconds: UInt32, bytes: Int = 0
    ) {
        self.bytes = bytes
        (self.tour, self.version, self.organisation) = (tour, version, organisation)
        (self.published, self.content) = (published, content)
        (self.distanceMetres, self.seconds) = (distanceMetres, seconds)
    }
}

/// Rows of `tour_versions`. Published content is public, but the seal shows a change from outside, and a withdrawn
/// tour is nobody's to read.
extension PublishedTour {
    private static let seal = Seal("tour_versions")

    static let migration = Migration(
        "tour-versions-1",
        """
        CREATE TABLE tour_versions (
            tour INTEGER NOT NULL, version INTEGER NOT NULL, organisation INTEGER NOT NULL, sealed BLOB NOT NULL,
            PRIMARY KEY (tour, version)
        ) STRICT, WITHOUT ROWID
        """)

    /// The versions of all tours.
    public static let table = StoredTable(
        "tour_versions", of: .home(.tour), columns: ["tour", "version", "organisation", "sealed"], key: [0, 1],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        erasure: [.kept(because: "a published tour is its organisation's, and runs and purchases name it")],
        export: .nothing(because: "it is an organisation's and public")
    ) { row throws(ColumnFault) in
        _ = try PublishedTour(stored: row)
        return []
    }

    private static let byVersion = table.query("WHERE tour = ? AND version = ?")

    /// Query for one version: at most one row.
    public static func query(_ tour: TourID, _ version: UInt32) -> Query {
        byVersion.about(.integer(Int64(bitPattern: tour.rawValue)), .integer(Int64(version)))
    }

    private static let behind = table.query("WHERE tour = ? AND version > ? ORDER BY tour, version LIMIT 1")

    /// Query for the version after another one: at most one row.
    static func query(of tour: TourID, after version: UInt32) -> Query {
        behind.about(.integer(Int64(bitPattern: tour.rawValue)), .integer(Int64(version)))
    }

    /// Reads a row of the table.
    public convenience init(stored row: Row) throws(ColumnFault) {
        let values = try row.within(3) { sealed throws(ColumnFault) in
            let bytes = try sealed.blob(1)
            guard let content = try? WireBody.decode(WireTourContent.self, from: bytes) else {
                throw ColumnFault(1, .unreadable)
            }
            let metres = try sealed.real(2)
            guard metres.isFinite, metres >= 0 else { throw ColumnFault(2, .outOfRange) }
            return (
                published: try sealed.wallTime(0), content: content, bytes: bytes.count, metres: metres,
                seconds: UInt32(try sealed.integer(3, in: 0...Int64(UInt32.max)))
            )
        }
        self.init(
            tour: TourID(rawValue: UInt64(bitPattern: try row.integer(0))),
            version: UInt32(try row.integer(1, in: 1...Int64(UInt32.max))),
            organisation: OrganisationID(rawValue: UInt64(bitPattern: try row.integer(2))),
            published: values.published, content: values.content, distanceMetres: values.metres,
            seconds: values.seconds, bytes: values.bytes)
    }

    /// Deletes the versions of a tour that nothing names.
    static func sweep(of tour: TourID) -> Statement {
        Statement(
            """
            DELETE FROM tour_versions WHERE tour = ?1
            AND version <> coalesce((SELECT published FROM tours WHERE id = ?1), 0)
            AND NOT EXISTS (
                SELECT 1 FROM tour_runs WHERE tour_runs.tour = ?1 AND tour_runs.version = tour_versions.version)
            AND NOT (version = (SELECT max(version) FROM tour_versions WHERE tour = ?1)
                AND EXISTS (SELECT 1 FROM purchases WHERE purchases.tour = ?1))
            """, .integer(Int64(bitPattern: tour.rawValue)))
    }

    /// Fails when the version was published before.
    var insertion: Statement {
        let bound: [SQLValue] = [.integer(Int64(version)), .integer(Int64(bitPattern: organisation.rawValue))]
        let number = Int64(bitPattern: tour.rawValue)
        let sealed = SQLValue.sealed(
            [.time(published), .blob(WireBody.encode(content)), .real(distanceMetres), .integer(Int64(seconds))],
            Self.seal, row: number, bound: bound)
        return Statement(
            "INSERT INTO tour_versions (tour, version, organisation, sealed) VALUES (?, ?, ?, ?)",
            arguments: [.integer(number)] + bound + [sealed], changing: 1)
    }
}
