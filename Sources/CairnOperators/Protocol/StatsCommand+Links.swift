internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnWire

/// The link of a tour, for its poster (TRT-3).
extension StatsCommand {
    static var links: [StatsCommand] {
        [
            StatsCommand(
                "tour-link", takes: "CODE|TOUR", level: .admin,
                "the link of a published tour, by the link's code or the tour's id, and its QR code in half blocks"
            ) { room, someone, arguments throws(StatsRefusal) in
                let word = try arguments.one("a code or an id")
                let signIn = room.context.signIn
                let id: TourID? = room.context.identifiers.identifier(named: word)
                guard let tour = signIn.linkedTour(code: word) ?? id.flatMap({ signIn.linkedTour($0) }) else {
                    throw StatsRefusal(.notFound, "no published tour has that code or id")
                }
                room.answer(someone) { line in
                    line.member("url", tour.address)
                    line.member("name", tour.name(in: "en").text)
                    line.member("organisation", tour.organisation)
                    line.array("qr") { line in
                        for row in tour.halfBlocks { line.element(row) }
                    }
                }
            }
        ]
    }
}
