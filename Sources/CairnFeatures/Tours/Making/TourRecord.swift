internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// A tour as its home has it, without the parts of its draft.
struct TourRecord: Attachment {
    let id: TourID
    let organisation: OrganisationID
    /// Of its link.
    let code: String
    let created: WallTime
    /// The published version; 0 = none.
    var published: UInt32 = 0
    /// The last version that was ever published.
    var lastVersion: UInt32 = 0
    /// Counts the changes of all parts, so that no version of a part comes again.
    var edits: UInt32 = 0
    /// Whether the draft differs from what is published.
    var isChanged = true
    /// The stops in their order, by number.
    var order: [UInt64] = []
    /// Version of the order.
    var orderVersion: UInt32 = 0
    /// The published version, as far as it is in memory.
    var offered = Offered()

    /// The values of `OfferedTour`.
    struct Offered {
        /// Facts, area, and the route's first place alone.
        var content = WireTourContent()
        var distanceMetres = 0.0
        var seconds: UInt32 = 0
    }

    /// For its makers.
    var state: String { published == 0 ? "draft" : isChanged ? "edited" : "published" }

    /// The published tour, as everybody is told of it.
    func offeredTour() throws(ColumnFault) -> OfferedTour {
        guard let start = offered.content.ground.route.first.flatMap(Coordinate.init(point:)),
            let area = try? Polygon(offered.content.ground.area.compactMap(Coordinate.init(point:)))
        else { throw ColumnFault(4, .unreadable) }
        return OfferedTour(
            id: id, version: published, organisation: organisation, code: code, facts: offered.content.facts,
            distanceMetres: offered.distanceMetres, seconds: offered.seconds, start: start, area: area)
    }
}

extension Coordinate {
    /// A point of a tour; nil = it is no place.
    init?(point: WireTourPoint) {
        guard point.hasLat, point.hasLon else { return nil }
        self.init(latitude: point.lat, longitude: point.lon)
    }

    /// As a point of a tour.
    var point: WireTourPoint {
        var point = WireTourPoint()
        (point.lat, point.lon) = (latitude, longitude)
        return point
    }
}

/// A part of a draft, with a version of its own (TRM-9).
struct TourPart: Attachment {
    /// `facts` and `ground`, or the id of a stop or popup.
    let id: UInt64
    var version: UInt32
    let content: Content
    /// Of the content, as it is stored.
    let bytes: Int
    /// Of a whole ground, once it was needed.
    var route: RouteLine?

    static let factsID: UInt64 = 1
    static let groundID: UInt64 = 2
    /// Ids of stops and popups are beyond.
    static let firstID: UInt64 = 16

    enum Content {
        case facts(WireTourFacts)
        /// - Parameter isWhole: whether all of its points are there.
        case ground(WireTourGround, isWhole: Bool)
        case stop(WireTourStop)
        case popup(WireTourPopup)
    }

    init(id: UInt64, version: UInt32, content: Content) {
        self.init(id: id, version: version, content: content, bytes: content.encoded.count)
    }

    init(id: UInt64, version: UInt32, content: Content, bytes: Int) {
        (self.id, self.version, self.content, self.bytes) = (id, version, content, bytes)
    }

    var stop: WireTourStop? { if case .stop(let stop) = content { stop } else { nil } }
    var popup: WireTourPopup? { if case .popup(let popup) = content { popup } else { nil } }

    /// Where it is, if it is somewhere.
    var place: Coordinate? {
        let position = stop?.pose.geopose.position ?? popup?.place
        return position.flatMap { Coordinate(latitude: $0.lat, longitude: $0.lon) }
    }

    /// As clients name it.
    func name(in turn: Turn) -> String {
        switch id {
        case Self.factsID: "facts"
        case Self.groundID: "ground"
        default: turn.name(of: InstanceID(rawValue: id))
        }
    }
}

extension TourPart.Content {
    /// As it is stored.
    var encoded: [UInt8] {
        switch self {
        case .facts(let facts): WireBody.encode(facts)
        case .ground(let ground, _): WireBody.encode(ground)
        case .stop(let stop): WireBody.encode(stop)
        case .popup(let popup): WireBody.encode(popup)
        }
    }
}

extension WireTourContent {
    /// A draft of its parts, which are sorted by id.
    init(of tour: TourRecord, parts: [TourPart]) {
        self.init()
        for part in parts {
            switch part.content {
            case .facts(let facts): self.facts = facts
            case .ground(let ground, _): self.ground = ground
            case .stop: break
            case .popup(let popup): popups.append(popup)
            }
        }
        let stops = Dictionary(parts.map { ($0.id, $0.stop) }) { first, _ in first }
        self.stops = tour.order.compactMap { stops[$0] ?? nil }
    }
}

// MARK: - In the home

extension ObjectKind {
    static let tour = ObjectKind("tours.tour")
    static let tourPart = ObjectKind("tours.part")
}

/// The state of a tour's home.
extension Turn {
    /// The tour; nil = there is none, or it was deleted.
    var tour: TourRecord? {
        guard case .tour(let id) = home else { return nil }
        return objects.record(InstanceID(rawValue: id.rawValue), .tour)?.attachments[TourRecord.self]
    }

    func tourPart(_ id: UInt64) -> TourPart? {
        objects.record(InstanceID(rawValue: id), .tourPart)?.attachments[TourPart.self]
    }

    /// All parts, in no order.
    var tourParts: [TourPart] {
        objects.ids.compactMap { objects.record($0, .tourPart)?.attachments[TourPart.self] }
    }

    /// Bytes of all parts, as they are stored.
    var draftBytes: Int { tourParts.reduce(0) { $0 + $1.bytes } }

    /// Refuses a draft that is too large and was not so before. One of before the bound can be made smaller.
    /// - Throws: `space_full`.
    func checkDraft(bytes: Int, before: Int = 0) throws(Refusal) {
        guard bytes > before else { return }
        try settings.tours.checkDraft(bytes: bytes)
    }

    var tourFacts: WireTourFacts {
        if case .facts(let facts)? = tourPart(TourPart.factsID)?.content { facts } else { WireTourFacts() }
    }

    var tourGround: (ground: WireTourGround, isWhole: Bool)? {
        guard case .ground(let ground, let isWhole)? = tourPart(TourPart.groundID)?.content else { return nil }
        return (ground, isWhole)
    }

    mutating func keep(_ tour: TourRecord) {
        keepTour(tour.id.rawValue, .tour) { $0[TourRecord.self] = tour }
    }

    mutating func keep(_ part: TourPart) {
        keepTour(part.id, .tourPart) { $0[TourPart.self] = part }
    }

    private mutating func keepTour(_ number: UInt64, _ kind: ObjectKind, _ attach: (inout Attachments) -> Void) {
        // It belongs to the organisation, not to a person.
        let owner = AccountID(rawValue: 0)
        var record = ObjectRecord(
            id: InstanceID(rawValue: number), kind: kind, owner: owner, ownerName: "", audience: .owner(owner),
            wire: WireInstance())
        attach(&record.attachments)
        objects[record.id] = record
    }

    mutating func forgetTourPart(_ id: UInt64) { objects[InstanceID(rawValue: id)] = nil }

    mutating func forgetTour() {
        for id in Array(objects.ids) { objects[id] = nil }
    }
}

extension TourSettings {
    /// - Throws: `space_full`.
    func checkDraft(bytes: Int) throws(Refusal) {
        let limit = self.draftBytesMax
        guard bytes > limit else { return }
        throw Tours.refusal(
            .spaceFull, "\(bytes) bytes of a draft", details: ["count": "\(bytes)", "limit": "\(limit)"])
    }
}
