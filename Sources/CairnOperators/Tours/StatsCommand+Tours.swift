internal import CairnCore
internal import CairnFeatures
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWire
internal import Foundation

/// Commands about the tours of organisations. Each that acts is logged and has its entry in the audit log.
extension StatsCommand {
    static var tours: [StatsCommand] {
        [
            StatsCommand(
                "tours", takes: "[ORGANISATION]", level: .admin,
                "the tours of all organisations or of one, drafts as well: by organisation, and of each the oldest "
                    + "first; at most 1,000"
            ) { room, someone, arguments throws(StatsRefusal) in
                var organisation: OrganisationID?
                if !arguments.words.isEmpty {
                    organisation = try room.identifier(try arguments.one("an organisation"), "organisation")
                }
                room.listTours(of: organisation, for: someone)
            },
            StatsCommand(
                "tour", takes: "TOUR", level: .admin,
                "a tour with its stops, how many walk it now, and what operators did about it"
            ) { room, someone, arguments throws(StatsRefusal) in
                let word = try arguments.one("the id of a tour")
                room.showTour(try room.identifier(word.lowercased(), "tour"), for: someone)
            },
            StatsCommand(
                "tour-export", takes: "TOUR published|draft PIECE", level: .admin,
                "a tour as GeoJSON (RFC 7946), in pieces from 0; next = the next piece, version = what the pieces are "
                    + "of"
            ) { room, someone, arguments throws(StatsRefusal) in
                let words = arguments.words
                guard words.count == 3, ["published", "draft"].contains(words[1]), let piece = Int(words[2]),
                    (0...StatsRoom.piecesMax).contains(piece)
                else { throw StatsRefusal(.badArgument, "wants a tour, published or draft, and the number of a piece") }
                let id: TourID = try room.identifier(words[0], "tour")
                room.exportTour(id, isDraft: words[1] == "draft", piece: piece, for: someone)
            },
            StatsCommand(
                "tour-text", takes: "BASE64", level: .admin,
                "add a piece to the GeoJSON for tour-import on the same connection; without a piece the text is "
                    + "dropped"
            ) { room, someone, arguments throws(StatsRefusal) in
                try room.takeText(arguments, from: someone)
            },
            StatsCommand(
                "tour-import", takes: "ORGANISATION new|TOUR draft|published", level: .admin,
                "make a tour, or replace a draft, from the GeoJSON of tour-text; published = publish it as well"
            ) { room, someone, arguments throws(StatsRefusal) in
                let words = arguments.words
                guard words.count == 3, ["published", "draft"].contains(words[2]) else {
                    throw StatsRefusal(.badArgument, "wants an organisation, a tour or new, and draft or published")
                }
                let organisation: OrganisationID = try room.identifier(words[0], "organisation")
                let tour: TourID? = words[1] == "new" ? nil : try room.identifier(words[1], "tour")
                room.importTour(tour, of: organisation, isPublished: words[2] == "published", for: someone)
            },
            deed("tour-withdraw", "turn a published tour into a draft; runs on it end with notice", .tourWithdraw) {
                TourOrder(.withdraw)
            },
            deed("tour-delete", "delete a tour with its draft; runs on it end with notice", .tourDelete) {
                TourOrder(.delete)
            },
        ]
    }

    private static func deed(
        _ name: String, _ meaning: String, _ action: AuditRecord.Action, _ order: @escaping @Sendable () -> TourOrder
    ) -> StatsCommand {
        StatsCommand(name, takes: "TOUR [REASON]", level: .admin, meaning) {
            room, someone, arguments throws(StatsRefusal) in
            guard let word = arguments.words.first else { throw StatsRefusal(.badArgument, "wants the id of a tour") }
            let id: TourID = try room.identifier(word, "tour")
            let (context, reason) = (room.context, try arguments.checkedReason(after: 1))
            room.decide(name, for: someone) { author, signIn, shards in
                let (tour, _) = try await TourDesk(context).tour(id)
                guard action != .tourWithdraw || tour.version > 0 else {
                    throw StatsRefusal(.notFound, "the tour is not published")
                }
                try await signIn.note(action, onTour: word, of: tour.organisation, by: author, because: reason)
                guard await Shard.order(order(), of: .tour(id), in: context, on: shards) else { throw TourDesk.busy }
                return JSONLine.object { $0.member("tour", word) }
            }
        }
    }
}

/// Reads tours for operators.
struct TourDesk: Sendable {
    let context: ServerContext
    static let busy = StatsRefusal(.notAvailable, "it could not be done now")
    fileprivate static let absent = StatsRefusal(.notFound, "there is no such tour")
    private static let damaged = StatsRefusal(
        .notAvailable, "the tour is damaged: cairn verify names its rows, cairn verify --repair puts them back")

    init(_ context: ServerContext) { self.context = context }

    /// A tour and its draft.
    func tour(_ id: TourID) async throws -> (TourEntry, WireTourContent) {
        var damage: [DamagedRow] = []
        let found = TourEntry.draft(in: try await context.store.read(TourEntry.queries(id)), into: &damage)
        context.store.report(damage)
        guard let found else { throw damage.isEmpty ? Self.absent : Self.damaged }
        return found
    }

    func tours(of organisation: OrganisationID, countMax: Int) async throws -> [TourEntry] {
        var (found, damage, after): ([TourEntry], [DamagedRow], TourID?) = ([], [], TourID(rawValue: 0))
        while let last = after, found.count < countMax {
            let answers = try await context.store.read(TourEntry.page(of: organisation, after: last))
            let (entries, next) = TourEntry.entries(in: answers, into: &damage)
            found += entries
            after = next
        }
        context.store.report(damage)
        return found
    }

