import CairnTesting
import Testing

@testable import CairnCore

/// One value with the settings of all features.
@Suite("Settings")
struct SettingsTests {
    private struct Rooms: FeatureSettings {
        static let section = "rooms"
        static let meaning = "Rooms."
        static let keys: [SettingKey<Self>] = [
            .integer("seats", \.seats, 1...9, unit: "seats", .live, "Seats.")
        ]

        var seats = 4
    }

    @Test func settingsOfAFeature_areItsDefaultsUntilTheyAreSet() {
        var settings = Settings()
        #expect(settings[Rooms.self].seats == 4)
        settings[Rooms.self].seats = 7
        #expect(settings[Rooms.self].seats == 7)
    }

    @Test func settingsThatWereSetToTheirDefaults_areEqualToThoseThatWereNot() {
        var settings = Settings()
        settings[Rooms.self].seats = 4
        #expect(settings == Settings())
        settings[Rooms.self].seats = 5
        #expect(settings != Settings())
    }

    @Test(arguments: [("9", true), ("1", true), ("10", false), ("0", false), ("many", false), ("", false)])
    func key_takesWhatIsWithinItsBounds(text: String, isTaken: Bool) {
        var rooms = Rooms()
        #expect(Rooms.keys[0].write(&rooms, .scalar(text)) == isTaken)
        #expect(rooms.seats == (isTaken ? Int(text) : 4))
    }

    @Test func copy_isNotChangedWithTheOriginal() {
        var settings = Settings()
        settings[Rooms.self].seats = 5
        let copy = settings
        settings[Rooms.self].seats = 6
        settings.cellLevel = 12
        #expect(copy[Rooms.self].seats == 5 && copy.cellLevel == 16)
    }
}
