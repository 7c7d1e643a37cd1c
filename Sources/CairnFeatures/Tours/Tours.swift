public import CairnCore
public import CairnWire

/// Tours, guided walks that organisations make and people find (TRM-1 to TRM-10, TRT-2 to TRT-4).
///
/// A tour is a home: it decides about its draft and its versions. A request about a draft passes its sender's account,
/// which refuses it unless the sender acts for an organisation; the tour refuses it unless that is its own. To
/// everybody else a draft does not exist (TRM-6). Published tours are in memory (`TourDirectory`), their content is
/// read where it is asked for, and no home wakes for that.
public enum Tours: Feature {
    public static let name = "tours"
    public static let commands: [any Command.Type] = [
        CreateTour.self, SetTourFacts.self, SetTourGround.self, SetTourStop.self, SetTourPopup.self,
        RemoveTourPart.self, OrderTourStops.self, PublishTour.self, DiscardTourDraft.self, DeleteTour.self,
        ImportTour.self, ExportTour.self, GetTour.self, ListOwnTours.self, ListTours.self, FindTour.self,
    ]
    public static let timers: [any HomeTimer.Type] = [VersionsSweep.self]
    public static let messages: [any HomeMessage.Type] = [NearTour.self, TourOrder.self, VersionLeft.self]
    public static let publishes: Set<HomeKind> = [.tour]
    public static let settings: (any FeatureSettings.Type)? = TourSettings.self
    public static let listings = [TourRecord.ofOrganisation]
    public static let refusals: [Refusal.Code] = [
        .invalidPrice, .invalidLink, .invalidRoute, .offRoute, .tourIncomplete, .spaceFull,
    ]
    public static let quotas = [
        Quota(
            "tours", of: name, code: .rateLimited, counting: [CreateTour.self],
            windows: [Quota.Window(.hour) { $0.tours.createdPerHour }],
            stored: .answers(to: [CreateTour.self], within: .hour)),
        Quota(
            "changes of tours", of: name, code: .rateLimited,
            counting: [
                SetTourFacts.self, SetTourGround.self, SetTourStop.self, SetTourPopup.self, RemoveTourPart.self,
                OrderTourStops.self, PublishTour.self, DiscardTourDraft.self, DeleteTour.self, ImportTour.self,
            ],
            windows: [Quota.Window(.minute) { $0.tours.editsPerMinute }], countsRefusals: true),
        Quota(
            "imports of tours", of: name, code: .rateLimited, counting: [ImportTour.self],
            windows: [Quota.Window(.hour) { $0.tours.importsPerHour }],
            stored: .answers(to: [ImportTour.self], within: .hour), countsRefusals: true),
        Quota(
            "publications of tours", of: name, code: .rateLimited, counting: [PublishTour.self],
            windows: [Quota.Window(.hour) { $0.tours.publishedPerHour }],
            stored: .answers(to: [PublishTour.self], within: .hour), countsRefusals: true),
        Quota(
            "looks at tours", of: name, code: .rateLimited,
            counting: [GetTour.self, ExportTour.self, ListOwnTours.self, ListTours.self, FindTour.self],
            windows: [Quota.Window(.minute) { $0.tours.looksPerMinute }]),
    ]
    public static let counts = [EngagementCount("tours", unit: "versions", "of tours that were published")]

    public static func describe(_ settings: Settings, into limits: inout WireLimits) {
        let tours = settings.tours
        limits.tourName = UInt32(tours.nameCharactersMax)
        limits.tourText = UInt32(tours.textCharactersMax)
        limits.tourLinks = UInt32(tours.linksMax)
        limits.tourPrice = UInt32(tours.priceMax)
        limits.tourArea = UInt32(tours.cornersMax)
        limits.tourRoute = UInt32(tours.pointsMax)
        limits.tourParts = UInt32(tours.partsMax)
        limits.currency = tours.currency
    }

    public static func notice(of tour: TourID, in language: String) -> (any HomeMessage)? {
        NearTour(tour: tour, language: language)
    }

    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text? = nil, details: [String: String] = [:]) -> Refusal {
        Refusal(code, text, component: name, details: details)
    }

    /// The answer about a tour that does not exist, and about a draft of another organisation (TRM-6).
    static let absent = refusal(.notFound)

    static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }
}
