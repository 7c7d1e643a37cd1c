import Testing

@testable import CairnServer

/// The texts that the server writes itself, in the five languages of ACS-1.
@Suite("Texts")
struct TextsTests {
    @Test func everyLanguage_hasTheSameTextsWithTheSameParts() throws {
        let english = try #require(Texts.languages["en"]).texts
        #expect(Texts.languages.keys.sorted() == ["en", "es", "fr", "hi", "zh"])
        for (language, texts) in Texts.languages {
            #expect(texts.texts.keys.sorted() == english.keys.sorted(), "\(language)")
            for (key, text) in texts.texts {
                #expect(!text.isEmpty)
                let parts = text.matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted()
                let wanted = english[key, default: ""].matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted()
                // A translation may name the service less often, and nothing else.
                #expect(Set(parts) == Set(wanted), "\(language) \(key)")
            }
        }
    }

    @Test(arguments: [
        ("fr", "Choisissez un nouveau mot de passe"), ("fr-CA", "Choisissez un nouveau mot de passe"),
        ("ZH-Hans-CN", "\u{8bbe}\u{7f6e}\u{65b0}\u{5bc6}\u{7801}"), ("tlh", "Set a new password"),
        ("", "Set a new password"),
    ]) func language_isChosenByItsPrimaryPart(tag: String, subject: String) {
        #expect(Texts.of(tag)["mail.reset.subject"] == subject)
    }
}
