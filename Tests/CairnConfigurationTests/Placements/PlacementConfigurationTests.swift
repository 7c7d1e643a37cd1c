import CairnCore
import CairnFeatures
import Testing

@testable import CairnConfiguration

@Suite("Configuration: placements")
struct PlacementConfigurationTests {
    @Test func liveKey_countsAtOnce() throws {
        let file = try TemporaryFile("placement: { areaQuota: 5 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("placement: { areaQuota: 6 }\n")
        let reload = try first.reload()
        #expect(reload.loaded.configuration.features.placements.areaQuota == 6)
        #expect(reload.applied.map(\.description) == ["placement.areaQuota: 5 -> 6"])
        #expect(reload.waiting.isEmpty)
    }

    @Test func keyTakenOutOfTheFile_goesBackToItsDefault() throws {
        let file = try TemporaryFile("placement: { areaQuota: 5 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("")
        let reload = try first.reload()
        #expect(reload.loaded.configuration.features.placements.areaQuota == 20)
        #expect(reload.loaded["placement.areaQuota"]?.origin == .shipped)
    }

    @Test func moreAMinuteThanADay_isRefusedWithBothValues() {
        let problems = Configuration.problems(overrides: ["placement.perDay": "9"])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("placement.perDay is 9") == true)
        #expect(problems.first?.contains("placement.perMinute is ") == true)
    }

    @Test func presets_mayBeNone() throws {
        let empty = try Configuration.loadTesting(environment: ["CAIRN_PLACEMENT_PRESETS": ""])
        #expect(empty.configuration.features.placements.presets.isEmpty)
    }

    @Test(arguments: ["a,a", "a b", "a,"])
    func presetsThatAreNone_areRefused(value: String) throws {
        try Configuration.expectRefusal(of: value, for: "placement.presets")
    }
}
