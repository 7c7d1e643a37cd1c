public import CairnCore
internal import CairnWire

extension Tours {
    public static let migrations = [
        PublishedTour.migration,
        Migration(
            "tours-1",
            """
            CREATE TABLE tours (
                id INTEGER PRIMARY KEY, organisation INTEGER NOT NULL, code TEXT NOT NULL UNIQUE,
                published INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX tours_organisation ON tours (organisation, id)",
            "CREATE INDEX tours_published ON tours (published) WHERE published > 0",
            """
            CREATE TABLE tour_parts (
                tour INTEGER NOT NULL REFERENCES tours (id) ON DELETE CASCADE, part INTEGER NOT NULL,
                sealed BLOB NOT NULL, PRIMARY KEY (tour, part)
            ) STRICT, WITHOUT ROWID
            """),
        TourNotice.migration,
        // What earlier releases have left: versions that neither a tour nor a run names. The last one of each tour
        // stays, because a purchase may name it.
        Migration(
            "tours-2",
            """
            DELETE FROM tour_versions
            WHERE version <> coalesce((SELECT published FROM tours WHERE id = tour_versions.tour), 0)
            AND version <> (SELECT max(version) FROM tour_versions AS other WHERE other.tour = tour_versions.tour)
            AND NOT EXISTS (
                SELECT 1 FROM tour_runs
                WHERE tour_runs.tour = tour_versions.tour AND tour_runs.version = tour_versions.version)
            """),
    ]

    public static func tables(settings: Settings) -> [StoredTable] {
        [PublishedTour.table, TourRecord.table, TourPart.table, TourNotice.table]
    }

    public static func expiries(now: LastingTime, settings: Settings) -> [Expiry] {
        [Expiry(of: TourNotice.table, where: "at", isBelow: (now - TourNotice.rest).milliseconds)]
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        Query(
            """
            SELECT max(
                coalesce((SELECT max(id) FROM tours WHERE id < ?), 0),
                coalesce((SELECT max(tour) FROM tour_versions WHERE tour < ?), 0),
                coalesce((SELECT max(part) FROM tour_parts WHERE part < ?), 0),
                coalesce((SELECT max(id) FROM tour_notices WHERE id < ?), 0))
            """, bound, bound, bound, bound)
    }

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .tour(let tour) = home else { return [] }
        return [TourRecord.query(tour), TourPart.query(of: tour)]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .tour = turn.home, answers.count == 2 else { return }
        for tour in turn.read(answers[0], of: TourRecord.table, TourRecord.init(stored:)) { turn.keep(tour) }
        for part in turn.read(answers[1], of: TourPart.table, TourPart.init(stored:)) { turn.keep(part) }
    }

    public static var offeredTours: OfferedTours? {
        OfferedTours(of: TourRecord.table, TourRecord.allPublished) { row throws(ColumnFault) in
            try TourRecord(stored: row).offeredTour()
        }
    }

    fileprivate static func identifier<Tag>(_ row: Row, _ column: Int) throws(ColumnFault) -> Identifier<Tag> {
        Identifier(rawValue: UInt64(bitPattern: try row.integer(column)))
    }

    fileprivate static func message<Body: WireMessage>(_ row: Row, _ column: Int) throws(ColumnFault) -> Body {
        guard let body = try? WireBody.decode(Body.self, from: try row.blob(column)) else {
            throw ColumnFault(column, .unreadable)
        }
        return body
    }
}

extension TourRecord {
    private static let seal = Seal("tours")

    static let table = StoredTable(
        "tours", of: .home(.tour), columns: ["id", "organisation", "code", "published", "sealed"], key: [0],
        opening: [Opening(4, seal, row: 0, bound: [1, 2, 3])],
        references: [StoredTable.Reference(1, to: "organisations", "id")],
        erasure: [.kept(because: "a tour is its organisation's, whoever of it has written it")],
        export: .nothing(because: "a tour is its organisation's, and does not say who has written it")
    ) { row throws(ColumnFault) in
        let tour = try TourRecord(stored: row)
        if tour.published > 0 { _ = try tour.offeredTour() }
        return []
    }

    private static let byID = table.query("WHERE id = ?")
    /// Of an organisation, the oldest first: those above an id.
    static let ofOrganisation = Listing(table, by: [.equal(1), .above(0)], descending: false)
    /// Of all organisations, for the list in memory.
    static let allPublished = table.query("WHERE published > 0")

    static func query(_ id: TourID) -> Query { byID.about(Tours.integer(id)) }

    /// A page of an organisation's tours, the oldest first, and one more if there are more.
    static func page(of organisation: OrganisationID, after id: TourID) -> Query {
        ofOrganisation.page(Tours.integer(organisation), Tours.integer(id), count: ListTours.pageCount)
    }

    /// How many an organisation has, and how many of any have a code.
    static func counts(of organisation: OrganisationID, code: String) -> Query {
        Query(
            "SELECT (SELECT count(*) FROM tours WHERE organisation = ?), (SELECT count(*) FROM tours WHERE code = ?)",
            Tours.integer(organisation), .text(code))
    }

    init(stored row: Row) throws(ColumnFault) {
        id = try Tours.identifier(row, 0)
        organisation = try Tours.identifier(row, 1)
        code = try row.text(2)
        published = UInt32(try row.integer(3, in: 0...Int64(UInt32.max)))
        let values = try row.within(4) { sealed throws(ColumnFault) in
            let order = try sealed.blob(4)
            guard order.count % 8 == 0 else { throw ColumnFault(4, .unreadable) }
            let metres = try sealed.real(7)
            guard metres.isFinite, metres >= 0 else { throw ColumnFault(7, .outOfRange) }
            return (
                created: try sealed.wallTime(0), last: try Self.count(sealed, 1), edits: try Self.count(sealed, 2),
                isChanged: try sealed.integer(3, in: 0...1) == 1, order: order,
                orderVersion: try Self.count(sealed, 5),
                offered: Offered(
                    content: try Tours.message(sealed, 6), distanceMetres: metres, seconds: try Self.count(sealed, 8))
            )
        }
        created = values.created
        (lastVersion, edits, isChanged) = (values.last, values.edits, values.isChanged)
        order = stride(from: 0, to: values.order.count, by: 8).map { start in
            values.order[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        (orderVersion, offered) = (values.orderVersion, values.offered)
    }

    private static func count(_ row: Row, _ column: Int) throws(ColumnFault) -> UInt32 {
        UInt32(try row.integer(column, in: 0...Int64(UInt32.max)))
    }

    private var bound: [SQLValue] { [Tours.integer(organisation), .text(code), .integer(Int64(published))] }

    private var sealed: SQLValue {
        let order = order.flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
        }
        return .sealed(
            [
                .time(created), .integer(Int64(lastVersion)), .integer(Int64(edits)), .integer(isChanged ? 1 : 0),
                .blob(order), .integer(Int64(orderVersion)), .blob(WireBody.encode(offered.content)),
                .real(offered.distanceMetres), .integer(Int64(offered.seconds)),
            ], Self.seal, row: Int64(bitPattern: id.rawValue), bound: bound)
    }

    var insertion: Statement {
        Statement(
            "INSERT INTO tours (id, organisation, code, published, sealed) VALUES (?, ?, ?, ?, ?)",
            arguments: [Tours.integer(id)] + bound + [sealed], changing: 1)
    }

    /// Makes the tour where its organisation has fewer than so many, and does nothing elsewhere: the others live in
    /// homes of their own, and may be made at this moment.
    func arrival(below max: Int) -> Statement {
        Statement(
            """
            INSERT INTO tours (id, organisation, code, published, sealed) SELECT ?, ?, ?, ?, ?
            WHERE (SELECT count(*) FROM tours WHERE organisation = ?) < ?
            """,
            arguments: [Tours.integer(id)] + bound + [sealed, Tours.integer(organisation), .integer(Int64(max))])
    }

    var update: Statement {
        Statement(
            "UPDATE tours SET organisation = ?, code = ?, published = ?, sealed = ? WHERE id = ?",
            arguments: bound + [sealed, Tours.integer(id)], changing: 1)
    }

    /// Query for whether the tour is there (`arrival(below:)`): one row, or none.
    var presence: Query { Query("SELECT 1 FROM tours WHERE id = ?", Tours.integer(id)) }

    /// Of a tour that the store may not have taken.
    var deletionIfThere: Statement { Statement("DELETE FROM tours WHERE id = ?", Tours.integer(id)) }

    /// The parts of its draft go with it; what was published stays.
    var deletion: Statement { Statement("DELETE FROM tours WHERE id = ?", Tours.integer(id), changing: 1) }
}

extension TourPart {
    private static let seal = Seal("tour_parts")

    static let table = StoredTable(
        "tour_parts", of: .home(.tour), columns: ["tour", "part", "sealed"], key: [0, 1],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        references: [StoredTable.Reference(0, to: "tours", "id")],
        erasure: [.with("tours")],
        export: .nothing(because: "a draft is its organisation's, and does not say who has written it")
    ) { row throws(ColumnFault) in
        _ = try TourPart(stored: row)
        return []
    }

    private static let ofTour = table.query("WHERE tour = ?")
    private static let factsOfTours = table.query(
        "WHERE part = 1 AND tour IN (SELECT id FROM tours WHERE organisation = ? AND id > ? ORDER BY id LIMIT 20)")

    static func query(of tour: TourID) -> Query { ofTour.about(Tours.integer(tour)) }

    /// The facts of a page of an organisation's tours: `ListTours.pageCount`.
    static func facts(of organisation: OrganisationID, after id: TourID) -> Query {
        factsOfTours.about(Tours.integer(organisation), Tours.integer(id))
    }

    /// The tour of a row.
    static func tour(of row: Row) throws(ColumnFault) -> TourID { try Tours.identifier(row, 0) }

    private enum Kind: Int64 {
        case facts = 1
        case ground, partOfGround, stop, popup
    }

    init(stored row: Row) throws(ColumnFault) {
        id = UInt64(bitPattern: try row.integer(1))
        (version, content, bytes) = try row.within(2) { sealed throws(ColumnFault) in
            guard let kind = Kind(rawValue: try sealed.integer(0)) else { throw ColumnFault(0, .outOfRange) }
            let content: Content =
                switch kind {
                case .facts: .facts(try Tours.message(sealed, 2))
                case .ground: .ground(try Tours.message(sealed, 2), isWhole: true)
                case .partOfGround: .ground(try Tours.message(sealed, 2), isWhole: false)
                case .stop: .stop(try Tours.message(sealed, 2))
                case .popup: .popup(try Tours.message(sealed, 2))
                }
            return (UInt32(try sealed.integer(1, in: 0...Int64(UInt32.max))), content, try sealed.blob(2).count)
        }
    }

    /// Stores it, in place of an earlier version.
    func saving(in tour: TourID) -> Statement {
        Statement(
            """
            INSERT INTO tour_parts (tour, part, sealed) VALUES (?, ?, ?)
            ON CONFLICT (tour, part) DO UPDATE SET sealed = excluded.sealed
            """, arguments: row(in: tour), changing: 1)
    }

    /// Stores the first part of a tour that was made (`TourRecord.arrival`), and nothing where it was not.
    func arrival(in tour: TourID) -> Statement {
        Statement(
            """
            INSERT INTO tour_parts (tour, part, sealed) SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM tours WHERE id = ?)
            """, arguments: row(in: tour) + [Tours.integer(tour)])
    }

    private func row(in tour: TourID) -> [SQLValue] {
        let kind: Kind =
            switch content {
            case .facts: .facts
            case .ground(_, let isWhole): isWhole ? .ground : .partOfGround
            case .stop: .stop
            case .popup: .popup
            }
        let part = SQLValue.integer(Int64(bitPattern: id))
        let sealed = SQLValue.sealed(
            [.integer(kind.rawValue), .integer(Int64(version)), .blob(content.encoded)], Self.seal,
            row: Int64(bitPattern: tour.rawValue), bound: [part])
        return [Tours.integer(tour), part, sealed]
    }

    func deletion(from tour: TourID) -> Statement {
        Statement(
            "DELETE FROM tour_parts WHERE tour = ? AND part = ?", Tours.integer(tour),
            .integer(Int64(bitPattern: id)), changing: 1)
    }
}

/// The assets that a tour names: its picture, and recorded audio of its texts (TRM-5). A use keeps an asset for as long
/// as the draft or a version names it: two kinds of use, because everybody may see what is published, and only its
/// makers what a draft has.
enum TourAssets {
    /// Most assets that one request may name.
    static let countMax = 2_000

    static func names(in content: WireTourContent) -> [String] {
        let all = content.facts.assets + content.stops.flatMap(\.assets) + content.popups.flatMap(\.assets)
        return Array(Set(all)).sorted()
    }

    /// Query for those of the assets that the account has uploaded, or that the tour uses already: one id in each row.
    static func usable(_ assets: [AssetID], by account: AccountID, in tour: TourID) -> Query {
        let list = assets.map { "\(Int64(bitPattern: $0.rawValue))" }.joined(separator: ",")
        return Query(
            """
            SELECT id FROM assets WHERE id IN (SELECT value FROM json_each(?)) AND (account = ? OR EXISTS (
                SELECT 1 FROM asset_uses
                WHERE asset_uses.asset = assets.id AND owner = ? AND kind IN ('tour', 'tour_draft')))
            """, .text("[\(list)]"), Tours.integer(account), Tours.integer(tour))
    }

    /// Query for those of the assets that tours of an organisation use: one id in each row.
    static func used(_ assets: [AssetID], byToursOf organisation: OrganisationID) -> Query {
        let list = assets.map { "\(Int64(bitPattern: $0.rawValue))" }.joined(separator: ",")
        return Query(
            """
            SELECT id FROM assets WHERE id IN (SELECT value FROM json_each(?)) AND EXISTS (
                SELECT 1 FROM asset_uses JOIN tours ON tours.id = asset_uses.owner
                WHERE asset_uses.asset = assets.id AND kind IN ('tour', 'tour_draft') AND organisation = ?)
            """, .text("[\(list)]"), Tours.integer(organisation))
    }

    /// The draft uses these assets, which may be gone by now.
    static func draftUses(of assets: [AssetID], by tour: TourID) -> [Effect] {
        assets.map { asset in
            .write(
                Statement(
                    """
                    INSERT INTO asset_uses (kind, owner, asset) SELECT 'tour_draft', ?, id FROM assets WHERE id = ?
                    ON CONFLICT (kind, owner, asset) DO NOTHING
                    """, Tours.integer(tour), Tours.integer(asset)))
        }
    }

    /// Deletes the upload from which a draft was imported, unless something uses it.
    static func end(ofUpload asset: AssetID, by account: AccountID) -> Statement {
        Statement(
            """
            DELETE FROM assets WHERE id = ? AND account = ?
            AND NOT EXISTS (SELECT 1 FROM asset_uses WHERE asset = assets.id)
            """, Tours.integer(asset), Tours.integer(account))
    }

    /// The published version uses these assets.
    static func publishedUses(of assets: [AssetID], by tour: TourID) -> [Effect] {
        assets.map { asset in
            .write(
                Statement(
                    """
                    INSERT INTO asset_uses (kind, owner, asset) SELECT 'tour', ?, id FROM assets WHERE id = ?
                    ON CONFLICT (kind, owner, asset) DO NOTHING
                    """, Tours.integer(tour), Tours.integer(asset)))
        }
    }

    /// There is no draft any more.
    static func endOfDraftUses(by tour: TourID) -> Effect {
        .write(
            Statement(
                "DELETE FROM asset_uses WHERE kind = 'tour_draft' AND owner = ?", Tours.integer(tour)))
    }
}

extension WireTourFacts {
    var assets: [String] { assetNames }
}

extension WireTourStop {
    var assets: [String] { WireTourText.assetNames(in: [name, history, alternative]) }
}

extension WireTourPopup {
    var assets: [String] { WireTourText.assetNames(in: [text]) }
}

extension Turn {
    /// The assets that a request names.
    /// - Throws: `invalid_field` for a text that names none.
    func assets(named names: [String]) throws(Refusal) -> [AssetID] {
        guard names.count <= TourAssets.countMax else { throw TourAssets.unknown }
        var assets: [AssetID] = []
        for name in names {
            guard let asset = identifier(named: name, AssetTag.self) else { throw TourAssets.unknown }
            assets.append(asset)
        }
        return assets
    }
}

extension TourAssets {
    static let unknown = TourTexts.invalid("asset", "an asset that you have uploaded, or that the tour has")
}
