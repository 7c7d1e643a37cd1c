internal import CairnCore
internal import CairnGeo
internal import CairnText
internal import CairnWire

/// The checks of texts and links (TRM-2, TRM-4, TRM-5). Fields that are blank and must not be are gathered, so that one
/// refusal lists them all.
struct TourTexts {
    let settings: TourSettings
    private(set) var missing: [String] = []

    /// Most languages of a text.
    private static let languagesMax = 50
    private static let linkBytesMax = 2_000

    init(_ settings: TourSettings) { self.settings = settings }

    /// - Throws: `invalid_field`.
    mutating func check(
        _ text: WireTourText, _ field: String, max: Int? = nil, isRequired: Bool = true, mayBreak: Bool = true
    ) throws(Refusal) {
        let max = max ?? settings.textCharactersMax
        if text.words.isEmpty || text.words.contains(where: \.text.isBlank) {
            guard !isRequired, text.words.isEmpty else { return missing.append(field) }
        }
        guard text.words.count <= Self.languagesMax else { throw Self.invalid(field, "at most \(Self.languagesMax)") }
        var languages: Set<String> = []
        for words in text.words {
            guard Self.isLanguage(words.language), languages.insert(words.language.lowercased()).inserted else {
                throw Self.invalid(field, "each language once, as BCP 47 names it")
            }
            guard mayBreak ? words.text.isOfLines : words.text.isOneLine else {
                throw Self.invalid(
                    field,
                    mayBreak
                        ? "no tabs or other control characters; lines end with \\n"
                        : "one line, without tabs and marks of direction")
            }
            guard words.text.hasAtMost(characters: max) else {
                throw Self.invalid(field, "at most \(max) characters")
            }
        }
    }

    mutating func require(_ isThere: Bool, _ field: String) { if !isThere { missing.append(field) } }

    /// - Throws: `missing_field` with all that are missing.
    func finish() throws(Refusal) {
        guard !missing.isEmpty else { return }
        throw Tours.refusal(
            .missingField, "\(missing.joined(separator: ", ")): 1 or more characters",
            details: ["field": missing[0], "fields": missing.joined(separator: ",")])
    }

    static func invalid(_ field: String, _ text: Refusal.Text) -> Refusal {
        Tours.refusal(.invalidField, text, details: ["field": field])
    }

    /// Whether it has the form of a language tag (BCP 47): subtags of letters and digits, the first of 2 to 8 letters.
    static func isLanguage(_ tag: String) -> Bool {
        guard tag.utf8.count <= 35 else { return false }
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, (2...8).contains(first.count), first.allSatisfy(Self.isLetter) else {
            return false
        }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count)
                && part.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// - Throws: `invalid_link` with the index.
    static func check(links: [String], _ settings: TourSettings) throws(Refusal) {
        let index = links.count > settings.linksMax ? settings.linksMax : links.firstIndex { !isLink($0) }
        guard let index else { return }
        throw Tours.refusal(
            .invalidLink, "links: at most \(settings.linksMax), each http or https",
            details: ["index": "\(index)", "limit": "\(settings.linksMax)"])
    }

    private static func isLink(_ link: String) -> Bool {
        guard link.utf8.count <= linkBytesMax, link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        for scheme in ["http://", "https://"] where link.lowercased().hasPrefix(scheme) {
            let host = link.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
            return !host.isEmpty && host.first != ":"
        }
        return false
    }
}

extension WireTourFacts {
    /// The same without optional fields that are blank, as forms send them (TRM-2).
    var filledIn: Self {
        var facts = self
        facts.links.removeAll(where: \.isBlank)
        if picture.isEmpty, pictureAlternative.words.allSatisfy(\.text.isBlank) {
            facts.clearPictureAlternative()
        }
        return facts
    }

    /// - Throws: `missing_field`, `invalid_field`, `invalid_price`, `invalid_link`.
    func check(_ settings: TourSettings) throws(Refusal) {
        var texts = TourTexts(settings)
        try texts.check(name, "name", max: settings.nameCharactersMax, mayBreak: false)
        try texts.check(description_p, "description")
        try texts.check(pictureAlternative, "picture_alternative", isRequired: !picture.isEmpty)
        try texts.finish()
        guard price <= settings.priceMax else {
            throw Tours.refusal(
                .invalidPrice, "0, or 1 to \(settings.priceMax)", details: ["limit": "\(settings.priceMax)"])
        }
        try TourTexts.check(links: links, settings)
        guard seconds <= Self.secondsMax else {
            throw TourTexts.invalid("seconds", "at most \(Self.secondsMax) seconds")
        }
    }

    /// Thirty days.
    private static let secondsMax: UInt32 = 2_592_000
}

extension WireTourStop {
    /// - Returns: where it is.
    /// - Throws: `missing_field`, `invalid_field`, `object_not_owned`, `bad_pose`.
    func check(_ settings: Settings) throws(Refusal) -> Coordinate {
        var texts = TourTexts(settings.tours)
        texts.require(!object.isEmpty, "object")
        texts.require(hasPose, "pose")
        try texts.check(name, "name", max: settings.tours.nameCharactersMax, mayBreak: false)
        try texts.check(history, "history")
        try texts.check(alternative, "alternative")
        try texts.finish()
        guard settings.hasObject(object) else {
            throw Tours.refusal(.objectNotOwned, "\"\(object.prefix(64))\" is not in your inventory")
        }
        return try settings.place(of: pose)
    }
}

extension WireTourPopup {
    /// - Returns: where it is.
    /// - Throws: `missing_field`, `invalid_field`.
    func check(_ settings: Settings) throws(Refusal) -> Coordinate {
        var texts = TourTexts(settings.tours)
        texts.require(hasPlace, "lat")
        try texts.check(text, "text")
        try texts.finish()
        guard place.hasLat, place.hasLon, place.h.isFinite, abs(place.h) <= 100_000,
            let coordinate = Coordinate(latitude: place.lat, longitude: place.lon)
        else { throw TourTexts.invalid("lat", "lat -90 to 90, lon -180 to 180, h within 100 km") }
        return coordinate
    }
}
