import CairnConfiguration
import CairnTesting
import Foundation
import Testing

@testable import CairnServer

/// The privacy policy, shipped and of the operators' own (CMP-1).
@Suite("Privacy policy")
struct PrivacyPolicyTests {
    @Test(arguments: ["en", "es", "fr", "hi", "zh"])
    func shippedText_namesRegionAndVersion(language: String) throws {
        var configuration = Configuration()
        configuration.storage.region = "CA-QC"
        configuration.accounts.policyVersion = "2026-11"
        let text = try PrivacyPolicy(configuration).text(in: [language])
        #expect(text.language == language)
        #expect(text.text.contains("CA-QC") && text.text.contains("2026-11"))
        #expect(text.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("# ") }.count == 5)
    }

    @Test func language_isTheFirstThatThereIs() throws {
        let policy = try PrivacyPolicy(Configuration())
        #expect(policy.text(in: ["tlh", "fr-CA", "es"]).language == "fr")
        #expect(policy.text(in: []).language == "en")
    }

    @Test(arguments: [
        ["fr.txt": "Titre\n\nTexte"], ["en.txt": "Title alone"], ["en.txt": "\n\nText"],
        ["en.txt": "Title\n\n" + String(repeating: "x", count: 40_000)],
    ])
    func ownTextThatCannotBeShown_isRefused(files: [String: String]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        var configuration = Configuration()
        configuration.accounts.policyFolder = folder.path
        #expect(throws: ConfigurationError.self) { try PrivacyPolicy(configuration) }
    }
}
