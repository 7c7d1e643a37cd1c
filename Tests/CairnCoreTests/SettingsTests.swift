import CairnTesting
import Testing

@testable import CairnCore

/// One value with the settings of all features.
@Suite("Settings")
struct SettingsTests {
    private struct Rooms: FeatureSettings {
        var seats = 4
    }

    @Test func settingsOfAFeature_areItsDefaultsUntilTheyAreSet() {
        var settings = Settings()
        #expect(settings[Rooms.self].seats == 4)
        settings[Rooms.self].seats = 7
        #expect(settings[Rooms.self].seats == 7)
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
