import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Synchronization

@testable import CairnFeatures

/// A town in which one tour is offered.
enum TourTown {
    static let tour = TourID(rawValue: 77)
    private static let plane = LocalPlane(origin: Ground.here.centre)

    static func at(_ north: Double) -> Coordinate { plane.coordinate(east: 0, north: north) }

    private static func text(_ text: String) -> WireTourText {
        var words = WireTourWords()
        (words.language, words.text) = ("en", text)
        var wire = WireTourText()
        wire.words = [words]
        return wire
    }

    /// A tour with stops 100 m apart, and a popup before the second.
    static let version: PublishedTour = {
        var content = WireTourContent()
        content.facts.name = text("Walls")
        content.ground.route = [at(0), at(400)].map(\.point)
        content.ground.area = [at(-500), plane.coordinate(east: 500, north: 0), at(500)].map(\.point)
        content.stops = (1...3).map { number in
            var stop = WireTourStop()
            stop.id = "stop\(number)"
            stop.pose = .make(at: at(Double(number) * 100))
            stop.history = text("History \(number)")
            return stop
        }
        var popup = WireTourPopup()
        popup.id = "popup"
        (popup.place.lat, popup.place.lon) = (at(150).latitude, at(150).longitude)
        content.popups = [popup]
        return PublishedTour(
            tour: tour, version: 3, organisation: OrganisationID(rawValue: 5), published: 0, content: content,
            distanceMetres: 400, seconds: 300)
    }()

    static func make(settings: Settings = .make()) throws -> TownBench {
        var town = TownBench(settings: settings)
        let area = try Polygon([at(-500), plane.coordinate(east: 500, north: 0), at(500)])
        town.names.tours.set(
            tour,
            to: OfferedTour(
                id: tour, version: 3, organisation: version.organisation, code: "ABCDEFGH",
                facts: version.content.facts, distanceMetres: 400, seconds: 300, start: at(0), area: area))
        town.store = TourShelf().answer
        return town
    }
}

/// What the store of a town of tours answers: the version, and rows that a test has put there.
final class TourShelf: Sendable {
    private let rows = Mutex<[String: [Row]]>([:])

    /// The answer to queries whose text contains this.
    subscript(text: String) -> [Row]? {
        get { rows.withLock { $0[text] } }
        set { rows.withLock { $0[text] = newValue } }
    }

    @Sendable func answer(_ query: Query) -> [Row]? {
        let text = query.sql.text
        if text.contains("tour_versions") { return [Row(TourTown.version.insertion.arguments)] }
        return rows.withLock { rows in rows.first { text.contains($0.key) }?.value ?? [] }
    }
}
