import CairnCore
import CairnFeatures
import Testing

@testable import CairnConfiguration

@Suite("Configuration: reload")
struct ConfigurationReloadTests {
    @Test func liveKeys_countAndOthersWait() throws {
        let file = try TemporaryFile("placement: { areaQuota: 5 }\nlisten: { port: 9000 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("placement: { areaQuota: 6 }\nlisten: { port: 9001 }\n")
        let reload = try first.reload()
        #expect(reload.loaded.configuration.features.placements.areaQuota == 6)
        #expect(reload.loaded.configuration.listen.port == 9000)
        #expect(reload.applied.map(\.description) == ["placement.areaQuota: 5 -> 6"])
        #expect(reload.waiting.map(\.description) == ["listen.port: 9000 -> 9001"])
        #expect(reload.loaded["placement.areaQuota"]?.value == .integer(6))
        #expect(reload.loaded["listen.port"]?.value == .integer(9000))
    }

    @Test func nothingChanged_changesNothing() throws {
        let first = try Configuration.loadTesting()
        let reload = try first.reload()
        #expect(reload.applied.isEmpty && reload.waiting.isEmpty)
        #expect(reload.loaded.configuration == first.configuration)
    }

    @Test func keyTakenOutOfTheFile_goesBackToItsDefault() throws {
        let file = try TemporaryFile("placement: { areaQuota: 5 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("")
        let reload = try first.reload()
        #expect(reload.loaded.configuration.features.placements.areaQuota == 20)
        #expect(reload.loaded["placement.areaQuota"]?.origin == .shipped)
    }

    @Test func flags_stillWinOverAChangedFile() throws {
        let file = try TemporaryFile("")
        let first = try Configuration.loadTesting(file: file, overrides: ["placement.areaQuota": "7"])
        try file.write("placement: { areaQuota: 5 }\n")
        #expect(try first.reload().loaded.configuration.features.placements.areaQuota == 7)
    }

    @Test func badFile_isRefusedAndTheOldOneStays() throws {
        let file = try TemporaryFile("placement: { areaQuota: 5 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("placement: { areaQuota: many }\n")
        #expect(throws: ConfigurationError.self) { try first.reload() }
        #expect(first.configuration.features.placements.areaQuota == 5)
    }
}
