import CairnCore
import Testing

@testable import CairnConfiguration

@Suite("Configuration: reload")
struct ConfigurationReloadTests {
    @Test func liveKeys_countAndOthersWait() throws {
        let file = try TemporaryFile("connections: { perAccountMax: 5 }\nlisten: { port: 9000 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("connections: { perAccountMax: 6 }\nlisten: { port: 9001 }\n")
        let reload = try first.reload()
        #expect(reload.loaded.configuration.connections.perAccountMax == 6)
        #expect(reload.loaded.configuration.listen.port == 9000)
        #expect(reload.applied.map(\.description) == ["connections.perAccountMax: 5 -> 6"])
        #expect(reload.waiting.map(\.description) == ["listen.port: 9000 -> 9001"])
        #expect(reload.loaded["connections.perAccountMax"]?.value == .integer(6))
        #expect(reload.loaded["listen.port"]?.value == .integer(9000))
    }

    @Test func nothingChanged_changesNothing() throws {
        let first = try Configuration.loadTesting()
        let reload = try first.reload()
        #expect(reload.applied.isEmpty && reload.waiting.isEmpty)
        #expect(reload.loaded.configuration == first.configuration)
    }

    @Test func keyTakenOutOfTheFile_goesBackToItsDefault() throws {
        let file = try TemporaryFile("connections: { perAccountMax: 5 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("")
        let reload = try first.reload()
        #expect(reload.loaded.configuration.connections.perAccountMax == Configuration().connections.perAccountMax)
        #expect(reload.loaded["connections.perAccountMax"]?.origin == .shipped)
    }

    @Test func flags_stillWinOverAChangedFile() throws {
        let file = try TemporaryFile("")
        let first = try Configuration.loadTesting(file: file, overrides: ["connections.perAccountMax": "7"])
        try file.write("connections: { perAccountMax: 5 }\n")
        #expect(try first.reload().loaded.configuration.connections.perAccountMax == 7)
    }

    @Test func badFile_isRefusedAndTheOldOneStays() throws {
        let file = try TemporaryFile("connections: { perAccountMax: 5 }\n")
        let first = try Configuration.loadTesting(file: file)
        try file.write("connections: { perAccountMax: many }\n")
        #expect(throws: ConfigurationError.self) { try first.reload() }
        #expect(first.configuration.connections.perAccountMax == 5)
    }
}
