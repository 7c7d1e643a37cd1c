internal import CairnGeo
public import CairnWire

/// Texts of tours as lists and pushed items have them: in the reader's language alone, and short. A tour may have them
/// in fifty languages with some 100 KB each, and a list has twenty tours. Whoever wants a text as a whole, or in every
/// language, reads the content with `get_tour`.
extension WireTourText {
    /// Most bytes of UTF-8 of a text in a list or a pushed item. Names of 100 letters of any script have fewer. What is
    /// longer is cut, and ends with "…".
    public static let listedBytesMax = 1_024

    /// The words for a reader of a language: those in it, else those in another form of it (the same primary tag), else
    /// the first ones. As BCP 47 names languages; empty = the reader has said none.
    public func words(in language: String) -> WireTourWords? {
        words.first { $0.language.isTag(language) } ?? words.first { $0.language.hasPrimaryTag(of: language) }
            ?? words.first
    }

    /// In a reader's language alone, and short.
    public func listed(in language: String) -> WireTourText {
        var text = WireTourText()
        if let words = words(in: language) { text.words = [words.short] }
        return text
    }

    /// In all languages, each short.
    var short: WireTourText {
        var text = WireTourText()
        text.words = words.map(\.short)
        return text
    }
}

extension WireTourWords {
    fileprivate var short: WireTourWords {
        guard text.utf8.count > WireTourText.listedBytesMax else { return self }
        var short = self
        short.text = text.shortened(toBytes: WireTourText.listedBytesMax)
        return short
    }
}

extension WireTourSummary {
    /// A summary with its texts. There is no other way to give it any.
    /// - Parameters:
    ///   - alternative: what the picture shows; left out without a picture.
    ///   - language: of the reader.
    public init(name: WireTourText, picture: String, alternative: WireTourText, in language: String) {
        self.init()
        self.name = name.listed(in: language)
        self.picture = picture
        if !picture.isEmpty { pictureAlternative = alternative.listed(in: language) }
    }
}

extension OfferedTour {
    /// As everybody sees it.
    /// - Parameters:
    ///   - language: of the reader.
    ///   - awayMetres: from the place that is asked about to the start; nil = none is.
    public func summary(
        in language: String, awayMetres: Double? = nil, _ names: NameDirectory, _ identifiers: IdentifierIssuer
    ) -> WireTourSummary {
        var summary = WireTourSummary(name: name, picture: picture, alternative: pictureAlternative, in: language)
        summary.id = identifiers.name(of: id)
        summary.organisation = identifiers.name(of: organisation)
        summary.organisationName = names.organisations.name(of: organisation) ?? ""
        summary.price = price
        summary.distance = distanceMetres
        summary.seconds = seconds
        (summary.start.lat, summary.start.lon) = (start.latitude, start.longitude)
        summary.code = code
        summary.version = version
        if let awayMetres { summary.away = awayMetres }
        return summary
    }
}

extension Turn {
    /// A published tour as everybody sees it.
    /// - Parameters:
    ///   - language: of the reader.
    ///   - awayMetres: from the place that is asked about to the start; nil = none is.
    public func summary(of tour: OfferedTour, in language: String, awayMetres: Double? = nil) -> WireTourSummary {
        tour.summary(in: language, awayMetres: awayMetres, names, identifiers)
    }
}

extension String {
    /// Letters of ASCII in one case; tags have no others.
    private var tagBytes: some Sequence<UInt8> { utf8.lazy.map { $0 | 0x20 } }
    private var primaryTagBytes: some Sequence<UInt8> {
        utf8.lazy.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map { $0 | 0x20 }
    }

    fileprivate func isTag(_ other: String) -> Bool { tagBytes.elementsEqual(other.tagBytes) }
    fileprivate func hasPrimaryTag(of other: String) -> Bool {
        primaryTagBytes.elementsEqual(other.primaryTagBytes)
    }
}
