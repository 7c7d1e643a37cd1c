import CairnWire
import Testing

@testable import CairnCore

/// Who reads how much of a tour (TRT-4).
@Suite struct TourReadingTests {
    private let tour = TourID(rawValue: 7)
    private let maker = OrganisationID(rawValue: 3)
    private let other = OrganisationID(rawValue: 4)

    private func purchase(of tour: TourID, refunded: WallTime? = nil) -> Purchase {
        Purchase(
            id: PurchaseID(rawValue: 1), account: AccountID(rawValue: 2), tour: tour, name: "Walls",
            price: Money(cents: 299, currency: "CAD"), bought: WallTime(milliseconds: 1), key: "key",
            charge: Purchase.Charge(provider: "payment", name: "1", key: "1"), refunded: refunded)
    }

    private func reading(
        price: UInt32 = 299, organisation: OrganisationID? = nil, isAdmin: Bool = false, _ purchases: [Purchase] = []
    ) -> TourReading {
        .of(tour, price: price, by: maker, for: organisation, isAdmin: isAdmin, purchases: purchases)
    }

    @Test func pricedTour_isRead_byItsOrganisationAdminsAndBuyers() {
        #expect(reading() == .preview)
        #expect(reading(organisation: other) == .preview)
        #expect(reading([purchase(of: TourID(rawValue: 8))]) == .preview)
        #expect(reading([purchase(of: tour, refunded: WallTime(milliseconds: 2))]) == .preview)
        #expect(reading(price: 0) == .whole)
        #expect(reading(organisation: maker) == .whole)
        #expect(reading(isAdmin: true) == .whole)
        #expect(reading([purchase(of: tour)]) == .whole)
    }

    private func text(_ words: String, audio: String = "") -> WireTourText {
        var (text, one) = (WireTourText(), WireTourWords())
        (one.language, one.text, one.audio) = ("en", words, audio)
        text.words = [one]
        return text
    }

    @Test func preview_hasPlacesAndNames_andNothingOfStoriesPopupsAndRecordings() {
        var (content, stop, popup) = (WireTourContent(), WireTourStop(), WireTourPopup())
        content.facts.name = text("Walls", audio: "spoken")
        content.facts.description_p = text("As they stood.", audio: "SECRET-2")
        content.facts.picture = "picture"
        (stop.id, stop.object) = ("a", "preset:heart")
        stop.pose.geopose.position.lat = 45
        (stop.name, stop.alternative) = (text("Gate", audio: "SECRET-3"), text("Of stone", audio: "SECRET-4"))
        stop.history = text("SECRET-5", audio: "SECRET-6")
        (popup.id, popup.text) = ("b", text("SECRET-7", audio: "SECRET-8"))
        popup.place.lat = 46
        (content.stops, content.popups) = ([stop, stop], [popup])
        let (preview, withheld) = content.preview
        #expect((withheld.stories, withheld.popups, withheld.recordings) == (2, 1, 5))
        let bytes = String(decoding: WireBody.encode(preview), as: UTF8.self)
        #expect(!bytes.contains("SECRET"))
        for shown in ["Walls", "As they stood.", "spoken", "picture", "Gate", "Of stone", "preset:heart"] {
            #expect(bytes.contains(shown))
        }
        #expect(preview.stops.map(\.pose) == content.stops.map(\.pose))
        #expect(preview.popups.map(\.place) == content.popups.map(\.place))
    }
}
