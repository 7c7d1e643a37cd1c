public import CairnCore
public import CairnWire

/// A GeoJSON text that an operator wants to be a tour: what is checked before its home is told (`TourOrder`).
public struct TourFile: Sendable {
    /// Checked as users of an organisation have theirs checked.
    public let content: WireTourContent
    /// The recordings and pictures that it names.
    public let assets: [AssetID]

    /// - Parameters:
    ///   - asset: the asset that a name in the file means.
    ///   - isPublished: whether it has to be complete.
    public init(
        _ text: String, isPublished: Bool, _ settings: Settings, asset: (String) -> AssetID?
    ) throws(Refusal) {
        var content = try TourGeoJSON.readOrRefused(text)
        try content.check(settings)
        let missing =
            (content.ground.direction == .unspecified ? ["direction"] : []) + (content.stops.isEmpty ? ["stops"] : [])
        guard missing.isEmpty || !isPublished else {
            throw Tours.refusal(.tourIncomplete, details: ["missing": missing.joined(separator: ",")])
        }
        let names = TourAssets.names(in: content)
        assets = names.compactMap(asset)
        guard assets.count == names.count, names.count <= TourAssets.countMax else { throw Self.unknownAsset }
        self.content = content
    }

    /// Query for those of its assets that tours of the organisation use: one in each row.
    public func knownAssets(of organisation: OrganisationID) -> Query {
        TourAssets.used(assets, byToursOf: organisation)
    }

    /// - Parameter rows: of `knownAssets`.
    public func checkAssets(_ rows: [Row]) throws(Refusal) {
        let known = Set(rows.compactMap { try? $0.integer(0) })
        guard assets.allSatisfy({ known.contains(Int64(bitPattern: $0.rawValue)) }) else { throw Self.unknownAsset }
    }

    private static let unknownAsset = TourTexts.invalid("asset", "an asset that a tour of the organisation has")

    /// Query about whether there is room for one more.
    public static func room(in organisation: OrganisationID) -> Query {
        TourRecord.counts(of: organisation, code: "")
    }

    /// - Parameter rows: of `room`.
    public static func checkRoom(_ rows: [Row], _ settings: Settings) throws(Refusal) {
        let (count, limit) = ((try? rows.first?.integer(0)) ?? 0, settings.tours.perOrganisationMax)
        guard count >= limit else { return }
        throw Tours.refusal(
            .limitReached, "the organisation has \(count) tours", details: ["count": "\(count)", "limit": "\(limit)"])
    }
}

/// A tour as operators see it in lists.
public struct TourEntry: Sendable {
    public let id: TourID
    public let organisation: OrganisationID
    /// Of its link.
    public let code: String
    /// `draft`, `edited` (published, with a draft beside it) or `published`.
    public let state: String
    /// The published version; 0 = none.
    public let version: UInt32
    /// In the first of its languages, as short as in lists.
    public let name: String

    fileprivate init(_ tour: TourRecord, _ facts: WireTourFacts?) {
        (id, organisation, code) = (tour.id, tour.organisation, tour.code)
        (state, version) = (tour.state, tour.published)
        name = facts?.name.listed(in: "").words.first?.text ?? ""
    }

    /// Queries for a page of an organisation's tours, the oldest first.
    public static func page(of organisation: OrganisationID, after id: TourID) -> [Query] {
        [TourRecord.page(of: organisation, after: id), TourPart.facts(of: organisation, after: id)]
    }

    /// Reads a page.
    /// - Returns: the tours, and the one after which the next page begins; nil = there is none.
    public static func entries(
        in answers: [[Row]], into damage: inout [DamagedRow]
    ) -> (entries: [TourEntry], next: TourID?) {
        let tours = answers[0].read(as: TourRecord.table, into: &damage, TourRecord.init(stored:))
        let facts = answers[1].read(as: TourPart.table, into: &damage) { row throws(ColumnFault) in
            (try TourPart.tour(of: row), try TourPart(stored: row))
        }
        var known: [TourID: WireTourFacts] = [:]
        for (id, part) in facts { if case .facts(let facts) = part.content { known[id] = facts } }
        let page = tours.prefix(ListTours.pageCount)
        let next = answers[0].count > ListTours.pageCount ? page.last?.id : nil
        return (page.map { TourEntry($0, known[$0.id]) }, next)
    }

    /// Queries for one tour with its draft.
    public static func queries(_ id: TourID) -> [Query] { [TourRecord.query(id), TourPart.query(of: id)] }

    /// Reads one tour and its draft; nil = there is none.
    public static func draft(
        in answers: [[Row]], into damage: inout [DamagedRow]
    ) -> (entry: TourEntry, content: WireTourContent)? {
        let parts = answers[1].read(as: TourPart.table, into: &damage, TourPart.init(stored:))
        guard let tour = answers[0].read(as: TourRecord.table, into: &damage, TourRecord.init(stored:)).first else {
            return nil
        }
        let content = WireTourContent(of: tour, parts: parts.sorted { $0.id < $1.id })
        return (TourEntry(tour, content.facts), content)
    }
}

/// The GeoJSON text of a tour in pieces, for operators. It is made once for all pieces: those who look at the tour and
/// those who export it share it, for as long as it is among the contents used last (`SharedContents.keep`). A tour of
/// 12 MB has a thousand pieces.
public struct TourPieces: Sendable {
    private let tour: TourRecord
    private let isDraft: Bool
    private let contents: SharedContents

    /// Query for the tour.
    public static func query(_ id: TourID) -> Query { TourRecord.query(id) }

    /// - Parameter rows: of `query`.
    /// - Returns: nil = there is no such tour, or it is not published.
    public init?(
        of rows: [Row], isDraft: Bool, in contents: SharedContents, damage: inout [DamagedRow]
    ) {
        let tours = rows.read(as: TourRecord.table, into: &damage, TourRecord.init(stored:))
        guard let tour = tours.first, isDraft || tour.published > 0 else { return nil }
        (self.tour, self.isDraft, self.contents) = (tour, isDraft, contents)
    }

    /// Names the version, or the state of the draft: pieces of one make one text.
    public var version: String { isDraft ? "draft \(tour.edits)" : "\(tour.published)" }

    /// The pieces, if the text is in memory.
    public var known: [String]? { contents.known(name, ReadTour.self)?.pieces }

    /// Query for the content.
    public var query: Query {
        isDraft ? TourPart.query(of: tour.id) : PublishedTour.query(tour.id, tour.published)
    }

    /// Makes the pieces.
    /// - Parameter rows: of `query`.
    /// - Returns: nil = the content is not there, or damaged.
    public func pieces(of rows: [Row], damage: inout [DamagedRow]) -> [String]? {
        let (read, bytes): (ReadTour, Int)
        if isDraft {
            let parts = rows.read(as: TourPart.table, into: &damage, TourPart.init(stored:))
            read = ReadTour(WireTourContent(of: tour, parts: parts.sorted { $0.id < $1.id }))
            bytes = parts.reduce(0) { $0 + $1.bytes }
        } else {
            let versions = rows.read(as: PublishedTour.table, into: &damage, PublishedTour.init(stored:))
            guard let version = versions.first else { return nil }
            let shared = contents.shared(PublishedTour.name(version.version, of: version.tour), version)
            read = ReadTour(shared.content, of: shared)
            bytes = version.bytes
        }
        contents.keep(name, read, bytes: ReadTour.bytesPerByte * bytes)
        return read.pieces
    }

    private var name: SharedContents.Name {
        isDraft ? ReadTour.name(ofDraft: tour) : ReadTour.name(tour.published, of: tour.id)
    }
}
