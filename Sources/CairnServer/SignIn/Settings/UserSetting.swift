internal import CairnCore

/// A setting that a person may save, and the values that it can have (PRF-6, PRF-7, PRF-8).
struct UserSetting: Sendable {
    /// Category, dot, name.
    let key: String
    /// The end of "wants ...".
    let wants: String
    let accepts: @Sendable (String) -> Bool

    /// All there are. A further one is a line.
    static let all = own + NotificationKind.all.map { .words($0.settingKey, ["on", "off"]) }

    private static let own: [UserSetting] = [
        .words("accessibility.textSize", ["small", "medium", "large", "largest"]),
        .words("accessibility.objectNames", ["on", "off"]),
        .words("accessibility.language", ["", "en", "es", "fr", "hi", "zh"]),
        .words("accessibility.contrast", ["normal", "high"]),
        .words("accessibility.reducedMotion", ["on", "off"]),
        .words("accessibility.colourTheme", ["standard", "protanopia", "deuteranopia", "tritanopia"]),
        .number("accessibility.fontScale", 0.5...3),
        .words("display.theme", ["dark", "light", "system"]),
        .words(objects, ["on", "off"]),
        .number("display.brightness", 0...1),
        .words(sharesPosition, ["on", "off"]),
        .words(accuracy, LocationAccuracy.allCases.map(\.rawValue)),
        UserSetting(key: "display.inventoryBackground", wants: "a colour such as #0b5c4a", accepts: isColour),
    ]

    static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// Names the language of what the server writes to the person (ACS-1); empty = as `hello` says.
    static let language = "accessibility.language"

    /// Whether others may see the person's position (VIS-9).
    static let sharesPosition = "privacy.sharePosition"
    /// Whether live views have instances (PRF-7).
    static let objects = "display.objects"
    /// How exactly others learn where the person is (PRF-8).
    static let accuracy = "privacy.accuracy"

    private static func words(_ key: String, _ words: [String]) -> UserSetting {
        let named = words.map { $0.isEmpty ? "nothing" : $0 }.joined(separator: ", ")
        return UserSetting(key: key, wants: "one of \(named)") { words.contains($0) }
    }

    private static func number(_ key: String, _ range: ClosedRange<Double>) -> UserSetting {
        UserSetting(key: key, wants: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            // Digits and a point, as people write it: Swift reads hexadecimal numbers and signs as well.
            text.utf8.count <= 8 && text.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
                && Double(text).map(range.contains) == true
        }
    }

    @Sendable private static func isColour(_ text: String) -> Bool {
        text.utf8.count == 7 && text.first == "#"
            && text.utf8.dropFirst().allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                default: false
                }
            }
    }
}
