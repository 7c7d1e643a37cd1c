import CairnCore
import CairnFeatures
import Testing

@testable import CairnConfiguration

@Suite("Configuration: reactions")
struct ReactionConfigurationTests {
    @Test func names_readAsYAMLAndWithCommas() throws {
        let file = try TemporaryFile("reactions:\n  names:\n    - up\n    - down\n")
        #expect(try Configuration.loadTesting(file: file).configuration.features.reactions.names == ["up", "down"])
        let fromFlag = try Configuration.loadTesting(overrides: ["reactions.names": "up, down"])
        #expect(fromFlag.configuration.features.reactions.names == ["up", "down"])
    }

    @Test func noNames_areRefused() throws {
        try Configuration.expectRefusal(of: "", for: "reactions.names")
    }
}
