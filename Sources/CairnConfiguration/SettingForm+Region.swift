internal import CairnCore
internal import CairnText

/// Data regions (CMP-7).
extension SettingForm {
    /// A region in North America: a country of ISO 3166-1, or a subdivision of ISO 3166-2. Of the United States those
    /// are left out that lie elsewhere.
    static let northAmerica = Self(
        wants: "CA, US or MX, or a subdivision of one of them after ISO 3166-2 such as CA-ON, in North America"
    ) { text in
        let parts = text.pieces(at: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let country = parts.first, let subdivisions = subdivisions[country] else { return false }
        return parts.count == 1 || subdivisions.contains(parts[1])
    }

    private static let subdivisions: [String: Set<String>] = [
        "CA": codes("AB BC MB NB NL NS NT NU ON PE QC SK YT"),
        // Without Hawaii and the islands.
        "US": codes(
            """
            AK AL AR AZ CA CO CT DC DE FL GA IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH \
            OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY
            """),
        "MX": codes(
            """
            AGU BCN BCS CAM CHH CHP CMX COA COL DUR GRO GUA HID JAL MEX MIC MOR NAY NLE OAX PUE QUE ROO SIN SLP SON \
            TAB TAM TLA VER YUC ZAC
            """),
    ]

    private static func codes(_ list: String) -> Set<String> { Set(list.pieces(at: " ").map(String.init)) }
}
