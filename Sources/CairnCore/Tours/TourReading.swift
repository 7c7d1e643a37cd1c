public import CairnWire

/// How much of a published tour a person may read (TRT-4): the one rule, for each way by which a tour leaves the
/// server.
public enum TourReading: Hashable, Sendable {
    case whole
    /// Without the stories, the texts of popups, and the recordings.
    case preview

    /// Asks for what `of(_:)` needs: the purchase of a tour by a person.
    public static func query(of account: AccountID, _ tour: TourID) -> Query { Purchase.query(account, tour) }

    /// - Parameters:
    ///   - price: of the version that is read; 0 = it is free, and everybody reads all of it.
    ///   - maker: its organisation.
    ///   - organisation: for which the person acts; nil = none.
    ///   - isAdmin: whether the person is an admin.
    ///   - purchases: those of the person. A damaged one is none: what was bought is not guessed.
    public static func of(
        _ tour: TourID, price: UInt32, by maker: OrganisationID, for organisation: OrganisationID?, isAdmin: Bool,
        purchases: [Purchase]
    ) -> TourReading {
        if price == 0 || isAdmin || organisation == maker { return .whole }
        return purchases.contains { $0.tour == tour && $0.refunded == nil } ? .whole : .preview
    }
}

extension WireTourFacts {
    /// The assets that a tour says itself with, each once.
    public var assetNames: [String] { WireTourText.assetNames(in: [name, description_p, pictureAlternative], picture) }
}

extension WireTourText {
    /// The assets that texts name, and a picture; each once.
    public static func assetNames(in texts: [WireTourText], _ picture: String = "") -> [String] {
        var names: [String] = picture.isEmpty ? [] : [picture]
        for words in texts.flatMap(\.words) where !words.audio.isEmpty && !names.contains(words.audio) {
            names.append(words.audio)
        }
        return names
    }
}

extension WireTourContent {
    /// The content for those who have not bought it, and how much it leaves out: histories, the texts of popups, and
    /// the recordings of all but what lists show, the name and the picture. The map has all of its places, each stop
    /// its object, its name and the look of the object in words (ACS-2).
    public var preview: (content: WireTourContent, withheld: WireTourPreview) {
        var (content, withheld) = (self, WireTourPreview())
        withheld.stories = UInt32(clamping: stops.count { !$0.history.words.isEmpty })
        withheld.popups = UInt32(clamping: popups.count)
        let texts = stops.flatMap { [$0.name, $0.history, $0.alternative] } + popups.map(\.text)
        withheld.recordings = UInt32(clamping: WireTourText.assetNames(in: [facts.description_p] + texts).count)
        content.facts.description_p.withhold()
        for index in stops.indices {
            content.stops[index].clearHistory()
            content.stops[index].name.withhold()
            content.stops[index].alternative.withhold()
        }
        for index in popups.indices { content.popups[index].clearText() }
        return (content, withheld)
    }
}

extension WireTourText {
    /// Leaves the recordings out.
    fileprivate mutating func withhold() { for index in words.indices { words[index].audio = "" } }
}
