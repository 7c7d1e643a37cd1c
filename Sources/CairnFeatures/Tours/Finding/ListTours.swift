internal import CairnCore
internal import CairnGeo
internal import CairnText
internal import CairnWire

/// Lists published tours by organisation or by nearness, in pages (TRT-2). From memory: no home and no statement.
///
/// The cursor names the place of the page's last tour in the order, so a tour that is published or withdrawn meanwhile
/// neither repeats nor hides another.
struct ListTours: Question {
    static let senders = Role.onlookers
    static let pageCount = 20

    private let body: WireListTours

    init(_ body: WireListTours) { self.body = body }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        var organisation: OrganisationID?
        if !body.organisation.isEmpty {
            guard let id = turn.identifier(named: body.organisation, OrganisationTag.self) else {
                return [.answer(request, .success(.tourList(WireTourList())))]
            }
            organisation = id
        }
        let language = request.sender.language
        let list =
            body.hasNear
            ? try nearest(of: organisation, for: language, in: turn)
            : try byOrganisation(of: organisation, for: language, in: turn)
        return [.answer(request, .success(.tourList(list)))]
    }

    private func byOrganisation(
        of organisation: OrganisationID?, for language: String, in turn: Turn
    ) throws(Refusal) -> WireTourList {
        var last: (OrganisationID, TourID)?
        if !body.cursor.isEmpty {
            let parts = body.cursor.pieces(at: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, let group = turn.identifier(named: parts[0], OrganisationTag.self),
                let id = turn.identifier(named: parts[1], TourTag.self)
            else { throw Self.badCursor }
            last = (group, id)
        }
        let found = turn.names.tours.index.page(of: organisation, after: last, countMax: Self.pageCount + 1)
        var list = WireTourList()
        list.tours = found.prefix(Self.pageCount).map { $0.summary(for: language, in: turn) }
        if list.cut(of: found.count) {
            let tour = found[list.tours.count - 1]
            list.next = "\(turn.name(of: tour.organisation)).\(turn.name(of: tour.id))"
        }
        return list
    }

    private func nearest(
        of organisation: OrganisationID?, for language: String, in turn: Turn
    ) throws(Refusal) -> WireTourList {
        guard let place = Coordinate(point: body.near) else {
            throw TourTexts.invalid("near", "lat -90 to 90, lon -180 to 180")
        }
        var last: (Int64, TourID)?
        if !body.cursor.isEmpty {
            let parts = body.cursor.pieces(at: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, let millimetres = Int64(parts[0]),
                let id = turn.identifier(named: parts[1], TourTag.self)
            else { throw Self.badCursor }
            last = (millimetres, id)
        }
        let found = turn.names.tours.index.page(
            near: place, of: organisation, after: last, countMax: Self.pageCount + 1)
        var list = WireTourList()
        list.tours = found.prefix(Self.pageCount).map {
            $0.tour.summary(for: language, in: turn, millimetres: $0.millimetres)
        }
        if list.cut(of: found.count) {
            let last = found[list.tours.count - 1]
            list.next = "\(last.millimetres).\(turn.name(of: last.tour.id))"
        }
        return list
    }

    static let badCursor = TourTexts.invalid("cursor", "as a list gave it")
}

extension WireTourList {
    /// Leaves what has no room in one answer to the next page (`ListBytes`).
    /// - Parameter count: of the tours that there are, this page's and the one behind it.
    /// - Returns: whether there is a next page.
    fileprivate mutating func cut(of count: Int) -> Bool {
        let room = ListBytes.count(of: tours)
        tours.removeSubrange(room...)
        return tours.count < count
    }
}

/// Finds a published tour by the code of its link (TRT-3).
struct FindTour: Question {
    static let senders = Role.onlookers

    private let code: String

    init(_ body: WireFindTour) { code = body.code }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let tour = turn.names.tours.index.tour(code: code) else { throw Tours.absent }
        var list = WireTourList()
        list.tours = [tour.summary(for: request.sender.language, in: turn)]
        return [.answer(request, .success(.tourList(list)))]
    }
}

/// Lists the tours of the sender's organisation with their state (TRM-8).
struct ListOwnTours: Question {
    static let senders = [Role.organisation]

    private let cursor: String

    init(_ body: WireListOwnTours) { cursor = body.cursor }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let organisation = try turn.organisation(of: request.sender)
        var last = TourID(rawValue: 0)
        if !cursor.isEmpty {
            guard let id = turn.identifier(named: cursor, TourTag.self) else { throw ListTours.badCursor }
            last = id
        }
        try turn.checkReadings()
        return [
            .ask(
                [
                    TourRecord.page(of: organisation, after: last), TourPart.facts(of: organisation, after: last),
                ], request)
        ]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let organisation = try turn.organisation(of: request.sender)
        var facts: [TourID: WireTourFacts] = [:]
        let parts = turn.read(rows[1], of: TourPart.table) { row throws(ColumnFault) in
            (try TourPart.tour(of: row), try TourPart(stored: row))
        }
        turn.noteReading(bytes: parts.reduce(0) { $0 + $1.1.bytes })
        for case (let id, let part) in parts { if case .facts(let own) = part.content { facts[id] = own } }
        let tours = turn.read(rows[0], of: TourRecord.table, TourRecord.init(stored:))
            .filter { $0.organisation == organisation }
        var list = WireTourList()
        list.tours = tours.prefix(ListTours.pageCount).map { tour in
            tour.summary(facts[tour.id] ?? WireTourFacts(), for: request.sender.language, in: turn)
        }
        // A damaged row is left out of the page, but not of the count.
        let isCut = list.cut(of: list.tours.count)
        if isCut || rows[0].count > ListTours.pageCount, let last = tours.prefix(list.tours.count).last {
            list.next = turn.name(of: last.id)
        }
        return [.answer(request, .success(.tourList(list)))]
    }
}