    /// Tours that are not published, of all organisations.
    /// - Parameter countMax: tours that are read for it, published ones as well.
    func drafts(countMax: Int) async throws -> [TourEntry] {
        var (read, drafts): (Int, [TourEntry]) = (0, [])
        for organisation in context.signIn.organisations.all() where read < countMax {
            let tours = try await tours(of: organisation.id, countMax: countMax - read)
            read += tours.count
            drafts += tours.filter { $0.version == 0 }
        }
        return drafts
    }

    /// The GeoJSON text of a tour in pieces, and what names the version that they are of.
    func pieces(of id: TourID, isDraft: Bool) async throws -> (version: String, pieces: [String]) {
        var damage: [DamagedRow] = []
        let rows = try await context.store.read([TourPieces.query(id)])[0]
        let tour = TourPieces(of: rows, isDraft: isDraft, in: context.names.contents, damage: &damage)
        guard let tour else {
            context.store.report(damage)
            guard damage.isEmpty else { throw Self.damaged }
            guard !rows.isEmpty else { throw Self.absent }
            throw StatsRefusal(.notFound, "the tour is not published")
        }
        if let known = tour.known { return (tour.version, known) }
        let pieces = tour.pieces(of: try await context.store.read([tour.query])[0], damage: &damage)
        context.store.report(damage)
        guard let pieces else {
            throw damage.isEmpty ? StatsRefusal(.notFound, "the tour is not published") : Self.damaged
        }
        return (tour.version, pieces)
    }
}

extension StatsRoom {
    /// Lines of `tours`.
    private static let toursMax = 1_000
    /// More pieces than any text has.
    fileprivate static let piecesMax = 1_000_000

    fileprivate func listTours(of organisation: OrganisationID?, for someone: Operator) {
        let (context, signIn) = (context, context.signIn)
        perform(for: someone) {
            let all = organisation.map { [$0] } ?? signIn.organisations.all().map(\.id)
            var tours: [TourEntry] = []
            for one in all where tours.count < Self.toursMax {
                tours += try await TourDesk(context).tours(of: one, countMax: Self.toursMax - tours.count)
            }
            return JSONLine.object { line in
                line.array("tours") { line in
                    for tour in tours { line.element { $0.members(of: tour, signIn) } }
                }
            }
        }
    }

    fileprivate func exportTour(_ id: TourID, isDraft: Bool, piece: Int, for someone: Operator) {
        let context = context
        perform(for: someone) {
            let (version, pieces) = try await TourDesk(context).pieces(of: id, isDraft: isDraft)
            guard piece < pieces.count else { throw StatsRefusal(.notFound, "there is no such piece") }
            return JSONLine.object { line in
                line.member("geojson", pieces[piece])
                line.member("version", version)
                if piece + 1 < pieces.count { line.member("next", piece + 1) }
            }
        }
    }

    fileprivate func takeText(_ arguments: StatsArguments, from someone: Operator) throws(StatsRefusal) {
        guard let word = arguments.words.first else {
            someone.text = []
            return answer(someone) { $0.member("bytes", 0) }
        }
        guard arguments.words.count == 1, let bytes = Data(base64Encoded: word) else {
            throw StatsRefusal(.badArgument, "wants a piece in base64")
        }
        guard someone.text.count + bytes.count <= TourGeoJSON.bytesMax else {
            throw StatsRefusal(.badArgument, "more than \(TourGeoJSON.bytesMax) bytes")
        }
        someone.text += bytes
        answer(someone) { $0.member("bytes", someone.text.count) }
    }

    fileprivate func importTour(
        _ tour: TourID?, of organisation: OrganisationID, isPublished: Bool, for someone: Operator
    ) {
        let (context, text) = (context, String(decoding: someone.text, as: UTF8.self))
        someone.text = []
        decide("tour-import", for: someone) { author, signIn, shards in
            let (settings, identifiers) = (context.settings, context.identifiers)
            let file = try TourFile(text, isPublished: isPublished, settings) { identifiers.identifier(named: $0) }
            guard signIn.organisations[organisation] != nil else {
                throw StatsRefusal(.notFound, "there is no such organisation")
            }
            let answers = try await context.store.read([
                file.knownAssets(of: organisation), TourFile.room(in: organisation),
            ])
            try file.checkAssets(answers[0])
            if let tour {
                guard try await TourDesk(context).tour(tour).0.organisation == organisation else {
                    throw TourDesk.absent
                }
            } else {
                try TourFile.checkRoom(answers[1], settings)
            }
            let id = tour ?? identifiers.next(TourTag.self, at: context.clock.now)
            let name = identifiers.name(of: id)
            try await signIn.note(.tourImport, onTour: name, of: organisation, by: author, because: "")
            let order = TourOrder(.fill(file.content, of: organisation, isPublished: isPublished))
            guard await Shard.order(order, of: .tour(id), in: context, on: shards) else { throw TourDesk.busy }
            let (entry, _) = try await TourDesk(context).tour(id)
            return JSONLine.object { $0.members(of: entry, signIn) }
        }
    }
}

extension JSONLine {
    mutating func members(of tour: TourEntry, _ signIn: SignIn) {
        member("tour", signIn.identifiers.name(of: tour.id))
        member("organisation", signIn.identifiers.name(of: tour.organisation))
        member("state", tour.state)
        member("version", Int(tour.version))
        member("code", tour.code)
        member("name", tour.name)
    }
}
